import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { reachConditions } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { and, not, type SearchDeps, toSql } from '../entity-query/index.ts';
import type { EntityVerb } from '../rights/index.ts';

/** A caller and a blueprint, on one side of a change. */
export interface Side {
  readonly actor: Actor;
  readonly blueprint: StoredBlueprint;
  /** All blueprints, on that side. */
  readonly blueprints: readonly StoredBlueprint[];
}

/** How many entities of a blueprint come into somebody's reach, and leave it, by a change of rights or of the model. */
export async function compareReach(
  deps: SearchDeps,
  verb: EntityVerb,
  before: Side,
  after: Side,
): Promise<{ readonly gained: number; readonly lost: number }> {
  const conditionOf = async ({ actor, blueprint, blueprints }: Side) =>
    (await reachConditions(deps, actor, verb, [blueprint], blueprints))(blueprint);
  const was = await conditionOf(before);
  const will = await conditionOf(after);
  const row = await deps.database.first<{ gained: number; lost: number }>(sql`
    select count(*) filter (where ${toSql(and([will, not(was)]))})::int as gained,
      count(*) filter (where ${toSql(and([was, not(will)]))})::int as lost
    from entities e where e.org_id = ${before.blueprint.orgId} and e.blueprint_key = ${before.blueprint.key}`);
  return row ?? { gained: 0, lost: 0 };
}
