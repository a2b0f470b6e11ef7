import type { Presence } from '../platform/db/presence.types.ts';
import { AppError } from '../platform/errors.ts';

export interface Readiness {
  /** Why requests should go elsewhere, if they should; and whether they are held until the database is back. */
  look(): Promise<{ readonly problem: Error | undefined; readonly isHolding: boolean }>;
  /** From now on there is a problem. */
  stopServing(): void;
  isStopping(): boolean;
}

/** To take away every replica because the one database is away helps nobody: for so long requests are held instead. */
const holdMs = 30_000;

/**
 * Ready means: not stopping, and the database answers a question about its migrations over a connection of its own. The
 * server listens only after it has applied its own, so any applied migration will do; a newer replica may already have
 * applied more.
 */
export function createReadiness(presence: Presence, nowMs: () => number = () => performance.now()): Readiness {
  let isStopping = false;
  return {
    async look() {
      if (isStopping)
        return { problem: new AppError('service_unavailable', 'The server is stopping'), isHolding: false };
      const { absence, problem } = await presence.check();
      if (!absence) return { problem, isHolding: false };
      const isLong = nowMs() - absence.sinceMs >= holdMs;
      return { problem: isLong ? absence.error : undefined, isHolding: !isLong };
    },
    stopServing: () => {
      isStopping = true;
    },
    isStopping: () => isStopping,
  };
}
