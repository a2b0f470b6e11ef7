import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type Condition, or, type SearchDeps } from '../entity-query/index.ts';
import { type EntityVerb, grantScope } from '../rights/index.ts';
import { preparePolicies } from './compile-policies.ts';
import { ownedBy } from './entity-conditions.sql.ts';

/**
 * The rows of `entities e` of these blueprints on which rights allow the verb; values of the caller in policies are
 * read once. `planned` are all blueprints in their planned state.
 */
export async function reachConditions(
  deps: SearchDeps,
  actor: Actor,
  verb: EntityVerb,
  blueprints: readonly StoredBlueprint[],
  planned?: readonly StoredBlueprint[],
): Promise<(blueprint: StoredBlueprint) => Condition> {
  const reaches = new Map(blueprints.map((blueprint) => [blueprint.key, grantScope(actor, verb, blueprint)]));
  const policed = blueprints.flatMap((blueprint) => {
    const grants = reaches.get(blueprint.key)?.policies ?? [];
    return grants.length > 0 ? [{ blueprint, grants }] : [];
  });
  const compile = await preparePolicies(deps, actor, policed, planned ? { blueprints: planned } : {});
  return (blueprint) => {
    const reach = reaches.get(blueprint.key);
    if (!reach) return false;
    return or([
      reach.isAll,
      reach.isOwned && ownedBy(actor.teamKeys),
      ...reach.policies.map((grant) => compile(blueprint, grant)),
    ]);
  };
}
