import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdBlueprint, listBlueprintRows, relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { authorise } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { loadPlans } from './derived/load-plans.ts';
import { type Changed, refreshDerived, teamsCounting } from './derived/refresh-derived.ts';
import { deleteEntityRows, findEntitiesByKey, lockEntities, lockEntitiesToDelete } from './entity.store.ts';
import type { StoredEntity } from './entity.ts';
import { entityMissing } from './errors.ts';
import { assertDeletable } from './managed-entities.ts';
import { forgetPeople } from './people.ts';
import { recordEntity } from './record-entity.ts';
import { type Dependent, followedBy, lockDependents, rewriteRelationValues } from './relation.store.ts';

/**
 * Deletes entities of one blueprint, all or none. An entity that others require blocks the deletion unless
 * `deleteDependents`, which takes those along, and theirs; relations that are not required lose the value.
 * @throws AppError `not_found`, `has_dependents`, `missing_permissions`, `managed_field`
 */
export function deleteEntities(
  { unitOfWork }: CatalogDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifiers: readonly string[],
  deleteDependents: boolean,
): Promise<string[]> {
  return unitOfWork(actor, async (work) => {
    const blueprint = await holdBlueprint(work.tx, actor.orgId, blueprintIdentifier);
    if (!blueprint) throw notFound('Blueprint', blueprintIdentifier);
    authorise(actor, 'unregister', blueprint);
    assertDeletable(actor, blueprint);
    const wanted = [...new Set(identifiers)];
    const found = await lockEntities(work.tx, actor.orgId, blueprint.key, wanted);
    const missing = wanted.find((identifier) => !found.some((entity) => entity.identifier === identifier));
    if (missing !== undefined) throw entityMissing(blueprint, missing);
    const going = await lockEntitiesToDelete(
      work.tx,
      actor.orgId,
      found.map(({ key }) => key),
    );
    const doomed = await collectDoomed(work, going, deleteDependents);
    await remove(work, [...doomed.values()]);
    return wanted;
  });
}

/** The entities and, if asked, all that require them, over any number of steps. */
async function collectDoomed(work: Work, found: readonly StoredEntity[], deleteDependents: boolean) {
  const { tx, actor } = work;
  const blueprints = new Map((await listBlueprintRows(tx, actor.orgId)).map((each) => [each.identifier, each]));
  const doomed = new Map(found.map((entity) => [entity.key, entity]));
  let frontier = [...doomed.keys()];
  while (frontier.length > 0) {
    const dependents = (await lockDependents(tx, actor.orgId, frontier)).filter(
      ({ sourceKey, sourceBlueprint, relation }) =>
        !doomed.has(sourceKey) && isRequired(blueprints.get(sourceBlueprint), relation),
    );
    if (dependents.length > 0 && !deleteDependents) throw hasDependents(dependents);
    for (const name of new Set(dependents.map(({ sourceBlueprint }) => sourceBlueprint))) {
      const blueprint = blueprints.get(name) as StoredBlueprint;
      authorise(actor, 'unregister', blueprint);
      assertDeletable(actor, blueprint);
    }
    const requiring = [...new Set(dependents.map(({ sourceKey }) => sourceKey))];
    const next = await lockEntitiesToDelete(tx, actor.orgId, requiring);
    for (const entity of next) doomed.set(entity.key, entity);
    frontier = next.map(({ key }) => key);
  }
  return doomed;
}

function isRequired(blueprint: StoredBlueprint | undefined, relation: string): boolean {
  return blueprint ? (relationsOf(blueprint)[relation]?.required ?? false) : false;
}

function hasDependents(dependents: readonly Dependent[]): AppError {
  const shown = dependents
    .slice(0, 10)
    .map(({ sourceBlueprint, sourceIdentifier }) => `${sourceBlueprint}/${sourceIdentifier}`);
  return new AppError(
    'has_dependents',
    `Other entities require it: ${shown.join(', ')}. Delete them too with delete_dependents=true.`,
    {
      details: { dependents: shown },
    },
  );
}

async function remove(work: Work, doomed: readonly StoredEntity[]): Promise<void> {
  const { tx, actor } = work;
  const keys = doomed.map(({ key }) => key);
  const going = new Set(keys);
  const pointing = (await lockDependents(tx, actor.orgId, keys)).filter(({ sourceKey }) => !going.has(sourceKey));
  const identifierOf = new Map(doomed.map(({ key, identifier }) => [key, identifier]));
  for (const [targetKey, dependents] of groupBy(pointing, (dependent) => dependent.targetKey)) {
    await rewriteRelationValues(tx, actor.orgId, dependents, identifierOf.get(targetKey) as string, null);
  }
  const counted = (await followedBy(tx, actor.orgId, keys)).filter(({ key }) => !going.has(key));
  await deleteEntityRows(tx, actor.orgId, keys);
  const blueprints = new Map((await listBlueprintRows(tx, actor.orgId)).map((each) => [each.key, each]));
  for (const [blueprintKey, entities] of groupBy(doomed, (entity) => entity.blueprintKey)) {
    const blueprint = blueprints.get(blueprintKey) as StoredBlueprint;
    for (const entity of entities) recordEntity(work, blueprint, entity, undefined);
    await forgetPeople(
      work,
      blueprint.identifier,
      entities.map(({ identifier }) => identifier),
    );
  }
  const sources = await findEntitiesByKey(tx, actor.orgId, [...new Set(pointing.map(({ sourceKey }) => sourceKey))]);
  const plans = await loadPlans(tx, actor.orgId);
  const uncounted: Changed[] = [];
  for (const [blueprintKey, entities] of groupBy(doomed, (entity) => entity.blueprintKey)) {
    const teams = [...new Set(entities.flatMap(({ teamRefs }) => teamRefs))];
    uncounted.push(...(await teamsCounting(tx, actor.orgId, plans, blueprintKey, teams)));
  }
  await refreshDerived(tx, actor.orgId, plans, [
    ...uncounted,
    ...counted.map(({ blueprintKey, key }) => ({ blueprintKey, keys: [key] })),
    ...sources.map(({ blueprintKey, key }) => ({ blueprintKey, keys: [key] })),
  ]);
}
