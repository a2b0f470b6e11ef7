import { type Actor, isUnlimited } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { readCondition } from '../../access/index.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { entityMissing, findEntitiesByName, findEntity, teamForm } from '../../entity-rows/index.ts';
import { findLostNames, type Position, selectStatesAround } from '../../journal/index.ts';
import type { ReadDeps } from '../read-entities.ts';
import type { Life } from './past.types.ts';
import { renamesMax } from './past-targets.ts';
import { toLife } from './read-past.ts';

/**
 * The entity of a name at a moment: the one that has it now, which the caller must be allowed to read, or for
 * administrators one that had it then.
 * @throws AppError `not_found`, saying when it was created or deleted as far as the caller may know
 */
export async function findLife(
  deps: ReadDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  identifier: string,
  at: Date,
): Promise<Life> {
  const { orgId } = actor;
  const where = { orgId, blueprintKey: blueprint.key, identifier };
  const condition = await readCondition(deps, actor, blueprint);
  const entity = await findEntity(deps.database, where, teamForm(actor.model), condition);
  if (entity && entity.createdAt <= at) return toLife(entity);
  // of what is gone only administrators read the records
  const earlier = isUnlimited(actor) ? await findLifeThen(deps, actor, blueprint, identifier, at) : undefined;
  if (earlier && 'name' in earlier) return earlier;
  const deletedAt = earlier?.deletedAt;
  const createdAt = entity?.createdAt;
  const told = [
    deletedAt && `it was deleted at ${deletedAt.toISOString()}`,
    createdAt && `it was created${deletedAt ? ' again' : ''} at ${createdAt.toISOString()}`,
  ].filter((each) => each !== undefined);
  if (told.length === 0) throw entityMissing(blueprint, identifier);
  const message = `Entity with identifier "${identifier}" of the blueprint "${blueprint.identifier}" did not exist at ${at.toISOString()}: ${told.join(' and ')}`;
  throw new AppError('not_found', message, {
    details: {
      resource: 'Entity',
      byField: 'identifier',
      withValue: identifier,
      blueprint: blueprint.identifier,
      ...(deletedAt ? { deletedAt: deletedAt.toISOString() } : {}),
      ...(createdAt ? { createdAt: createdAt.toISOString() } : {}),
    },
  });
}

/** Who had the name at the moment; else when the last one who had it was deleted, if one was. */
async function findLifeThen(
  deps: ReadDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  name: string,
  at: Date,
): Promise<Life | { readonly deletedAt: Date } | undefined> {
  const { orgId } = actor;
  const [life] = await traceLives(deps, actor, blueprint, [{ name, after: { at, key: lastKey } }]);
  if (life && life.since <= at) return life;
  const span = { blueprint: blueprint.identifier, name, since: new Date(0), until: undefined };
  const [states] = await selectStatesAround(deps.database, orgId, [span], at);
  const isDeleted = states?.earlierAction === 'DELETE' && states.earlierAt;
  return isDeleted ? { deletedAt: isDeleted } : undefined;
}

/** Comes after every record of a moment. */
export const lastKey = Number.MAX_SAFE_INTEGER;

/**
 * The entities that had names right after records, by the names that they lost since: each ends in an entity of now or in a
 * deletion. Undefined where no entity can be found.
 */
export async function traceLives(
  { database }: ReadDeps,
  { orgId }: Actor,
  { identifier, key: blueprintKey }: Pick<StoredBlueprint, 'identifier' | 'key'>,
  named: readonly { readonly name: string; readonly after: Position }[],
): Promise<(Life | undefined)[]> {
  const names = named.map(({ name }) => name);
  const lives: (Life | undefined)[] = named.map(() => undefined);
  let open = named.map(({ name, after }, index) => ({ index, blueprint: identifier, name, after, until: undefined }));
  for (let round = 0; open.length > 0 && round < renamesMax; round += 1) {
    const asked = open;
    const lost = await findLostNames(database, orgId, asked);
    open = lost.flatMap(({ place, newName, before, at, key }) => {
      const each = asked[place] as (typeof asked)[number];
      if (newName !== null) {
        names[each.index] = newName;
        return [{ ...each, name: newName, after: { at, key } }];
      }
      const since = new Date(before.createdAt);
      lives[each.index] = { key: 0, name: each.name, since, last: before, deleted: { at, key } };
      return [];
    });
  }
  const left = [...lives.keys()].filter((index) => lives[index] === undefined);
  const found = await findEntitiesByName(
    database,
    { orgId, blueprintKey },
    left.map((index) => names[index] as string),
  );
  const byName = new Map(found.map((entity) => [entity.identifier, toLife(entity)]));
  for (const index of left) lives[index] = byName.get(names[index] as string);
  return lives;
}
