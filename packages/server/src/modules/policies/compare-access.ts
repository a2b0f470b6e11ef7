import type { Actor } from '../../platform/actor.ts';
import { reachConditions } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { and, not, type SearchDeps, toSql } from '../entity-query/index.ts';
import type { EntityVerb } from '../rights/index.ts';
import { countMoved } from './reach.store.ts';

/** Caller and blueprint before or after a change. */
export interface Side {
  readonly actor: Actor;
  readonly blueprint: StoredBlueprint;
  readonly blueprints: readonly StoredBlueprint[];
}

/** Counts the entities that a change of rights or of the model adds to and removes from a caller's access. */
export async function compareAccess(
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
