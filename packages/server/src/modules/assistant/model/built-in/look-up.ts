import type { EntityInfo, SearchRule } from './catalog.ts';
import { linkName } from './link-names.ts';
import type { OfferedTools, Plan } from './plan-steps.ts';
import type { NameRef } from './query.ts';
import { hiddenTypes } from './schema.ts';
import { searchPage } from './search-page.ts';
import { nameWords } from './words.ts';

const rowsMax = 100;
const prefixCharacters = 3;
/** More names than a question of forty words can have; a bound on the rules of one search. */
const textsMax = 24;

/**
 * Entities that one of the names may mean: those that contain all its words, and where nothing is called so, those that
 * contain the beginnings of all its words. Two or three calls at most, however many names there are.
 */
export function* lookUp(names: readonly NameRef[], offered: OfferedTools): Plan<readonly EntityInfo[]> {
  const texts = [...new Set(names.map(({ text }) => text))].slice(0, textsMax);
  if (texts.length === 0) return [];
  const found = [...(yield* searchNames(texts, (word) => word, offered))];
  if (found.length >= rowsMax) found.push(...(yield* searchExact(texts, offered)));
  const unknown = texts.filter((text) =>
    names.some((name) => name.text === text && linkName(name, found).kind === 'unknown'),
  );
  const guesses = unknown.filter((text) => nameWords(text).every((word) => word.length >= prefixCharacters));
  if (guesses.length > 0) {
    found.push(...(yield* searchNames(guesses, (word) => word.slice(0, prefixCharacters), offered)));
  }
  return unique(found);
}

function* searchNames(
  texts: readonly string[],
  part: (word: string) => string,
  offered: OfferedTools,
): Plan<readonly EntityInfo[]> {
  const rules = texts.map((text) => ({
    combinator: 'and',
    rules: [...new Set(partsOf(text).map(part))].map(containing),
  }));
  return yield* search({ combinator: 'or', rules }, offered);
}

/** Words as they stand in the catalog, with their accents. */
function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
}

function containing(part: string): SearchGroup {
  return {
    combinator: 'or',
    rules: ['$title', '$identifier'].map((property) => ({ property, operator: 'contains', value: part })),
  };
}

function* searchExact(texts: readonly string[], offered: OfferedTools): Plan<readonly EntityInfo[]> {
  const rules = ['$title', '$identifier'].map((property) => ({ property, operator: 'in', value: texts }));
  return yield* search({ combinator: 'or', rules }, offered);
}

interface SearchGroup {
  readonly combinator: string;
  readonly rules: readonly (SearchRule | SearchGroup)[];
}

function* search(query: SearchGroup, offered: OfferedTools): Plan<readonly EntityInfo[]> {
  const visible = { property: '$blueprint', operator: 'notIn', value: [...hiddenTypes] };
  const args = { query: { combinator: 'and', rules: [visible, query] }, include: [], limit: rowsMax };
  return (yield* searchPage(args, offered)).entities;
}

function unique(entities: readonly EntityInfo[]): EntityInfo[] {
  return [...new Map(entities.map((entity) => [`${entity.blueprint}/${entity.identifier}`, entity])).values()];
}
