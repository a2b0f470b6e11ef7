import type { SearchQuery } from '@portolan/contract/search-query';
import type { Sql } from 'sql-template-tag';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { ruleTeamForm } from '../accounts/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import {
  type CompileContext,
  namesCaller,
  readCallerValues,
  type SearchDeps,
  walks,
  withInner,
} from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { within } from './entity-conditions.sql.ts';
import { hiddenValues } from './hidden-values.ts';
import { isNarrowed, readConditions } from './read-condition.ts';

/** Creates the contexts for compiling one request's queries, reading only what they need. */
export interface SearchScope {
  contextOf(blueprint: StoredBlueprint): CompileContext;
}

export async function openScope(
  { database, clock, noteUse }: SearchDeps,
  actor: Actor,
  query: SearchQuery | undefined,
  known?: readonly StoredBlueprint[],
): Promise<SearchScope> {
  const { orgId, teamKeys } = actor;
  const teamForm = ruleTeamForm(actor.model);
  const isWalking = query !== undefined && walks(query);
  // values computed from other entities may be hidden from people who may not read them all
  const isPartial = !isUnlimited(actor);
  const all = known ?? (isWalking || isPartial ? await listBlueprintRows(database, orgId) : []);
  const hiddenOf = isPartial ? hiddenValues(actor, all) : () => undefined;
  const byIdentifier = new Map(all.map((blueprint) => [blueprint.identifier, blueprint]));
  const isHidden = (identifier: string, property: string): boolean => {
    const blueprint = byIdentifier.get(identifier);
    return blueprint !== undefined && (hiddenOf(blueprint)?.has(property) ?? false);
  };
  const caller = query && namesCaller(query) ? await readCallerValues(database, actor, teamForm, isHidden) : undefined;
  const shared = {
    orgId,
    now: clock.now(),
    teamForm,
    teamKeys,
    caller,
    blueprints: byIdentifier,
    readable: isWalking ? await readableCondition({ database, clock, noteUse }, actor, all) : undefined,
  };
  return {
    contextOf: (blueprint) => ({
      ...shared,
      blueprint,
      hidden: withInner(hiddenOf(blueprint)),
      note: noteUse && ((slot) => noteUse(orgId, blueprint.key, slot)),
    }),
  };
}

/** The rows of `entities e` of any blueprint that the actor may read; undefined for all. */
async function readableCondition(
  deps: SearchDeps,
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
): Promise<Sql | undefined> {
  const narrowed = blueprints.filter((blueprint) => isNarrowed(actor, blueprint, blueprints));
  if (narrowed.length === 0) return undefined;
  const conditionOf = await readConditions(deps, actor, narrowed);
  return allOf(narrowed.map((each) => within(each.key, conditionOf(each))));
}
