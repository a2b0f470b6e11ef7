import {
  keysOfText,
  numberKey,
  numberWords,
  readDate,
  type Token,
  toPhrase,
  urlKey,
  versionKey,
  writtenNumber,
} from './normal-values.ts';
import type { RunIndex } from './run-index.ts';

/** A value in a sentence that a record has to hold. */
export interface Claim {
  readonly kind: 'name' | 'number' | 'other';
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** One of them has to stand in a record. */
  readonly keys: readonly string[];
  /** Its words, if it is a name. */
  readonly phrase?: string | undefined;
}

export interface Claims {
  readonly claims: readonly Claim[];
  /** The text with claims blanked out and Markdown removed, of the same length. */
  readonly rest: string;
  /** The words outside of claims. */
  readonly words: readonly Token[];
}

const months = 'january february march april may june july august september october november december'.split(' ');
const monthNames = months.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|');
const writtenDates = [
  new RegExp(`\\b(?<month>${monthNames})\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})\\b`, 'gi'),
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? (?<month>${monthNames})\\.?,? (?<year>\\d{4})\\b`, 'gi'),
];
const plainWords = new Set(
  (
    'The This That These Those It Its They There Here All Both Each Every No None Not Nothing Nobody Nothing Everything Everyone Somebody Something In On Of Or And But So If When While For From At By To As With Without Only Also Other Others One Two Three I We You He She Me My Us Do Be An Am A Up Your Our Is Are Was Has Have Does What Which Who How Note Yes UTC ' +
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December'
  ).split(' '),
);
const verbAfter = /^\s+(?:is|are|was|has|have|depends|uses|runs|belongs|owns|needs|calls|does)\b/;

const address = /https?:\/\/[^\s)>\]|"]+/g;
const codeMarked = /(`+)([^`]+)\1/g;
const isoDate = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?UTC|Z)?)?/g;
const strong = /\*\*([^*]+)\*\*(:?)/g;
const versionNumber =
  /(?<![\p{L}\p{N}_.@/-])(?:v\d+(?:\.\d+)*|\d+\.\d+\.\d+)(?:[-+][\p{L}\p{N}.-]+)?(?![\p{L}\p{N}_])/gu;
const digitNumber = /(?<![\p{L}\p{N}_.@/-])-?\d[\d,]*(?:\.\d+)?(?![\p{L}\p{N}_])(\s?%)?/gu;

/** The values of a sentence: addresses, names, dates, versions, numbers. The longest reading wins. */
export function readClaims(text: string, tokens: readonly Token[], index: RunIndex): Claims {
  const claims: Claim[] = [];
  const page = createPage(text);
  const take: Take = (start, end, claim) => {
    if (claim)
      claims.push({
        kind: claim.kind,
        text: text.slice(start, end),
        start,
        end,
        keys: claim.keys,
        phrase: claim.phrase,
      });
    page.blank(start, end);
  };
  const each: Each = (pattern, use) => {
    // what is taken meanwhile keeps its length, so places stay right
    const before = page.rest();
    pattern.lastIndex = 0;
    for (let match = pattern.exec(before); match; match = pattern.exec(before)) use(match);
  };
  const hasDigits = /\d/.test(text);
  if (text.includes('://'))
    each(address, ({ 0: found, index: at }) => {
      const whole = found.replace(/[.,;:!?*]+$/, '');
      take(at, at + whole.length, { kind: 'other', keys: [urlKey(whole)] });
    });
  if (text.includes('`')) each(codeMarked, (match) => takeCode(match, index, take));
  if (hasDigits) takeDates(each, take);
  takePhrases(page.left(tokens), index, take);
  if (text.includes('**')) each(strong, (match) => takeStrong(match, index, take));
  if (hasDigits) {
    each(versionNumber, ({ 0: found, index: at }) =>
      take(at, at + found.length, { kind: 'other', keys: [versionKey(found), `p:${found.toLowerCase()}`] }),
    );
    each(digitNumber, ({ 0: found, index: at }) => {
      const value = Number(found.replace(/[,%\s]/g, ''));
      const shares = found.endsWith('%') ? [numberKey(value / 100)] : [];
      const end = at + found.replace(/[,\s]+$/, '').length;
      take(at, end, { kind: 'number', keys: [numberKey(value), ...shares] });
    });
  }
  each(writtenNumber, ({ 0: found, index: at }) =>
    take(at, at + found.length, { kind: 'number', keys: [numberKey(numberWords.indexOf(found.toLowerCase()))] }),
  );
  takeUnknownNames(page.rest(), page.left(tokens), index, take);
  claims.sort((a, b) => a.start - b.start);
  return { claims, rest: page.rest(), words: page.left(tokens) };
}

/** A text of which parts are blanked out, so that what is left keeps its place. */
function createPage(text: string) {
  // Markdown escapes, without moving anything
  let rest = text.includes('\\') ? text.replace(/\\(?=[^\s\p{L}\p{N}])/gu, ' ') : text;
  const taken = new Uint8Array(text.length);
  let isStale = false;
  return {
    blank(start: number, end: number): void {
      taken.fill(1, start, end);
      isStale = end > start || isStale;
    },
    rest(): string {
      if (isStale) rest = blanked(rest, taken);
      isStale = false;
      return rest;
    },
    left: (tokens: readonly Token[]): Token[] => tokens.filter(({ start, end }) => !taken[start] && !taken[end - 1]),
  };
}

/** Made once for all that was taken since, not for each part. */
function blanked(text: string, taken: Uint8Array): string {
  let made = '';
  for (let at = 0; at < text.length; ) {
    const isTaken = taken[at] === 1;
    let end = at + 1;
    while (end < text.length && (taken[end] === 1) === isTaken) end++;
    made += isTaken ? '\u00a0'.repeat(end - at) : text.slice(at, end);
    at = end;
  }
  return made;
}

type Take = (start: number, end: number, claim?: Omit<Claim, 'start' | 'end' | 'text'>) => void;
type Each = (pattern: RegExp, use: (match: RegExpExecArray) => void) => void;

function takeCode(match: RegExpExecArray, index: RunIndex, take: Take): void {
  const inner = match[2] as string;
  const start = match.index + (match[1] as string).length;
  const name = inner.trim();
  const phrase = toPhrase(name);
  const isName = phrase !== undefined && (!/\s/.test(name) || index.holders.has(`p:${phrase}`));
  const claim =
    isName && !index.tools.has(inner) ? { kind: 'name' as const, keys: keysOfText(name), phrase } : undefined;
  take(start, start + inner.length, claim);
}

function takeDates(each: Each, take: Take): void {
  each(isoDate, ({ 0: found, index: at }) => {
    const date = readDate(found.replace(' ', 'T').replace(/ ?UTC$/, 'Z'));
    const keys = date ? [date.time ? `t:${date.day} ${date.time}` : `d:${date.day}`] : [];
    take(at, at + found.length, { kind: 'other', keys });
  });
  for (const pattern of writtenDates) {
    each(pattern, ({ 0: found, index: at, groups: { year = '', month = '', day = '' } = {} }) => {
      const number = months.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3))) + 1;
      const date = [year, String(number).padStart(2, '0'), day.padStart(2, '0')].join('-');
      take(at, at + found.length, { kind: 'other', keys: [`d:${date}`] });
    });
  }
}

