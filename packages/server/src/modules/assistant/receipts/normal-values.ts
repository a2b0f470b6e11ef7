/** Words as they are compared: without case, and with the signs that identifiers and addresses have inside. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const word = /[\p{L}\p{N}_$]+(?:[-._@/+:’'][\p{L}\p{N}_$]+)*/gu;
const singleWord = /^[\p{L}\p{N}_$]+(?:[-._@/+:’'][\p{L}\p{N}_$]+)*$/u;

export function splitWords(text: string): Token[] {
  const tokens: Token[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const [said] = match;
    tokens.push({ word: withoutCase(said), start: match.index, end: match.index + said.length });
  }
  return tokens;
}

/** The same words, without where they stand. */
export function wordsIn(text: string): readonly string[] {
  return text.match(word)?.map(withoutCase) ?? [];
}

/** "Cart's" names Cart. */
function withoutCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.endsWith("'s") || lower.endsWith('’s') ? lower.slice(0, -2) : lower;
}

const wordsMax = 12;

/** The words of a short text, also joined by spaces. */
export interface PhraseForm {
  readonly phrase: string;
  readonly words: readonly string[];
}

/** Undefined for a long text, which nobody names whole. */
function toForm(text: string): PhraseForm | undefined {
  if (text.length > 160) return undefined;
  if (!text.includes(' ') && singleWord.test(text)) {
    const phrase = withoutCase(text);
    return { phrase, words: [phrase] };
  }
  const words = text.match(word)?.map(withoutCase);
  return words && words.length <= wordsMax ? { phrase: words.join(' '), words } : undefined;
}

export function toPhrase(text: string): string | undefined {
  return toForm(text)?.phrase;
}

/** The phrases of texts, each found once. */
export interface PhraseForms {
  of(text: string): PhraseForm | undefined;
  /** The same, of a text that is not asked about again. */
  once(text: string): PhraseForm | undefined;
}

export function createPhraseForms(): PhraseForms {
  const known = new Map<string, PhraseForm | undefined>();
  return {
    of(text) {
      const before = known.get(text);
      if (before !== undefined || known.has(text)) return before;
      const form = toForm(text);
      known.set(text, form);
      return form;
    },
    once: (text) => known.get(text) ?? toForm(text),
  };
}

const moment = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

export interface NormalDate {
  readonly day: string;
  /** `14:30`, UTC. */
  readonly time?: string | undefined;
}

export function readDate(text: string): NormalDate | undefined {
  if (text.length < 10 || text.length > 35 || text[4] !== '-') return undefined;
  const match = moment.exec(text);
  if (!match) return undefined;
  if (match[2] === undefined) return { day: match[1] as string };
  const at = new Date(match[3] === undefined ? `${text}Z` : text);
  if (Number.isNaN(at.getTime())) return undefined;
  const [day = '', time = ''] = at.toISOString().split('T');
  return { day, time: time.slice(0, 5) };
}

const version = /^[vV]?\d+(?:\.\d+)*$/;

/** Keys by which a value of a record and one of a sentence are compared. */
export function keysOfText(text: string, phrase = toPhrase(text)): string[] {
  const date = readDate(text);
  if (date) return [`d:${date.day}`, ...(date.time ? [`t:${date.day} ${date.time}`] : [])];
  const keys = phrase ? [`p:${phrase}`] : [];
  if (version.test(text)) keys.push(numberKey(Number(text.replace(/^[vV]/, ''))), versionKey(text));
  if (text.startsWith('http://') || text.startsWith('https://')) keys.push(urlKey(text));
  return keys;
}

export function numberKey(value: number): string {
  return `n:${Math.round(value * 100) / 100}`;
}

export function versionKey(text: string): string {
  return `v:${text.replace(/^[vV]/, '').toLowerCase()}`;
}

export function urlKey(text: string): string {
  return `l:${text.toLowerCase().replace(/\/$/, '')}`;
}

export const numberWords =
  'zero . two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** A number in words, also within a longer word: "six-month". */
export const writtenNumber = new RegExp(`\\b(?:${numberWords.filter((each) => each !== '.').join('|')})\\b`, 'gi');

/** Keys of all numbers that a text may mean, in digits or words, as they are and as shares. */
export function numbersSaid(text: string): Set<string> {
  const keys = new Set<string>();
  for (const [digits] of text.matchAll(/\d[\d,]*(?:\.\d+)?/g)) {
    const value = Number(digits.replaceAll(',', ''));
    for (const each of [value, -value, value / 100]) keys.add(numberKey(each));
  }
  for (const [said] of text.matchAll(writtenNumber)) keys.add(numberKey(numberWords.indexOf(said.toLowerCase())));
  return keys;
}
