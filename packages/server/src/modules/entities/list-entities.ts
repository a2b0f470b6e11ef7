import type { Entity } from '@portolan/contract/entities';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { type ReadEntity, selectEntities, teamForm } from '../entity-rows/index.ts';
import type { Presenter } from './present-entities.ts';
import type { ReadDeps } from './read-entities.ts';

/** Entities in memory at a time when all are answered. */
const partSize = 500;

/**
 * All matching entities in parts, in order of creation; each part is a separate read, so concurrent writes may show,
 * but no entity shows twice.
 */
export async function* entityParts(
  { database }: ReadDeps,
  actor: Actor,
  condition: Sql,
  after?: number,
): AsyncGenerator<readonly ReadEntity[]> {
  let afterKey = after;
  for (;;) {
    const page = { afterKey, limit: partSize };
    const part = await selectEntities(database.standby, actor.orgId, condition, page, teamForm(actor.model));
    if (part.length > 0) yield part;
    afterKey = part.at(-1)?.key;
    if (part.length < partSize) return;
  }
}

/** Like `entityParts`, presented as the API returns them. */
export async function* shownParts(
  parts: AsyncIterable<readonly ReadEntity[]>,
  present: Presenter,
): AsyncGenerator<Partial<Entity>[]> {
  for await (const part of parts) yield await present(part);
}
