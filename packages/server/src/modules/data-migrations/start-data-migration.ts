import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import type { Actor } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  assertUnused,
  blueprintRelations,
  holdBlueprint,
  listBlueprintRows,
  lockBlueprint,
  type StoredBlueprint,
  setDeletion,
} from '../blueprints/index.ts';
import { assertWipeable } from '../entities/index.ts';
import { ofBlueprint } from '../entity-query/index.ts';
import { allOf, countEntityRows } from '../entity-rows/index.ts';
import { checkMapping } from './check-mapping.ts';
import type { StoredDataMigration } from './data-migration.ts';
import { migrationScope } from './migration-scope.sql.ts';
import { begin, type StartDeps } from './queue-data-migration.ts';

/**
 * Starts deleting all entities of a blueprint in the background. With `deleteBlueprint` the blueprint follows, and
 * refuses writes from now on.
 * @throws AppError `not_found`; `has_dependents` if a relation of another blueprint requires these entities, or, with
 * `deleteBlueprint`, points here at all; `wipe_refused`; `migration_in_progress`
 */
export function deleteAllEntities(
  deps: StartDeps,
  actor: Actor,
  identifier: string,
  deleteBlueprint: boolean,
): Promise<StoredDataMigration> {
  return deps.unitOfWork(actor, async (work) => {
    // the lock waits for current writers, whose entities are deleted too; later writers are refused
    const take = deleteBlueprint ? lockBlueprint : holdBlueprint;
    const blueprint = await take(work.tx, actor.orgId, identifier);
    if (!blueprint) throw notFound('Blueprint', identifier);
    assertWipeable(blueprint);
    await assertNotRequired(work, blueprint);
    if (deleteBlueprint) await assertUnused(work, blueprint);
    const begun = {
      kind: 'wipe',
      sourceBlueprint: blueprint.identifier,
      blueprintKey: blueprint.key,
      targetBlueprint: null,
      targetKey: null,
      originId: null,
      mapping: {},
      deleteBlueprint,
    } as const;
    const migration = await begin(deps, work, begun, () =>
      countEntityRows(work.tx, actor.orgId, ofBlueprint(blueprint.key)),
    );
    if (deleteBlueprint && blueprint.deletionId === null) {
      await setDeletion(work.tx, actor.orgId, blueprint.key, migration.id);
    }
    return migration;
  });
}

/** @throws AppError `has_dependents` naming the blueprints whose entities require these */
export async function assertNotRequired({ tx, actor }: Work, { identifier, key }: StoredBlueprint): Promise<void> {
  const requiring = (await listBlueprintRows(tx, actor.orgId)).filter(
    (other) =>
      other.key !== key &&
      Object.values(blueprintRelations(other)).some((relation) => relation.required && relation.target === identifier),
  );
  if (requiring.length === 0) return;
  const names = requiring.map((other) => other.identifier);
  const message = `Entities of the blueprint "${identifier}" are required by relations of: ${names.join(', ')}`;
  throw new AppError('has_dependents', message, { details: { blueprints: names } });
}

/**
 * Starts mapping all entities of a blueprint in the background.
 * @throws AppError as `checkMapping`; `migration_in_progress`
 */
export function startDataMigration(
  deps: StartDeps,
  actor: Actor,
  identifier: string,
  mapping: DataMigrationMapping,
): Promise<StoredDataMigration> {
  return deps.unitOfWork(actor, (work) => startMapping(deps, work, identifier, mapping, null));
}

/** Within the caller's transaction. `originId` reruns what that migration left. */
export async function startMapping(
  deps: Pick<StartDeps, 'runJob'>,
  work: Work,
  identifier: string,
  mapping: DataMigrationMapping,
  originId: string | null,
): Promise<StoredDataMigration> {
  const { source, target } = await checkMapping(work, identifier, mapping);
  const begun = {
    kind: 'map',
    sourceBlueprint: source.identifier,
    blueprintKey: source.key,
    targetBlueprint: target.identifier,
    targetKey: target.key,
    originId,
    mapping,
    deleteBlueprint: false,
  } as const;
  return begin(deps, work, begun, async (stored) => {
    const condition = allOf([ofBlueprint(source.key), await migrationScope(work.tx, stored)]);
    return countEntityRows(work.tx, work.actor.orgId, condition);
  });
}
