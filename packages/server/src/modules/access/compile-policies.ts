import type { SearchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../platform/actor.ts';
import { ruleTeamForm } from '../accounts/index.ts';
import { listBlueprintRows, policyIssues, type StoredBlueprint } from '../blueprints/index.ts';
import {
  type CompileContext,
  type Condition,
  compileCondition,
  namesCaller,
  readCallerValues,
  type SearchDeps,
} from '../entity-query/index.ts';
import { effectivePolicy, type NamedGrant } from '../rights/index.ts';

/** A policy with the blueprint of its entities. */
export interface BlueprintPolicies {
  readonly blueprint: StoredBlueprint;
  readonly grants: readonly NamedGrant[];
}

/** A condition on `entities e` of the blueprint; false if the policy names something missing. */
export type CompilePolicy = (blueprint: StoredBlueprint, grant: NamedGrant) => Condition;

type QueryNarrowing = Pick<CompileContext, 'hidden' | 'isUnrelated'> & {
  /** Blueprints in their planned state. */
  readonly blueprints?: readonly StoredBlueprint[];
};

/**
 * Prepares compiling policies for one caller: reads their values of the caller once. Policies belong to administrators,
 * so they look at every entity and value of the organization, whatever the caller may read. Unresolved team names match
 * none of their rules.
 */
export async function preparePolicies(
  { database, clock, noteUse }: SearchDeps,
  actor: Actor,
  policed: readonly BlueprintPolicies[],
  { blueprints: planned, ...narrower }: QueryNarrowing = {},
): Promise<CompilePolicy> {
  const queries = policed.flatMap(({ grants }) => grants.map(({ grant }) => effectivePolicy(grant) as SearchQuery));
  if (queries.length === 0) return () => false;
  const { orgId, teamKeys } = actor;
  const teamForm = ruleTeamForm(actor.model);
  const all = planned ?? (await listBlueprintRows(database, orgId));
  const blueprints = new Map(all.map((blueprint) => [blueprint.identifier, blueprint]));
  const caller = queries.some(namesCaller) ? await readCallerValues(database, actor, teamForm, () => false) : undefined;
  const context = { orgId, now: clock.now(), blueprints, teamForm, teamKeys, caller, isStrictOnTeams: true } as const;
  return (blueprint, { grant }) => {
    const query = effectivePolicy(grant) as SearchQuery | undefined;
    if (query === undefined || policyIssues(query, blueprint, blueprints).length > 0) return false;
    const note: CompileContext['note'] = noteUse && ((slot) => noteUse(orgId, blueprint.key, slot));
    return compileCondition(query, { ...context, ...narrower, blueprint, note });
  };
}
