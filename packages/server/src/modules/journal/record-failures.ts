import type { AuditResource } from '@portolan/contract/audit';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { AppError } from '../../platform/errors.ts';
import { writeRecords } from './write-records.ts';

export interface Failure {
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'OTHER';
  readonly resourceType: AuditResource;
  readonly identifier: string;
  readonly context: Readonly<Record<string, string>>;
  readonly error: AppError;
}

/**
 * Records refused writes of machines with status FAILURE in a separate transaction, because that of the write is rolled
 * back. Integrations run unattended, so their mistakes are found in the audit log; people see theirs at once, so those
 * are not recorded.
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
