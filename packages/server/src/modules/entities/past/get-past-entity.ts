import type { AsOfEntity, UnknownPart } from '@portolan/contract/as-of';
import type { Entity, EntityReadQuery } from '@portolan/contract/entities';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { entityMissing } from '../../entity-rows/index.ts';
import { readableBlueprint } from '../read-entities.ts';
import { findLife } from './find-life.ts';
import type { PastDeps, PastEntity } from './past.types.ts';
import { readPastBlueprint } from './past-blueprint.ts';
import { permitHistory } from './permit-history.ts';
import { presentPast } from './present-past.ts';
import { readPast } from './read-past.ts';

/** What is attached to entities is read of those that are there now. */
const attachments = ['attach_title_to_relation', 'attach_identifier_to_title_mirror_properties'] as const;

/**
 * An entity as it was at a moment, for whoever may read it today (decision 0200).
 * @throws AppError `not_found`, `history_not_kept`, `invalid_request`, `insufficient_scope`
 */
export async function getPastEntity(
  deps: PastDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
  at: Date,
  options: Partial<EntityReadQuery> = {},
  path = '{query}/as_of',
): Promise<{ readonly entity: Partial<Entity>; readonly asOf: AsOfEntity }> {
  permitHistory(deps, actor, [{ path, at }]);
  const attached = attachments.filter((name) => options[name]);
  if (attached.length > 0) {
    const message = 'cannot be answered with `as_of`: what it attaches is read of the entities of today';
    throw invalidRequest(attached.map((name) => ({ path: `{query}/${name}`, message })));
  }
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const life = await findLife(deps, actor, blueprint, identifier, at);
  const then = await readPastBlueprint(deps.database, blueprint, at);
  const [found] = await readPast(deps, actor, blueprint, then, [life], at);
  if (!found) throw entityMissing(blueprint, identifier);
  const [entity] = await presentPast(deps, actor, then, [found], options);
  return { entity: entity as Partial<Entity>, asOf: describePast(found, at, then.unknown) };
}

function describePast(
  { changedAt, nextChangeAt, life, unknown }: PastEntity,
  at: Date,
  always: readonly UnknownPart[],
): AsOfEntity {
  return {
    at: at.toISOString(),
    changedAt: changedAt?.toISOString() ?? null,
    nextChangeAt: nextChangeAt?.toISOString() ?? null,
    deletedAt: life.deleted?.at.toISOString() ?? null,
    unknown: [...always, ...unknown],
  };
}
