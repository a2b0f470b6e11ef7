/** A word as written, in lower case, and as a stem that ignores spelling variants. */
export interface Word {
  readonly raw: string;
  readonly lower: string;
  readonly stem: string;
}

/** Splits text into words; identifiers such as `billing-api` or `team@x.org` stay whole. */
export function splitWords(text: string): Word[] {
  const found = text.match(/[\p{L}\p{N}_@](?:[\p{L}\p{N}_@.+:/-]*[\p{L}\p{N}_@+])?|[<>=]+/gu) ?? [];
  return found.map((raw) => {
    const lower = raw.toLowerCase();
    return { raw, lower, stem: stemWord(lower) };
  });
}

const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  apis: 'api',
  status: 'status',
  series: 'series',
};

/** A rough English singular, good enough to compare two words. */
export function stemWord(word: string): string {
  const known = irregular[word];
  if (known) return known;
  if (/(ss|us|is)$/.test(word) || word.length < 3) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|us)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** The words of a name: `cloudResource`, `cloud_resource` and `Cloud Resource` give the same two. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stemWord);
}

/** Letters and digits only: `on-premises`, `on premises` and `onPremises` are equal. */
export function squash(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A range of words by index, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The position of a name in a text, as one word or several; undefined if absent or overlapping used words. */
export function findName(
  words: readonly Word[],
  name: readonly string[],
  isTaken: (index: number) => boolean = () => false,
): Span | undefined {
  const wanted = name.join('');
  if (wanted === '') return undefined;
  for (let start = 0; start < words.length; start++) {
    let joined = '';
    for (let end = start; end < words.length && joined.length < wanted.length + 2 && !isTaken(end); end++) {
      const word = words[end]!;
      if (squash(joined + word.lower) === wanted || squash(joined + word.stem) === wanted)
        return { start, end: end + 1 };
      joined += squash(word.lower);
    }
  }
  return undefined;
}
