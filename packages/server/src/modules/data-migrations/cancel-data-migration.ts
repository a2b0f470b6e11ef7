import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { lockDataMigration, updateDataMigration } from './data-migration.store.ts';
import { isFinal, type StoredDataMigration } from './data-migration.ts';
import { permitted } from './permit-data-migration.ts';
import type { StartDeps } from './queue-data-migration.ts';
import { recordDataMigration } from './record-data-migration.ts';

/**
 * Stops a migration after its current part.
 * @throws AppError `not_found`, `invalid_request` if it has ended
 */
export function cancelDataMigration(
  { unitOfWork, runJob }: StartDeps,
  actor: Actor,
  id: string,
  reason: string | undefined,
): Promise<StoredDataMigration> {
  return unitOfWork(actor, async (work) => {
    const migration = permitted(actor, await lockDataMigration(work.tx, actor.orgId, id), id);
    if (isFinal(migration)) {
      throw invalidRequest(
        [{ path: '{path}/migration_id', message: `is ${migration.status} already` }],
        'The migration',
      );
    }
    await work.enqueue(runJob, { migrationId: id });
    const progress = { status: 'PENDING_CANCELLATION', message: reason, reason } as const;
    const after = await updateDataMigration(work.tx, migration, progress, work.now);
    if (migration.status !== 'PENDING_CANCELLATION') recordDataMigration(work, 'UPDATE', migration, after);
    return after;
  });
}
