import { mergeAuthors, type TextAuthor } from '../../../platform/text-authors.ts';

/** A result as it was shown to the model. */
export interface ShownResult {
  readonly tool: string;
  readonly call: string;
  readonly content: string;
  readonly isError: boolean;
  readonly authors: readonly TextAuthor[];
}

/** What an invocation had read at one moment. */
export interface ReadSoFar {
  readonly label: readonly TextAuthor[];
  /** A place for each author, where their text stands. */
  readonly places: ReadonlyMap<TextAuthor, string>;
  readonly results: readonly ShownResult[];
  /** Whether data was there before any call: a context, or texts that a template filled in. */
  readonly startsWithData: boolean;
  readonly areNotesShown: boolean;
}

/** The label of a running invocation: it grows with every result that is shown to the model. */
export interface RunLabel {
  /** Parallel calls of a step are decided by what was read before the step. */
  snapshot(): ReadSoFar;
  /** `where` is for people, such as `the prompt of the agent triage`. */
  add(authors: readonly TextAuthor[], where: string): void;
  /** The same for the question, the prompt and descriptions of tools, which are no data of the organization. */
  addInstructions(authors: readonly TextAuthor[], where: string): void;
  /** Notes of the caller, which are data and lead to no call. */
  addNotes(caller: TextAuthor): void;
  show(result: Omit<ShownResult, 'authors'>, texts: ReadonlyMap<TextAuthor, string>): void;
}

export function createRunLabel(): RunLabel {
  const places = new Map<TextAuthor, string>();
  const results: ShownResult[] = [];
  let startsWithData = false;
  let areNotesShown = false;
  const add = (author: TextAuthor, where: string): void => {
    if (!places.has(author)) places.set(author, where);
  };
  return {
    snapshot: () => ({
      label: mergeAuthors([...places.keys()]),
      places: new Map(places),
      results: [...results],
      startsWithData,
      areNotesShown,
    }),
    add(authors, where) {
      if (authors.length > 0) startsWithData = true;
      for (const author of authors) add(author, where);
    },
    addInstructions(authors, where) {
      for (const author of authors) add(author, where);
    },
    addNotes(caller) {
      startsWithData = true;
      areNotesShown = true;
      add(caller, 'your notes');
    },
    show(result, texts) {
      for (const [author, where] of texts) add(author, where);
      results.push({ ...result, authors: mergeAuthors([...texts.keys()]) });
    },
  };
}
