/** Prefixes that narrow the search, as the first character. */
export const prefixes = { '>': 'commands', '@': 'people', '#': 'pages' } as const;
export type Scope = 'all' | (typeof prefixes)[keyof typeof prefixes];

/** Splits the input into the scope of its prefix and the words. */
export function readQuestion(text: string): { scope: Scope; words: string } {
  const scope = prefixes[text[0] as keyof typeof prefixes];
  return scope ? { scope, words: text.slice(1).trim() } : { scope: 'all', words: text.trim() };
}

const marks = /\p{M}/gu;

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(marks, '').toLowerCase();
}

/** Whether the words are the whole name, however its parts are joined: "pull request" is `pullRequest`. */
export function isCalled(name: string, words: string): boolean {
  const joined = (text: string) => plain(text).replaceAll(/[\s_-]+/g, '');
  const wanted = joined(words);
  return wanted !== '' && joined(name) === wanted;
}

/**
 * Scores how well a text matches the words; higher is better, 0 is no match. Every word must start a word of the text,
 * occur in it, or match its letters in order. Ignores accents and case.
 */
export function scoreMatch(text: string, words: string): number {
  const inside = plain(text);
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return 1;
  let total = 0;
  for (const word of wanted) {
    const found = scoreOfWord(inside, word);
    if (found === 0) return 0;
    total += found;
  }
  return total / wanted.length - inside.length / 10_000;
}

function scoreOfWord(inside: string, word: string): number {
  if (inside.startsWith(word)) return 4;
  if (inside.split(/[\s_/.:-]+/).some((part) => part.startsWith(word))) return 3;
  if (inside.includes(word)) return 2;
  return word.length > 2 && isSpelledIn(inside, word) ? 0.5 : 0;
}

function isSpelledIn(inside: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = inside.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The best matches of a list, best first. */
export function bestMatches<Item>(
  items: readonly Item[],
  words: string,
  textOf: (item: Item) => string,
  most: number,
): Item[] {
  return items
    .map((item) => ({ item, score: scoreMatch(textOf(item), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ item }) => item);
}

/**
 * Orders what was found: the exact title, then what the user visited, then by how it matches. What the server found and
 * no text here explains (a property, another spelling) keeps its order at the end.
 */
export function byRank<Item>(
  items: readonly Item[],
  words: string,
  textsOf: (item: Item) => readonly string[],
  isVisited: (item: Item) => boolean,
): Item[] {
  const wanted = plain(words.trim());
  const rankOf = (item: Item): number => {
    const texts = textsOf(item);
    if (texts.some((text) => plain(text) === wanted)) return 200;
    return (
      (isVisited(item) ? 100 : 0) + Math.max(...texts.map((text) => Math.floor(scoreMatch(text, words) * 10) / 10))
    );
  };
  return items.toSorted((left, right) => rankOf(right) - rankOf(left));
}

/** The items in the order that is shown already; those that are new come after it. */
export function keepOrder<Item extends { readonly key: string }>(
  items: readonly Item[],
  shown: readonly string[],
): readonly Item[] {
  const placeOf = ({ key }: Item): number => {
    const place = shown.indexOf(key);
    return place < 0 ? shown.length : place;
  };
  return items.toSorted((left, right) => placeOf(left) - placeOf(right));
}
