import { scopesCover } from '@portolan/contract/scopes';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { insufficientScope } from '../../platform/scopes.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import {
  findGoingOn,
  insertDataMigration,
  lockBlueprintMigrations,
  type NewDataMigration,
  type Progress,
  updateDataMigration,
} from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';
import { recordDataMigration } from './record-data-migration.ts';
import type { RunDataMigration } from './run-data-migration.types.ts';

export interface StartDeps {
  readonly unitOfWork: UnitOfWork;
  readonly runJob: RunDataMigration;
}

/** Scopes a restricted token needs beside those of migrations: a migration writes no more than its author could. */
const scopesFor: Readonly<Record<QueuedMigration['kind'], readonly string[]>> = {
  wipe: ['delete:entities'],
  map: ['create:entities', 'update:entities', 'delete:entities'],
  undo: ['create:entities', 'update:entities', 'delete:entities'],
};

type QueuedMigration = Omit<NewDataMigration, 'orgId' | 'id' | 'actor' | 'createdAt'>;

/**
 * Stores a migration and queues its job. One at a time per blueprint; a repeated wipe is allowed, since it disturbs
 * nothing.
 * @throws AppError `migration_in_progress`, `insufficient_scope`
 */
export async function begin(
  { runJob }: Pick<StartDeps, 'runJob'>,
  work: Work,
  begun: QueuedMigration,
  countAll: (begun: StoredDataMigration) => Promise<number>,
): Promise<StoredDataMigration> {
  const { orgId, model: _model, ...actor } = work.actor;
  for (const scope of scopesFor[begun.kind]) if (!scopesCover(actor.scopes, scope)) throw insufficientScope(scope);
  const keys = begun.targetKey === null ? [begun.blueprintKey] : [begun.blueprintKey, begun.targetKey];
  await lockBlueprintMigrations(work.tx, orgId, keys);
  const other = await findGoingOn(work.tx, orgId, begun);
  if (other && !(other.kind === 'wipe' && begun.kind === 'wipe')) {
    const message = `The migration "${other.id}" is working on the blueprint "${other.sourceBlueprint}". Wait until it ends, or cancel it.`;
    throw new AppError('migration_in_progress', message, { details: { migrationId: other.id } });
  }
  const stored = await insertDataMigration(work.tx, {
    ...begun,
    orgId,
    id: newId('m_'),
    actor,
    createdAt: work.now,
  });
  const progress: Progress = { total: await countAll(stored) };
  const migration = await updateDataMigration(work.tx, stored, progress, work.now);
  await work.enqueue(runJob, { migrationId: migration.id });
  recordDataMigration(work, 'CREATE', undefined, migration);
  return migration;
}
