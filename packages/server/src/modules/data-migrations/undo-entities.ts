import { isDeepStrictEqual } from 'node:util';
import type { EntityBody } from '@portolan/contract/entities';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type EntityWrite, permitEntityDeletion } from '../access/index.ts';
import { findTeamsByKey } from '../accounts/index.ts';
import {
  blueprintProperties,
  blueprintRelations,
  holdBlueprint,
  listBlueprintRows,
  ownershipPath,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { type CatalogDeps, deleteWithin, writeEntities } from '../entities/index.ts';
import { lockEntitiesByKey, type StoredEntity } from '../entity-rows/index.ts';
import type { Progress } from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';
import {
  type EntityFailure,
  type Image,
  insertFailures,
  markUndone,
  nextImages,
  type WrittenState,
} from './data-migration-outcomes.store.ts';
import { entityFailure } from './entity-failure.ts';

/** Entities per transaction. */
const partSize = 200;

interface FoundImage {
  readonly image: Image;
  readonly entity: StoredEntity;
}

/**
 * Restores the next entities and deletes those the migration created. An entity deleted or written since stays, and
 * counts as failed.
 */
export async function undoPart(deps: CatalogDeps, work: Work, migration: StoredDataMigration): Promise<Progress> {
  const { tx, actor } = work;
  const known = (await listBlueprintRows(tx, actor.orgId)).find(({ key }) => key === migration.targetKey);
  const target = known && (await holdBlueprint(tx, actor.orgId, known.identifier));
  if (!target) throw notFound('Blueprint', migration.targetBlueprint ?? migration.sourceBlueprint);
  const images = await nextImages(tx, migration, partSize);
  const locked = await lockEntitiesByKey(
    tx,
    actor.orgId,
    images.map(({ entityKey }) => entityKey),
  );
  const entities = new Map(locked.map((entity) => [entity.key, entity]));
  const failures: EntityFailure[] = [];
  const found = images.flatMap((image): FoundImage[] => {
    const entity = entities.get(image.entityKey);
    const problem = findProblem(target, image, entity);
    if (problem) failures.push(entityFailure({ key: image.entityKey, identifier: image.identifier }, problem));
    return problem || !entity ? [] : [{ image, entity }];
  });
  const made = found.filter(({ image }) => image.before === null).map(({ entity }) => entity);
  const done = [
    ...(await restore(deps, work, target, found, failures)),
    ...(await remove(work, target, made, failures)),
  ];
  await markUndone(tx, migration, done);
  await insertFailures(tx, migration, failures);
  return {
    succeeded: done.length,
    failed: failures.length,
    message: failures.map(({ identifier, message }) => `${identifier}: ${message}`.slice(0, 1000)).at(-1),
    ...(images.length < partSize ? { status: 'COMPLETED' } : {}),
  };
}

function findProblem(target: StoredBlueprint, { identifier, version }: Image, entity: StoredEntity | undefined) {
  if (!entity) return notFound(`Entity of "${target.identifier}"`, identifier);
  if (entity.version === version) return undefined;
  const message = 'It was changed after the migration and is left as it is';
  return new AppError('stale_version', message, { details: { version: entity.version, migrated: version } });
}

/** Returns the keys of the restored entities. */
async function restore(
  deps: CatalogDeps,
  work: Work,
  target: StoredBlueprint,
  found: readonly FoundImage[],
  failures: EntityFailure[],
): Promise<number[]> {
  const changed = found.flatMap(({ image: { before }, entity }) => (before ? [{ before, entity }] : []));
  const teams = await livingTeams(
    work,
    changed.flatMap(({ before }) => before.ownTeamRefs),
  );
  const items = changed.map(({ before, entity }) => itemBack(target, before, entity, teams));
  const options = { mode: 'merge', expects: 'existing', createMissingRelated: false } as const;
  const outcomes = await writeEntities(deps, work, target, items, options);
  return outcomes.flatMap((outcome, index) => {
    const { entity } = changed[index] as (typeof changed)[number];
    if ('entity' in outcome) return [entity.key];
    failures.push(entityFailure(entity, outcome.error));
    return [];
  });
}

/** Unresolved names stay; teams deleted since are left out. */
async function livingTeams({ tx, actor }: Work, references: readonly string[]) {
  const rows = await findTeamsByKey(tx, actor.orgId, [...new Set(references)]);
  const keys = new Set(rows.map(({ key }) => key));
  return (reference: string): boolean => reference.startsWith('?') || keys.has(reference);
}

/** Only changed members that the blueprint still has. */
function itemBack(
  target: StoredBlueprint,
  before: WrittenState,
  entity: StoredEntity,
  isLiving: (reference: string) => boolean,
): EntityWrite {
  const teamRefs = before.ownTeamRefs.filter(isLiving);
  const keepsTeams = ownershipPath(target.definition) !== undefined || isDeepStrictEqual(teamRefs, entity.ownTeamRefs);
  const relations = differing(before.relations, entity.relations, blueprintRelations(target));
  const body: EntityBody & { readonly identifier: string } = {
    identifier: entity.identifier,
    ...(before.title === entity.title ? {} : { title: before.title }),
    ...(before.icon === entity.icon ? {} : { icon: before.icon }),
    properties: differing(
      before.properties,
      entity.properties,
      blueprintProperties(target),
    ) as EntityBody['properties'],
    relations: relations as EntityBody['relations'],
  };
  return { target: entity.identifier, body, ...(keepsTeams ? {} : { teamRefs }) };
}

function differing(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return Object.fromEntries(
    [...keys]
      .filter((key) => Object.hasOwn(known, key) && !isDeepStrictEqual(before[key], now[key]))
      .map((key) => [key, before[key] ?? null]),
  );
}

/** Deletes created entities together, or, if another entity requires one of them, each that is not required. */
async function remove(
  work: Work,
  target: StoredBlueprint,
  made: readonly StoredEntity[],
  failures: EntityFailure[],
): Promise<number[]> {
  const refusals = await permitEntityDeletion(work, target, made, 'undone');
  const permitted = made.filter((entity) => {
    const refusal = refusals.get(entity.key);
    if (refusal) failures.push(entityFailure(entity, refusal));
    return !refusal;
  });
  if (permitted.length === 0) return [];
  if (!(await refusalToDelete(work, permitted))) return permitted.map(({ key }) => key);
  const gone: number[] = [];
  for (const entity of permitted) {
    const refusal = await refusalToDelete(work, [entity]);
    if (refusal) failures.push(entityFailure(entity, refusal));
    else gone.push(entity.key);
  }
  return gone;
}

/** Checks before the first write; returns the refusal if another entity requires one of them. */
async function refusalToDelete(work: Work, entities: readonly StoredEntity[]): Promise<AppError | undefined> {
  try {
    await deleteWithin(work, entities, false);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'has_dependents') return error;
    throw error;
  }
}
