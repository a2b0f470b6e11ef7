/** The authors of what a tool showed, each with the first place where their text stands. */
export interface TextsRead {
  /** `where` is for people, such as `service cart`. */
  add(authors: readonly string[], where: string): void;
  readonly places: ReadonlyMap<string, string>;
}

/** Whatever is noted is noted in `also` besides. */
export function createTextsRead(also?: TextsRead): TextsRead {
  const places = new Map<string, string>();
  return {
    places,
    add(authors, where) {
      for (const author of authors) if (!places.has(author)) places.set(author, where);
      also?.add(authors, where);
    },
  };
}
