import { type Actor, systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { mergeAuthors, outside, type TextAuthor } from '../../platform/text-authors.ts';
import { createTextsRead } from '../../platform/texts-read.ts';
import { noteEntityTexts } from './note-texts.ts';
import { getEntity, type ReadDeps } from './read-entities.ts';

/** Something that happened to an entity. */
export interface EntityEvent {
  readonly blueprint: string;
  readonly entity: string;
  readonly at: Date;
  readonly isDeletion: boolean;
}

/**
 * The authors of everything that an event of an entity shows, which are those of the entity; anybody, where that is gone,
 * or another one is in its place by now.
 */
export async function findShownAuthors(
  deps: ReadDeps,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  { blueprint, entity: identifier, at, isDeletion }: EntityEvent,
): Promise<readonly TextAuthor[]> {
  if (isDeletion) return [outside];
  const textsRead = createTextsRead();
  const reader: Actor = { ...systemActor(orgId, model), textsRead };
  try {
    const found = await getEntity(deps, reader, blueprint, identifier);
    // also where nobody knows when it happened
    if (!(found.entity.createdAt <= at)) return [outside];
    await noteEntityTexts(deps.database, reader, [found.blueprint], [found.entity]);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return [outside];
  }
  return mergeAuthors([...textsRead.places.keys()]);
}
