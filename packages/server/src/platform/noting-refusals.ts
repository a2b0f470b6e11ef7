import type { Actor } from './actor.ts';
import { createTextsRead } from './texts-read.ts';

/**
 * Starts something whose answer shows nothing that it read, unlike the refusals: only then are the authors of what was
 * read noted for the actor.
 */
export async function notingRefusals<Started>(
  actor: Actor,
  start: (reading: Actor) => Promise<Started>,
): Promise<Started> {
  const { textsRead } = actor;
  if (!textsRead) return start(actor);
  const read = createTextsRead();
  try {
    return await start({ ...actor, textsRead: read });
  } catch (error) {
    for (const [author, where] of read.places) textsRead.add([author], where);
    throw error;
  }
}
