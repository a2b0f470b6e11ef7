/** A word of a question; `folded` ignores case, accents and separators, `stem` is a rough singular of it. */
export interface Word {
  readonly raw: string;
  readonly lower: string;
  readonly folded: string;
  readonly stem: string;
  /** Words between quotation marks are one word and always a name. */
  readonly isQuoted: boolean;
}

const shortForms: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/g, "'"],
  [/\b(who|what|where|that|there|it)'s\b/gi, '$1 is'],
  [/\bcan't\b|\bcannot\b/gi, 'can not'],
  [/n't\b/gi, ' not'],
  [/\b(i)'m\b/gi, '$1 am'],
  [/('s)\b/g, " 's"],
  [/\bs'(?=\s)/g, "s 's"],
];

/** Splits a question into words; identifiers such as `billing-api` or `team@x.org` stay whole, commas are words. */
export function splitWords(text: string): Word[] {
  const plain = shortForms.reduce((each, [form, whole]) => each.replace(form, whole), text);
  const words: Word[] = [];
  for (const match of plain.matchAll(
    /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|(\S+)/gu,
  )) {
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (quoted !== undefined) words.push(toWord(quoted.trim(), true));
    else words.push(...splitChunk(match[5] ?? ''));
  }
  return words;
}

function splitChunk(chunk: string): Word[] {
  const hasComma = /,[?!.;:)\]]*$/.test(chunk);
  const bare = chunk.replace(/^[([{¿¡]+/, '').replace(/[?!.,;:)\]}]+$/, '');
  return [...(bare === '' ? [] : [toWord(bare, false)]), ...(hasComma ? [toWord(',', false)] : [])];
}

function toWord(raw: string, isQuoted: boolean): Word {
  const lower = raw.toLowerCase();
  const folded = fold(raw) || lower;
  return { raw, lower, folded, stem: stemWord(folded), isQuoted };
}

/** Letters and digits without case and accents: `on-premises`, `On Premises` and `onPremisés` are equal. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
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

/** The words of a name, folded: `cloudResource`, `cloud_resource` and `Cloud Resource` give the same two. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold)
    .filter(Boolean);
}

const endings = new Set(['e', 'en', 'n', 'er', 's', 'es']);
const nameWordsMax = 8;

/** The ends at which the words from `at` spell a name, in the singular or the plural; usually none or one. */
export function endsOfName(words: readonly Word[], at: number, name: readonly string[]): number[] {
  if (name.length === 0) return [];
  const whole = name.join('');
  const singular = [...name.slice(0, -1), stemWord(name.at(-1) ?? '')].join('');
  const ends: number[] = [];
  let joined = '';
  for (let end = at; end < Math.min(words.length, at + nameWordsMax); end += 1) {
    const word = words[end] as Word;
    const said = joined + word.folded;
    if (said === whole || joined + word.stem === singular || isPlural(said, whole)) ends.push(end + 1);
    if (said.length > whole.length + 2) break;
    joined = said;
  }
  return ends;
}

/** Plurals of other languages, for types and properties with titles in them. */
function isPlural(said: string, name: string): boolean {
  return name.length >= 5 && said.startsWith(name) && endings.has(said.slice(name.length));
}
