import type { Actor } from './actor.ts';

/** The authors of what a tool showed, each with the first place where their text stands. */
export interface TextsRead {
  /** `where` is for people, such as `service cart`. */
  add(authors: readonly string[], where: string): void;
  readonly places: ReadonlyMap<string, string>;
}

export function createTextsRead(): TextsRead {
  const places = new Map<string, string>();
  return {
    places,
    add(authors, where) {
      for (const author of authors) if (!places.has(author)) places.set(author, where);
    },
  };
}

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
