import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { rehearse } from '../../platform/rehearse.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { hiddenTargets, openEntityDeletion, permitEntityDeletion, visibleAmong } from '../access/index.ts';
import {
  blueprintRelations,
  holdBlueprint,
  listBlueprintRows,
  resultTargets,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { type ChangedEntity, recomputeDerived } from '../derived/index.ts';
import { transactionReader } from '../entity-query/index.ts';
import {
  assertVersion,
  type Dependent,
  deleteEntityRows,
  type ExpectedVersion,
  entityMissing,
  findEntitiesByKey,
  listEdges,
  lockDependents,
  lockEntities,
  lockToDelete,
  rewriteRelationValues,
  type StoredEntity,
} from '../entity-rows/index.ts';
import { removeUsersAndTeams } from '../people-sync/index.ts';
import { deleteScorecardsOfEntities } from '../scorecard-changes/index.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { assertDeletable } from './managed-entities.ts';
import { recordEntity } from './record-entity.ts';

export interface DeleteOptions {
  readonly deleteDependents: boolean;
  /** For one entity. */
  readonly expectedVersion?: ExpectedVersion | undefined;
  /** One client writes a blank in a path as `+` (api contract §1.1): tried if the literal does not exist. */
  readonly isFromPath?: boolean;
  /** Writes what has to be kept together with the deletion, in its transaction; what it throws takes both back. */
  readonly also?: (work: Work) => Promise<void>;
}

/**
 * Deletes entities of one blueprint, all or none. An entity that others require blocks the deletion unless
 * `deleteDependents`, which takes those along, and theirs; relations that are not required lose the value.
 * @throws AppError `not_found`, `has_dependents`, `missing_permissions`, `managed_field`, `stale_version`,
 * `deletion_needs_confirmation`
 */
export async function deleteEntities(
  { unitOfWork, guardDeletions, assertRun }: CatalogDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifiers: readonly string[],
  options: DeleteOptions,
): Promise<string[]> {
  const outcome = await unitOfWork(actor, async (work) => {
    await assertRun(work);
    const { wanted, deletions, taken } = await findDeletions(work, blueprintIdentifier, identifiers, options);
    const refusal = await guardDeletions?.(work, deletions.length - taken);
    if (refusal) return refusal;
    await removeEntities(work, deletions);
    await options.also?.(work);
    return wanted;
  });
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** What `deleteEntities` would delete, and what would still lead there. Same refusals, nothing written. */
export function rehearseDeletion(
  { unitOfWork }: Pick<CatalogDeps, 'unitOfWork'>,
  actor: Actor,
  blueprintIdentifier: string,
  identifiers: readonly string[],
  options: DeleteOptions,
): Promise<{ readonly deletions: readonly StoredEntity[]; readonly pointing: readonly Dependent[] }> {
  return rehearse(unitOfWork, actor, async (work) => {
    const { deletions } = await findDeletions(work, blueprintIdentifier, identifiers, options);
    const keys = new Set(deletions.map(({ key }) => key));
    const held = heldByRules(await listBlueprintRows(work.tx, actor.orgId));
    const pointing = await lockDependents(work.tx, actor.orgId, [...keys], held);
    return { deletions, pointing: pointing.filter(({ sourceKey }) => !keys.has(sourceKey)) };
  });
}

/** `deleteEntities` within the caller's unit of work, where no integration deletes. */
export async function deleteEntitiesWithin(
  work: Work,
  blueprintIdentifier: string,
  identifiers: readonly string[],
  options: DeleteOptions,
): Promise<string[]> {
  const { wanted, deletions } = await findDeletions(work, blueprintIdentifier, identifiers, options);
  await removeEntities(work, deletions);
  return wanted;
}

/** Locks what is named and what goes along with it, if the caller may delete all of it. */
async function findDeletions(
  work: Work,
  blueprintIdentifier: string,
  identifiers: readonly string[],
  options: DeleteOptions,
): Promise<{ readonly wanted: string[]; readonly deletions: readonly StoredEntity[]; readonly taken: number }> {
  const { tx, actor } = work;
  const blueprint = await holdBlueprint(tx, actor.orgId, blueprintIdentifier);
  if (!blueprint) throw notFound('Blueprint', blueprintIdentifier);
  openEntityDeletion(actor, blueprint);
  assertDeletable(actor, blueprint);
  const wanted = await resolveIdentifiers(work, blueprint, identifiers, options);
  const found = await lockEntities(tx, actor.orgId, blueprint.key, wanted);
  const refusals = await permitEntityDeletion(work, blueprint, found, 'named');
  const locked = new Map(found.map((entity) => [entity.identifier, entity]));
  for (const identifier of wanted) {
    const entity = locked.get(identifier);
    const refusal = entity ? refusals.get(entity.key) : entityMissing(blueprint, identifier);
    if (refusal) throw refusal;
    assertVersion(options.expectedVersion, entity);
  }
  const { deletions, taken } = await collectDeletions(work, found, options.deleteDependents);
  return { wanted, deletions, taken };
}

/** Deletes locked entities within the caller's unit of work. @throws AppError as `deleteEntities` */
export async function deleteWithin(
  work: Work,
  found: readonly StoredEntity[],
  deleteDependents: boolean,
): Promise<number> {
  const { deletions, taken } = await collectDeletions(work, found, deleteDependents);
  await removeEntities(work, deletions);
  return deletions.length - taken;
}

async function resolveIdentifiers(
  work: Work,
  blueprint: StoredBlueprint,
  identifiers: readonly string[],
  { isFromPath }: DeleteOptions,
): Promise<string[]> {
  const wanted = [...new Set(identifiers)];
  const [only = ''] = wanted;
  if (!isFromPath || !only.includes('+')) return wanted;
  const { tx, actor } = work;
  const blank = only.replaceAll('+', ' ');
  const either = await lockEntities(tx, actor.orgId, blueprint.key, [only, blank]);
  // the refusal of one that may not be seen is worded as if neither was there
  const found = await visibleAmong(work, blueprint, either);
  return found.some(({ identifier }) => identifier === only) || found.length === 0 ? wanted : [blank];
}

/**
 * The entities and, if asked, all that require them, over any number of steps. The rules of a scorecard and the results of
 * an entity go along unasked: they are the platform's, and `taken` of them are. Results of rules are left to their job.
 */
async function collectDeletions(work: Work, found: readonly StoredEntity[], deleteDependents: boolean) {
  const { tx, actor } = work;
  const blueprints = new Map((await listBlueprintRows(tx, actor.orgId)).map((each) => [each.identifier, each]));
  const byKey = new Map([...blueprints.values()].map((each) => [each.key, each]));
  let taken = 0;
  const deletions = new Map(found.map((entity) => [entity.key, entity]));
  let frontier = [...deletions.keys()];
  while (frontier.length > 0) {
    await lockToDelete(tx, actor.orgId, frontier);
    const pointing = (await lockDependents(tx, actor.orgId, frontier, heldByRules(blueprints.values()))).filter(
      ({ sourceKey }) => !deletions.has(sourceKey),
    );
    const along = pointing.filter(({ sourceBlueprint, relation }) =>
      goesAlong(blueprints.get(sourceBlueprint), relation),
    );
    const dependents = pointing.filter(
      (each) => !along.includes(each) && isRequired(blueprints.get(each.sourceBlueprint), each.relation),
    );
    if (dependents.length > 0 && !deleteDependents) throw await hasDependents(work, dependents, blueprints);
    const next = await findEntitiesByKey(tx, actor.orgId, [...new Set(dependents.map(({ sourceKey }) => sourceKey))]);
    const own = await findEntitiesByKey(tx, actor.orgId, [...new Set(along.map(({ sourceKey }) => sourceKey))]);
    for (const [blueprintKey, entities] of groupBy(next, (entity) => entity.blueprintKey)) {
      const blueprint = byKey.get(blueprintKey) as StoredBlueprint;
      const refusals = await permitEntityDeletion(work, blueprint, entities, 'required');
      for (const { key } of entities) {
        const refusal = refusals.get(key);
        if (refusal) throw refusal;
        assertDeletable(actor, blueprint);
      }
    }
    if (own.length > 0) {
      await lockToDelete(
        tx,
        actor.orgId,
        own.map(({ key }) => key),
      );
    }
    for (const entity of [...next, ...own]) deletions.set(entity.key, entity);
    taken += own.length;
    frontier = [...next, ...own.filter(({ blueprintKey }) => byKey.get(blueprintKey)?.identifier === '_rule')].map(
      ({ key }) => key,
    );
  }
  return { deletions: [...deletions.values()], taken };
}

/** Rules of a scorecard, and results of an entity. */
function goesAlong(blueprint: StoredBlueprint | undefined, relation: string): boolean {
  if (!blueprint) return false;
  return (
    (blueprint.identifier === '_rule' && relation === 'scorecard') || Object.hasOwn(resultTargets(blueprint), relation)
  );
}

/** Results may be very many of a rule: whoever deletes a rule does not wait for them. */
function heldByRules(blueprints: Iterable<StoredBlueprint>) {
  const results = [...blueprints].find(({ identifier }) => identifier === '_rule_result');
  return results && { blueprintKey: results.key, relation: 'rule' };
}

function isRequired(blueprint: StoredBlueprint | undefined, relation: string): boolean {
  return blueprint ? (blueprintRelations(blueprint)[relation]?.required ?? false) : false;
}

/** Names up to ten of those that block and that the caller may see. */
async function hasDependents(
  work: Work,
  dependents: readonly Dependent[],
  blueprints: ReadonlyMap<string, StoredBlueprint>,
): Promise<AppError> {
  const rows = dependents.map(({ sourceKey, sourceBlueprint }) => ({
    key: sourceKey,
    blueprintKey: (blueprints.get(sourceBlueprint) as StoredBlueprint).key,
  }));
  const hidden = await hiddenTargets(transactionReader(work), work.actor, rows);
  const shown = dependents
    .filter(({ sourceKey }) => !hidden.has(sourceKey))
    .slice(0, 10)
    .map(({ sourceBlueprint, sourceIdentifier }) => `${sourceBlueprint}/${sourceIdentifier}`);
  const names = [...shown, ...(hidden.size > 0 ? ['some that you may not see'] : [])].join(', ');
  const message = `Other entities require it: ${names}. Delete them too with delete_dependents=true.`;
  return new AppError('has_dependents', message, { details: { dependents: shown } });
}

/**
 * Deletes locked entities, whoever requires them; relations that lead to them lose the value. What they stood for
 * elsewhere goes too.
 */
export async function removeEntities(work: Work, deletions: readonly StoredEntity[]): Promise<void> {
  if (deletions.length === 0) return;
  const { tx, actor } = work;
  const blueprints = new Map((await listBlueprintRows(tx, actor.orgId)).map((each) => [each.key, each]));
  const keys = deletions.map(({ key }) => key);
  const going = new Set(keys);
  const pointing = (await lockDependents(tx, actor.orgId, keys, heldByRules(blueprints.values()))).filter(
    ({ sourceKey }) => !going.has(sourceKey),
  );
  const identifierOf = new Map(deletions.map(({ key, identifier }) => [key, identifier]));
  for (const [targetKey, dependents] of groupBy(pointing, (dependent) => dependent.targetKey)) {
    await rewriteRelationValues(tx, actor.orgId, dependents, identifierOf.get(targetKey) as string, null);
  }
  const edges = await listEdges(tx, actor.orgId, keys);
  await deleteEntityRows(tx, actor.orgId, keys);
  const disowned: ChangedEntity[] = [];
  for (const [blueprintKey, entities] of groupBy(deletions, (entity) => entity.blueprintKey)) {
    const blueprint = blueprints.get(blueprintKey) as StoredBlueprint;
    for (const entity of entities) recordEntity(work, blueprint, entity, undefined);
    disowned.push(...(await removeUsersAndTeams(work, blueprint.identifier, entities)));
  }
  await deleteScorecardsOfEntities(work, blueprints, deletions);
  const unlinked = pointing.map(({ sourceKey, sourceBlueprintKey, relation }) => ({
    blueprintKey: sourceBlueprintKey,
    key: sourceKey,
    names: new Set([relation]),
  }));
  await recomputeDerived(work, {
    entities: [...unlinked, ...disowned],
    edges: edges.filter(({ targetKey }) => !going.has(targetKey)),
    teams: deletions.map(({ blueprintKey, teamRefs }) => ({ blueprintKey, references: teamRefs })),
  });
}
