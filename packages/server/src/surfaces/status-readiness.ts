import type { Presence } from '../platform/db/presence.types.ts';
import { AppError } from '../platform/errors.ts';

export interface Readiness {
  /** The reason to send requests elsewhere, if any; and whether requests are held until the database is back. */
  look(): Promise<{ readonly problem: Error | undefined; readonly isHolding: boolean }>;
  stopServing(): void;
  isStopping(): boolean;
}

/** All replicas share one database, so removing them all from service would not help: requests are held this long. */
const holdMs = 30_000;

/**
 * Ready means: not stopping, and the database answers a query on its migrations over a dedicated connection. Any
 * applied migration is fine: the server listens only after applying its own, and a newer replica may have applied more.
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
