import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { AppError } from '../../platform/errors.ts';
import { writeRecords } from './write-records.ts';

/** A machine's refused write. */
export interface Failure {
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'OTHER';
  readonly resourceType: string;
  readonly identifier: string;
  readonly context: Readonly<Record<string, string>>;
  readonly error: AppError;
}

/**
 * Records refused writes of machine actors with status FAILURE, in a transaction of its own, since the refused one is
 * rolled back. Integrations run unattended, so the audit log is where their mistakes are found; people see theirs at
 * once, and those are not recorded.
 */
export type RecordFailures = (actor: Actor, failures: readonly Failure[]) => Promise<void>;

export function createFailureRecorder({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): RecordFailures {
  return async (actor, failures) => {
    if (actor.kind !== 'machine' || failures.length === 0) return;
    const entries = failures.map(({ error, ...failure }) => ({
      ...failure,
      event: `${failure.resourceType}.refused`,
      status: 'FAILURE' as const,
      message: error.message,
      additionalData: { error: error.code, ...(error.details === undefined ? {} : { details: error.details }) },
    }));
    await database.transaction((tx) => writeRecords(tx, actor, clock.now(), entries));
  };
}
