import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { readCondition } from '../access/index.ts';
import { blueprintStamp, findBlueprint, readUnderBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import type { Slot } from '../entity-query/index.ts';
import { entityMissing, findEntity, teamForm } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';

export interface ReadDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called for values that searches compare and sort by, for indexes that follow use. */
  readonly noteUse?: ((orgId: string, blueprintKey: number, slot: Slot) => void) | undefined;
}

/** @throws AppError `not_found` if the caller may not read the blueprint's entities */
export async function readableBlueprint(
  { database }: ReadDeps,
  actor: Actor,
  identifier: string,
): Promise<StoredBlueprint> {
  const blueprint = await findBlueprint(database, actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  assertReadable(actor, blueprint);
  return blueprint;
}

/** @throws AppError `not_found` if the caller may not read the blueprint's entities */
export function assertReadable(actor: Actor, blueprint: StoredBlueprint): void {
  if (!can(actor, 'read', blueprint)) throw notFound('Blueprint', blueprint.identifier);
}

/** @throws AppError `not_found` if missing or unreadable */
export async function getEntity(deps: ReadDeps, actor: Actor, blueprintIdentifier: string, identifier: string) {
  const found = await readUnderBlueprint(deps.database, actor.orgId, blueprintIdentifier, async (blueprint) => {
    assertReadable(actor, blueprint);
    const where = { orgId: actor.orgId, blueprintKey: blueprint.key, identifier };
    const condition = await readCondition(deps, actor, blueprint);
    const entity = await findEntity(deps.database, where, teamForm(actor.model), condition, blueprintStamp(blueprint));
    return { value: { blueprint, entity }, stamp: entity?.stamp };
  });
  if (!found) throw notFound('Blueprint', blueprintIdentifier);
  const { blueprint, entity } = found;
  if (!entity) throw entityMissing(blueprint, identifier);
  return { blueprint, entity };
}
