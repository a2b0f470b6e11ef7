import type { Presence } from '../platform/db/presence.types.ts';
import { AppError } from '../platform/errors.ts';

export interface Readiness {
  /**
   * The reason to send requests elsewhere, if any. `holding`: requests wait until the database is back; `read-only`: the
   * database takes no writes.
   */
  look(): Promise<{ readonly problem: Error | undefined; readonly mode?: 'holding' | 'read-only' | undefined }>;
  stopServing(): void;
  /** Stands aside, or comes back. */
  setDraining(isDraining: boolean): void;
  /** Whether requests should go elsewhere. */
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
  let isDraining = false;
  return {
    async look() {
      if (isStopping) return { problem: new AppError('service_unavailable', 'The server is stopping') };
      if (isDraining) return { problem: new AppError('service_unavailable', 'The server is drained') };
      const { absence, problem } = await presence.check();
      if (!absence) return { problem, mode: presence.isReadOnly() ? 'read-only' : undefined };
      const isLong = nowMs() - absence.sinceMs >= holdMs;
      return isLong ? { problem: absence.error } : { problem: undefined, mode: 'holding' };
    },
    stopServing: () => {
      isStopping = true;
    },
    setDraining: (now) => {
      isDraining = now;
    },
    isStopping: () => isStopping || isDraining,
  };
}