function takeStrong(match: RegExpExecArray, index: RunIndex, take: Take): void {
  const inner = match[1] as string;
  if (match[2] === ':' || /:\s*$/.test(inner) || inner.includes('\u00a0') || /^[\s\d.,%+-]+$/.test(inner)) return;
  const phrase = toPhrase(inner);
  if (phrase === undefined || index.fields.has(phrase)) return;
  const isHeld = keysOfText(inner).some((key) => index.holders.has(key));
  let at = match.index + 2;
  for (const part of isHeld ? [inner] : inner.split(/, /)) {
    take(at, at + part.length, { kind: 'name', keys: keysOfText(part), phrase: toPhrase(part) });
    at += part.length + 2;
  }
}

/** Names and values that stand in what was read, the longest first. */
function takePhrases(tokens: readonly Token[], { phrases, labels }: RunIndex, take: Take): void {
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    const found = phrases.find(tokens, at);
    if (!first || !found) continue;
    const last = tokens[at + found.length - 1];
    const { phrase } = found;
    at += found.length - 1;
    if (labels.has(phrase)) {
      take(first.start, last?.end ?? first.end);
      continue;
    }
    const number = /^\d+(?:\.\d+)?$/.test(phrase) ? [numberKey(Number(phrase))] : [];
    take(first.start, last?.end ?? first.end, { kind: 'name', keys: [`p:${phrase}`, ...number], phrase });
  }
}

/** Capitalized words within a sentence that stand in nothing that was read. */
function takeUnknownNames(text: string, tokens: readonly Token[], index: RunIndex, take: Take): void {
  const isName = (at: number): boolean => {
    const token = tokens[at];
    if (!token) return false;
    const written = text.slice(token.start, token.end);
    if (!/^\p{Lu}.*\p{Ll}/u.test(written) || plainWords.has(written)) return false;
    return (
      !index.isKnownWord(token.word) &&
      !index.fields.begins(token.word) &&
      !index.isKnownWord(token.word.replace(/s$/, ''))
    );
  };
  for (let at = 0; at < tokens.length; at++) {
    if (!isName(at)) continue;
    const start = tokens[at]?.start ?? 0;
    let last = at;
    while (isName(last + 1) && /^[\s-]+$/.test(text.slice(tokens[last]?.end, tokens[last + 1]?.start))) last++;
    const end = tokens[last]?.end ?? 0;
    // the first word of a sentence is a name if another follows, or a verb
    const isFirst = at === 0 || /[.!?:]["”*_\s]*\s$/.test(text.slice(0, start));
    const isLabel = /^\s*\**:/.test(text.slice(end));
    const phrase = toPhrase(text.slice(start, end));
    if (!isLabel && (!isFirst || last > at || /:\s*$/.test(text.slice(0, start)) || verbAfter.test(text.slice(end)))) {
      take(start, end, { kind: 'name', keys: phrase ? [`p:${phrase}`] : [], phrase });
    }
    at = last;
  }
}
