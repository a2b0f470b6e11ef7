import type { AppError } from '../errors.ts';

export interface Waiter {
  readonly line: string;
  readonly sinceMs: number;
  readonly answer: (outcome: (() => void) | AppError) => void;
}

/** The waiting requests of one class: one line per organization, served in turn. */
export interface Line {
  size(): number;
  add(waiter: Waiter): void;
  /** The first of the line whose turn it is. */
  take(): Waiter | undefined;
  /** The last of the longest line; undefined if the newcomer's line is as long. */
  lastOfLongest(newcomer: string): Waiter | undefined;
  remove(waiter: Waiter): void;
  /** Removes and returns all that match, in the order of their lines. */
  removeAll(fits: (waiter: Waiter) => boolean): readonly Waiter[];
}

export function createLine(): Line {
  // insertion order of the map is the order of turns: a line moves to the end after its turn
  const lines = new Map<string, Waiter[]>();
  let size = 0;

  const replace = (name: string, waiters: Waiter[]): void => {
    if (waiters.length === 0) lines.delete(name);
    else lines.set(name, waiters);
  };

  return {
    size: () => size,
    add(waiter) {
      const waiters = lines.get(waiter.line);
      if (waiters) waiters.push(waiter);
      else lines.set(waiter.line, [waiter]);
      size += 1;
    },
    take() {
      const [first] = lines;
      if (!first) return undefined;
      const [name, waiters] = first;
      lines.delete(name);
      const next = waiters.shift();
      replace(name, waiters);
      size -= 1;
      return next;
    },
    lastOfLongest(newcomer) {
      let longest = lines.get(newcomer) ?? [];
      const least = longest.length + 1;
      for (const waiters of lines.values()) if (waiters.length > longest.length) longest = waiters;
      return longest.length > least ? longest.at(-1) : undefined;
    },
    remove(waiter) {
      const waiters = lines.get(waiter.line);
      const at = waiters?.indexOf(waiter) ?? -1;
      if (!waiters || at < 0) return;
      waiters.splice(at, 1);
      replace(waiter.line, waiters);
      size -= 1;
    },
    removeAll(fits) {
      const removed: Waiter[] = [];
      for (const [name, waiters] of [...lines]) {
        const kept = waiters.filter((each) => !fits(each));
        if (kept.length === waiters.length) continue;
        removed.push(...waiters.filter(fits));
        replace(name, kept);
      }
      size -= removed.length;
      return removed;
    },
  };
}
