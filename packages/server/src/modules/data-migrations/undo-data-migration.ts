import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { findDataMigration, lockDataMigration } from './data-migration.store.ts';
import { isFinal, type StoredDataMigration } from './data-migration.ts';
import { countImages } from './data-migration-outcomes.store.ts';
import { assertModerates, permitted } from './permit-data-migration.ts';
import { begin, type StartDeps } from './queue-data-migration.ts';
import { startMapping } from './start-data-migration.ts';

const dayMs = 86_400_000;

export interface UndoDeps extends StartDeps {
  /** A migration can be undone for this many days after its end. */
  readonly undoDays: number;
}

/**
 * Starts reverting a migration in the background; entities changed by others since stay. Undoing an undo maps the
 * restored entities again.
 * @throws AppError `not_found`, `invalid_request` while it runs, `not_undoable`, `migration_in_progress`
 */
export function undoDataMigration(deps: UndoDeps, actor: Actor, id: string): Promise<StoredDataMigration> {
  return deps.unitOfWork(actor, async (work) => {
    const migration = await finalMigration(work, id);
    if (migration.kind === 'wipe') {
      throw notUndoable('Deleted entities cannot be brought back. The audit log shows what they were.');
    }
    if (migration.kind === 'undo') return redo(deps, work, migration);
    if (work.now.getTime() - migration.updatedAt.getTime() > deps.undoDays * dayMs) {
      throw notUndoable(`A migration can be undone for ${deps.undoDays} days after its end. Write another migration.`);
    }
    return startUndoing(deps, work, migration);
  });
}

/**
 * Starts mapping again the entities that failed or were not reached.
 * @throws AppError `not_found`; `invalid_request` while it runs, and if nothing is left; `migration_in_progress`; as
 * `checkMapping` for the mapping today
 */
export function rerunDataMigration(deps: UndoDeps, actor: Actor, id: string): Promise<StoredDataMigration> {
  return deps.unitOfWork(actor, async (work) => {
    const migration = await finalMigration(work, id);
    if (migration.kind === 'wipe') throw refused('deleted entities: ask for that again with DELETE');
    if (migration.kind === 'undo') {
      return startUndoing(deps, work, await findOrigin(work, migration));
    }
    const { sourceBlueprint, mapping } = migration;
    const again = await startMapping(deps, work, sourceBlueprint, mapping as DataMigrationMapping, id);
    if (again.totalCount === 0) throw refused('has nothing left to do: every entity was mapped');
    return again;
  });
}

async function finalMigration({ tx, actor }: Work, id: string): Promise<StoredDataMigration> {
  const migration = permitted(actor, await lockDataMigration(tx, actor.orgId, id), id);
  if (isFinal(migration)) return migration;
  throw refused(`is ${migration.status}: wait until it ends, or cancel it`);
}

async function findOrigin({ tx, actor }: Work, { originId }: StoredDataMigration): Promise<StoredDataMigration> {
  return (await findDataMigration(tx, actor.orgId, originId as string)) as StoredDataMigration;
}

async function startUndoing(deps: StartDeps, work: Work, origin: StoredDataMigration): Promise<StoredDataMigration> {
  const { tx, actor } = work;
  const target = (await listBlueprintRows(tx, actor.orgId)).find(({ key }) => key === origin.targetKey);
  if (!target) throw notFound('Blueprint', origin.targetBlueprint ?? origin.sourceBlueprint);
  assertModerates(actor, [target.identifier]);
  const count = await countImages(tx, origin, null);
  if (count === 0) throw notUndoable('It changed nothing that is not undone already.');
  const { sourceBlueprint, blueprintKey, mapping } = origin;
  const begun = {
    kind: 'undo',
    sourceBlueprint,
    blueprintKey,
    targetBlueprint: target.identifier,
    targetKey: target.key,
    originId: origin.id,
    mapping,
    deleteBlueprint: false,
  } as const;
  return begin(deps, work, begun, () => Promise.resolve(count));
}

async function redo(deps: StartDeps, work: Work, undoing: StoredDataMigration): Promise<StoredDataMigration> {
  const origin = await findOrigin(work, undoing);
  const count = await countImages(work.tx, origin, undoing.id);
  if (count === 0) throw notUndoable('It brought nothing back, or that is too long ago. Write another migration.');
  const { sourceBlueprint, mapping } = origin;
  return startMapping(deps, work, sourceBlueprint, mapping as DataMigrationMapping, undoing.id);
}

function notUndoable(message: string): AppError {
  return new AppError('not_undoable', message);
}

function refused(message: string): AppError {
  return invalidRequest([{ path: '{path}/migration_id', message }], 'The migration');
}
