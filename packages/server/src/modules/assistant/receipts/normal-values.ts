/** Words as they are compared: without case, and with the signs that identifiers and addresses have inside. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const word = /[\p{L}\p{N}_$]+(?:[-._@/+:’'][\p{L}\p{N}_$]+)*/gu;
const plainWord = /^[\p{L}\p{N}_$]+$/u;

export function splitWords(text: string): Token[] {
  return Array.from(text.matchAll(word), (match) => ({
    word: withoutCase(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** "Cart's" names Cart. */
function withoutCase(text: string): string {
  const lower = text.toLowerCase();
  return /['’]s$/.test(lower) ? lower.slice(0, -2) : lower;
}

const wordsMax = 12;

/** The words of a short text, joined by spaces; undefined for a long one, which nobody names whole. */
export function toPhrase(text: string): string | undefined {
  if (text.length > 160) return undefined;
  if (plainWord.test(text)) return text.toLowerCase();
  const words = text.match(word);
  return words && words.length <= wordsMax ? words.map(withoutCase).join(' ') : undefined;
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

/** Keys by which a value of a record and one of a sentence are compared. */
export function keysOfText(text: string): string[] {
  const date = readDate(text);
  if (date) return [`d:${date.day}`, ...(date.time ? [`t:${date.day} ${date.time}`] : [])];
  const phrase = toPhrase(text);
  const keys = phrase ? [`p:${phrase}`] : [];
  if (/^[vV]?\d+(?:\.\d+)*$/.test(text)) keys.push(numberKey(Number(text.replace(/^[vV]/, ''))), versionKey(text));
  if (/^https?:\/\//.test(text)) keys.push(urlKey(text));
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

/** Keys of all numbers that a text may mean, in digits or words, as they are and as shares. */
export function numbersSaid(text: string, words: ReadonlySet<string>): Set<string> {
  const keys = new Set<string>();
  for (const [digits] of text.matchAll(/\d[\d,]*(?:\.\d+)?/g)) {
    const value = Number(digits.replaceAll(',', ''));
    for (const each of [value, -value, value / 100]) keys.add(numberKey(each));
  }
  for (const [value, word] of numberWords.entries()) if (words.has(word)) keys.add(numberKey(value));
  return keys;
}
