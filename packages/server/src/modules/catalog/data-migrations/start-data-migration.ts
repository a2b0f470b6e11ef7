import type { DataMigrationMapping } from '@portolan/contract';
import { compile, JqError, replaceSingleQuotes } from '@portolan/jq';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import {
  assertUnused,
  findBlueprint,
  holdBlueprint,
  listBlueprintRows,
  relationsOf,
  type StoredBlueprint,
} from '../../blueprints/index.ts';
import { assertDeletable } from '../managed-entities.ts';
import { insertDataMigration, lockDataMigration, updateDataMigration } from './data-migration.store.ts';
import { isFinal, type StoredDataMigration } from './data-migration.ts';
import { targetNameOf } from './map-entities.ts';
import type { RunDataMigration } from './run-data-migration.ts';

export interface StartDeps {
  readonly unitOfWork: UnitOfWork;
  readonly runJob: RunDataMigration;
}

/**
 * Begins to delete all entities of a blueprint in the background, and with `deleteBlueprint` the blueprint after them.
 * @throws AppError `not_found`; `has_dependents` if a relation of another blueprint requires these entities, or, with
 * `deleteBlueprint`, points here at all; `managed_field` for what the platform keeps
 */
export function deleteAllEntities(
  { unitOfWork, runJob }: StartDeps,
  actor: Actor,
  identifier: string,
  deleteBlueprint: boolean,
): Promise<StoredDataMigration> {
  return unitOfWork(actor, async (work) => {
    const blueprint = await holdBlueprint(work.tx, actor.orgId, identifier);
    if (!blueprint) throw notFound('Blueprint', identifier);
    assertDeletable(actor, blueprint);
    await assertNotRequired(work, blueprint);
    if (deleteBlueprint) await assertUnused(work, blueprint);
    return begin({ runJob }, work, blueprint, 'wipe', {}, deleteBlueprint);
  });
}

/** @throws AppError `has_dependents` naming the blueprints whose entities require these */
export async function assertNotRequired({ tx, actor }: Work, { identifier, key }: StoredBlueprint): Promise<void> {
  const requiring = (await listBlueprintRows(tx, actor.orgId)).filter(
    (other) =>
      other.key !== key &&
      Object.values(relationsOf(other)).some((relation) => relation.required && relation.target === identifier),
  );
  if (requiring.length === 0) return;
  const names = requiring.map((other) => other.identifier);
  const message = `Entities of the blueprint "${identifier}" are required by relations of: ${names.join(', ')}`;
  throw new AppError('has_dependents', message, { details: { blueprints: names } });
}

/**
 * Begins to map all entities of a blueprint to entities, in the background.
 * @throws AppError `not_found` for the source or the target; `invalid_request` with every expression that is not JQ
 */
export function startDataMigration(
  { unitOfWork, runJob }: StartDeps,
  actor: Actor,
  identifier: string,
  mapping: DataMigrationMapping,
): Promise<StoredDataMigration> {
  return unitOfWork(actor, async (work) => {
    const blueprint = await holdBlueprint(work.tx, actor.orgId, identifier);
    if (!blueprint) throw notFound('Blueprint', identifier);
    const issues = expressionsOf(mapping).flatMap(([path, expression]) => {
      const message = problemOf(expression);
      return message === undefined ? [] : [{ path: `/mapping${path}`, message }];
    });
    if (issues.length > 0) throw invalidRequest(issues, 'The mapping');
    const target = targetNameOf(mapping, identifier);
    if (!(await findBlueprint(work.tx, actor.orgId, target))) throw notFound('Blueprint', target);
    return begin({ runJob }, work, blueprint, 'map', mapping, false);
  });
}

function expressionsOf({ filter, itemsToParse, entity }: DataMigrationMapping): [string, string][] {
  const { properties, relations, ...texts } = entity;
  const found: [string, string | undefined][] = [
    ['/filter', filter],
    ['/itemsToParse', itemsToParse],
    ...Object.entries(texts).map(([key, text]): [string, string | undefined] => [`/entity/${key}`, text]),
    ...Object.entries(properties ?? {}).map(([key, text]): [string, string] => [`/entity/properties/${key}`, text]),
    ...Object.entries(relations ?? {}).map(([key, text]): [string, string] => [`/entity/relations/${key}`, text]),
  ];
  return found.filter((each): each is [string, string] => each[1] !== undefined);
}

function problemOf(expression: string): string | undefined {
  try {
    compile(replaceSingleQuotes(expression));
    return undefined;
  } catch (error) {
    if (error instanceof JqError) return `is not a usable JQ expression: ${error.message}`;
    throw error;
  }
}

async function begin(
  { runJob }: Pick<StartDeps, 'runJob'>,
  work: Work,
  blueprint: StoredBlueprint,
  kind: StoredDataMigration['kind'],
  mapping: StoredDataMigration['mapping'],
  deleteBlueprint: boolean,
): Promise<StoredDataMigration> {
  const { orgId, model: _model, ...actor } = work.actor;
  const migration = await insertDataMigration(work.tx, {
    orgId,
    id: newId('m_'),
    kind,
    sourceBlueprint: blueprint.identifier,
    blueprintKey: blueprint.key,
    mapping,
    deleteBlueprint,
    actor,
    createdAt: work.now,
  });
  await work.enqueue(runJob, { migrationId: migration.id });
  return migration;
}

/**
 * Asks a migration to stop; it does after the entities it is working on. One that is finished cannot be stopped.
 * @throws AppError `not_found`, `invalid_request`
 */
export function cancelDataMigration(
  { unitOfWork, runJob }: StartDeps,
  actor: Actor,
  id: string,
  reason: string | undefined,
): Promise<StoredDataMigration> {
  return unitOfWork(actor, async (work) => {
    const migration = await lockDataMigration(work.tx, actor.orgId, id);
    if (!migration) throw notFound('Migration', id, 'id');
    if (isFinal(migration)) {
      throw invalidRequest(
        [{ path: '{path}/migration_id', message: `is ${migration.status} already` }],
        'The migration',
      );
    }
    await work.enqueue(runJob, { migrationId: id });
    const progress = { status: 'PENDING_CANCELLATION', message: reason } as const;
    return updateDataMigration(work.tx, migration, progress, work.now);
  });
}
