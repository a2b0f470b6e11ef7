import type { AppError } from '../errors.ts';

/** Somebody who waits for a place. */
export interface Waiter {
  /** Who it stands in line with. */
  readonly line: string;
  readonly sinceMs: number;
  readonly answer: (outcome: (() => void) | AppError) => void;
}

/** Those who wait for places of one class: a line for each organization, and each line in turn. */
export interface Line {
  size(): number;
  add(waiter: Waiter): void;
  /** The first of the line whose turn it is. */
  take(): Waiter | undefined;
  /** The last of the longest line, unless the line of the newcomer is as long. */
  lastOfLongest(newcomer: string): Waiter | undefined;
  remove(waiter: Waiter): void;
  /** Takes out, in the order of their lines, all that fit. */
  removeAll(fits: (waiter: Waiter) => boolean): readonly Waiter[];
}

export function createLine(): Line {
  // a map keeps the order in which keys came: the first is next, and goes to the end after its turn
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
