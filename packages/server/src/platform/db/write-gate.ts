import { DatabaseError } from './database-error.ts';

/** Lends writes a part of the pool: commits that wait for a standby leave the rest to reads. */
export interface WriteGate {
  /**
   * Resolves when the write may take a connection; undefined if it may at once.
   * @throws DatabaseError 53300 after `waitMs`, or at once while nothing ends and many wait already
   */
  enter(): Promise<void> | undefined;
  leave(): void;
  /** Counts anew from now on for how long nothing has ended: the database was away. */
  resume(): void;
}

export interface WriteGateOptions {
  readonly most: number;
  readonly waitMs: number;
  readonly limits?: Partial<typeof limitsDefault>;
  readonly nowMs?: () => number;
}

const limitsDefault = {
  /** When no write has ended for so long, nothing says that one will. */
  stalledMs: 2_000,
  /** How many are held then. With those under way they leave places of admission to reads. */
  stalledMax: 10,
};

export function createWriteGate({
  most,
  waitMs,
  limits,
  nowMs = () => performance.now(),
}: WriteGateOptions): WriteGate {
  const { stalledMs, stalledMax } = { ...limitsDefault, ...limits };
  const waiting = new Set<() => void>();
  let underWay = 0;
  let movedMs = 0;

  return {
    enter() {
      if (underWay < most) {
        if (underWay === 0) movedMs = nowMs();
        underWay += 1;
        return undefined;
      }
      if (waiting.size >= stalledMax && nowMs() - movedMs >= stalledMs) return Promise.reject(full(0));
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(patience);
          waiting.delete(begin);
          resolve();
        };
        const patience = setTimeout(() => {
          waiting.delete(begin);
          reject(full(waitMs));
        }, waitMs);
        waiting.add(begin);
      });
    },
    leave() {
      movedMs = nowMs();
      const [next] = waiting;
      // its connection goes on to the next
      if (next) next();
      else underWay -= 1;
    },
    resume() {
      movedMs = nowMs();
    },
  };
}

function full(waitedMs: number): DatabaseError {
  return new DatabaseError(`No write could begin within ${waitedMs} ms`, '53300');
}
