import type { Actor } from '../../platform/actor.ts';
import { reachConditions } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { and, not, type SearchDeps, toSql } from '../entity-query/index.ts';
import type { EntityVerb } from '../rights/index.ts';
import { countMoved } from './reach.store.ts';

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
  return countMoved(deps.database, before.blueprint, {
    gained: toSql(and([will, not(was)])),
    lost: toSql(and([was, not(will)])),
  });
}
