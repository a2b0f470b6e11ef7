import type { SearchQuery } from '@portolan/contract/search-query';
import type { JqValue } from '@portolan/jq';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { ruleTeamForm, teamNames } from '../accounts/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { createPresenter, type ReadDeps } from '../entities/index.ts';
import { compileCondition, namesCaller, ofBlueprints, or, readCallerValues, toSql } from '../entity-query/index.ts';
import { allOf, type ReadEntity, selectEntities, teamForm } from '../entity-rows/index.ts';
import { groupSame } from '../search/index.ts';

/** Most entities one query passes to conditions. */
const entitiesMax = 1_000;

/** Searches the whole organization, regardless of the caller's rights. */
export type FindEntities = (
  query: SearchQuery,
) => Promise<{ readonly entities: readonly JqValue[]; readonly isCut: boolean }>;

/** Searches on behalf of the platform; rules about the caller refer to `asking`. */
export async function policySearch(deps: ReadDeps, asking: Actor): Promise<FindEntities> {
  const { database, clock } = deps;
  const { orgId, model, teamKeys } = asking;
  const all = await listBlueprintRows(database, orgId);
  const blueprints = new Map(all.map((blueprint) => [blueprint.identifier, blueprint]));
  const form = ruleTeamForm(model);
  const now = clock.now();
  return async (query) => {
    const caller = namesCaller(query) ? await readCallerValues(database, asking, form, () => false) : undefined;
    const context = { orgId, now, blueprints, teamForm: form, teamKeys, caller, isStrictOnTeams: true } as const;
    const condition = conditionOver(all, (blueprint) => compileCondition(query, { ...context, blueprint }));
    const page = { limit: entitiesMax + 1 };
    const found =
      condition === false ? [] : await selectEntities(database, orgId, toSql(condition), page, teamForm(model));
    return {
      entities: await shownToPolicies(deps, asking, found.slice(0, entitiesMax)),
      isCut: found.length > entitiesMax,
    };
  };
}

/** Blueprints with the same condition share one search. */
function conditionOver(
  blueprints: readonly StoredBlueprint[],
  conditionOf: (blueprint: StoredBlueprint) => ReturnType<typeof compileCondition>,
) {
  const parts = blueprints.flatMap((blueprint) => {
    const matching = conditionOf(blueprint);
    return matching === false ? [] : [{ blueprint, matching: toSql(matching) }];
  });
  return or(
    groupSame(parts, ({ matching }) => matching).map(({ blueprints: same, first }) =>
      allOf([ofBlueprints(same.map(({ key }) => key)), first.matching]),
    ),
  );
}

/**
 * Entities as administrators read them, without unresolved team names: an expression could not tell those from teams.
 */
export async function shownToPolicies(
  deps: ReadDeps,
  { orgId, model }: Actor,
  entities: readonly ReadEntity[],
): Promise<JqValue[]> {
  const all = await listBlueprintRows(deps.database, orgId);
  const present = await createPresenter(deps, systemActor(orgId, model), new Map(all.map((each) => [each.key, each])));
  const keys = entities.flatMap(({ teamRefs }) => teamRefs.filter((reference) => !reference.startsWith('?')));
  const names = await teamNames(deps.database, orgId, model, keys);
  const resolved = entities.map((entity) => ({
    ...entity,
    team: entity.teamRefs.flatMap((reference) => names.get(reference) ?? []),
  }));
  return (await present(resolved)) as JqValue[];
}
