import { type Actor, systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { mergeAuthors, outside, type TextAuthor } from '../../platform/text-authors.ts';
import { createTextsRead } from '../../platform/texts-read.ts';
import { noteEntityTexts } from './note-texts.ts';
import { getEntity, type ReadDeps } from './read-entities.ts';

/** The authors of everything that an entity shows, as an event of it does; anybody, where it is gone. */
export async function findShownAuthors(
  deps: ReadDeps,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  { blueprint, entity: identifier }: { readonly blueprint: string; readonly entity: string },
): Promise<readonly TextAuthor[]> {
  const textsRead = createTextsRead();
  const reader: Actor = { ...systemActor(orgId, model), textsRead };
  try {
    const found = await getEntity(deps, reader, blueprint, identifier);
    await noteEntityTexts(deps.database, reader, [found.blueprint], [found.entity]);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return [outside];
  }
  return mergeAuthors([...textsRead.places.keys()]);
}
