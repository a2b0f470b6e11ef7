import { keysOfText, numberKey, type PhraseForms, readDate, wordsIn } from './normal-values.ts';

interface ReadText {
  readonly keys: readonly string[];
  /** Words of a text that nobody names whole. */
  readonly words: readonly string[];
}

/** How values are read: only what a sentence of one text can name. */
export interface Reading {
  read(text: string): ReadText;
  readonly phrases: PhraseForms;
  /** Whether a word of the text stood in anything so far. */
  hasRead(word: string): boolean;
  /** The key of a number that the text has. */
  saidNumber(value: number): string | undefined;
  /** The fields of all entities so far. */
  readonly fields: Set<string>;
  /** A list of one field, shared by all records. */
  alone(field: string): readonly string[];
}

/** What a text says. */
export interface Said {
  readonly words: ReadonlySet<string>;
  /** Keys of its numbers. */
  readonly numbers: ReadonlySet<string>;
  readonly hasDays: boolean;
  readonly hasTimes: boolean;
  readonly hasAddresses: boolean;
  /** Other names of the things that it may name. */
  readonly names: ReadonlySet<string>;
  readonly phrases: PhraseForms;
}

/** Values repeat from record to record, so what they are is remembered. */
export function createReading({
  words: said,
  numbers,
  hasDays,
  hasTimes,
  hasAddresses,
  names,
  phrases,
}: Said): Reading {
  // "carts" names a cart
  const wantedWords = new Set(said);
  for (const word of said) if (word.endsWith('s')) wantedWords.add(word.slice(0, -1));
  const isWanted = (word: string): boolean => wantedWords.has(word);
  const isSaid = (word: string): boolean => said.has(word);
  const isKept = (key: string): boolean => {
    if (key.startsWith('n:')) return numbers.has(key);
    if (key.startsWith('d:')) return hasDays;
    if (key.startsWith('t:')) return hasTimes;
    return hasAddresses || !key.startsWith('l:');
  };
  const read = new Set<string>();
  const keptKeys = (text: string, phrase: string): readonly string[] => {
    const keys = keysOfText(text, phrase);
    return keys.every(isKept) ? keys : keys.filter(isKept);
  };
  const noted = (words: readonly string[]): readonly string[] => {
    const wanted = words.some(isWanted) ? words.filter(isWanted) : none;
    for (const word of wanted) read.add(word);
    return wanted;
  };
  const readText = (text: string): ReadText => {
    const form = phrases.once(text);
    if (form === undefined || readDate(text) !== undefined) {
      const keys = keptKeys(text, '');
      return readingOf(keys, isNamedWhole(text) ? none : noted(wordsIn(text)));
    }
    const { phrase, words } = form;
    const wanted = noted(words);
    const isNameable = (wanted.length === words.length && words.every(isSaid)) || names.has(phrase);
    return readingOf(keptKeys(text, isNameable ? phrase : ''), text.includes(' ') ? wanted : none);
  };
  const known = new Map<string, ReadText>();
  const numberKeys = new Map<number, string | undefined>();
  const single = new Map<string, readonly string[]>();
  return {
    phrases,
    read: (text) => {
      const before = known.get(text);
      if (before) return before;
      const made = readText(text);
      known.set(text, made);
      return made;
    },
    hasRead: (word) => read.has(word),
    saidNumber(value) {
      const before = numberKeys.get(value);
      if (before !== undefined || numberKeys.has(value)) return before;
      const key = numberKey(value);
      const said = numbers.has(key) ? key : undefined;
      numberKeys.set(value, said);
      return said;
    },
    fields: new Set(),
    alone(field) {
      const before = single.get(field);
      if (before) return before;
      const list = [field];
      single.set(field, list);
      return list;
    },
  };
}

const none: readonly string[] = [];
const nothing: ReadText = { keys: none, words: none };

/** A date or an address: nobody names words of it. */
function isNamedWhole(text: string): boolean {
  return !text.includes(' ') && keysOfText(text, '').length > 0;
}

/** Most values are named by no sentence, and share one reading. */
function readingOf(keys: readonly string[], words: readonly string[]): ReadText {
  return keys.length === 0 && words.length === 0 ? nothing : { keys, words };
}
