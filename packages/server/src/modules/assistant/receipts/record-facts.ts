import { isRecord } from '@portolan/contract/json-value';
import { keysOfText, numberKey, type PhraseForms, splitWords } from './normal-values.ts';
import type { ReadRecord } from './number-records.ts';

/** What a record says, ready for comparison. */
export interface RecordFacts {
  readonly record: ReadRecord;
  /** The same for readings of the same thing, and for calls that asked the same. */
  readonly identity: string;
  /** Names of a single thing: its titles and identifiers. */
  readonly names: readonly string[];
  readonly identifier: string | undefined;
  readonly title: string | undefined;
  readonly blueprint: string | undefined;
  /** The fields in which a value stands. */
  readonly fieldsOf: ReadonlyMap<string, readonly string[]>;
  readonly values: ReadonlyMap<string, unknown>;
  /** Whether this field is known to be empty; undefined if it was not read. */
  isEmpty(field: string): boolean | undefined;
  /** Words of long texts, and of whole answers, which nobody names whole. */
  readonly words: ReadonlySet<string>;
  /** A call that found nothing, or that asked for what is not. */
  readonly isNegative: boolean;
  readonly foundNothing: boolean;
}

const subjectFields = ['title', 'identifier', 'name', 'email', 'blueprint'];
const own = new Set([...subjectFields, 'properties', 'relations', 'scorecards', '_ref']);
const parts = ['properties', 'relations'] as const;
const depthMax = 6;

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
  /** Whether the text has the number of this key. */
  isSaid(key: string): boolean;
  /** A list of one field, shared by all records. */
  alone(field: string): readonly string[];
}

/** What a text says. */
export interface Said {
  readonly words: ReadonlySet<string>;
  /** Keys of its numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Other names of the things that it may name. */
  readonly names: ReadonlySet<string>;
  readonly phrases: PhraseForms;
}

/** Values repeat from record to record, so what they are is remembered. */
export function createReading({ words: said, numbers, names, phrases }: Said): Reading {
  const isWanted = (word: string): boolean => said.has(word) || said.has(`${word}s`);
  const isPhraseSaid = (phrase: string): boolean => names.has(phrase) || isEveryWord(phrase, isSaid);
  const isSaid = (word: string): boolean => said.has(word);
  const read = new Set<string>();
  const note = (word: string): void => {
    if (isWanted(word)) read.add(word);
  };
  const readText = (text: string): ReadText => {
    const all = keysOfText(text, phrases.of(text));
    let keys = none;
    for (const key of all) {
      if (key.startsWith('n:')) {
        if (!numbers.has(key)) continue;
      } else if (key.startsWith('p:')) {
        const phrase = key.slice(2);
        eachWord(phrase, note);
        if (!isPhraseSaid(phrase)) continue;
      }
      keys = keys.length === 0 ? [key] : [...keys, key];
    }
    const isNamed = all.length > 0 && !text.includes(' ');
    const words = isNamed ? none : splitWords(text).flatMap(({ word }) => (isWanted(word) ? word : []));
    for (const word of words) read.add(word);
    return { keys, words };
  };
  const known = new Map<string, ReadText>();
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
    isSaid: (key) => numbers.has(key),
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

/** The words of a phrase, without a list of them for each look. */
function isEveryWord(phrase: string, fits: (word: string) => boolean): boolean {
  return phrase.includes(' ') ? phrase.split(' ').every(fits) : fits(phrase);
}

function eachWord(phrase: string, use: (word: string) => void): void {
  if (phrase.includes(' ')) for (const word of phrase.split(' ')) use(word);
  else use(phrase);
}

/** Takes the values of one record after the other. */
class FactsReader implements RecordFacts {
  readonly fieldsOf = new Map<string, readonly string[]>();
  readonly values = new Map<string, unknown>();
  readonly words = new Set<string>();
  readonly identity: string;
  readonly names: readonly string[];
  readonly identifier: string | undefined;
  readonly title: string | undefined;
  readonly blueprint: string | undefined;
  readonly isNegative: boolean;
  readonly foundNothing: boolean;
  readonly record: ReadRecord;
  readonly #reading: Reading;

  constructor(record: ReadRecord, reading: Reading) {
    this.record = record;
    this.#reading = reading;
    const { value, kind, thing } = record;
    const content = isRecord(value) ? value : undefined;
    if (kind === 'figures') takeFigures(record, content ?? {}, this);
    else if (kind === 'answer' || kind === 'document' || !content) this.take(value, 'answer');
    else takeThing(content, this);
    const isThing = kind === 'entity' || kind === 'person' || kind === 'team';
    this.identifier = isThing
      ? (thing?.identifier ?? textIn(content, 'identifier') ?? textIn(content, 'email'))
      : undefined;
    this.blueprint = kind === 'entity' ? (thing?.blueprint ?? textIn(content, 'blueprint')) : undefined;
    this.title = isThing ? (textIn(content, 'title') ?? textIn(content, 'name')) : undefined;
    this.identity =
      this.identifier !== undefined
        ? `${kind} ${this.blueprint} ${this.identifier}`
        : kind === 'figures'
          ? `${record.tool} ${JSON.stringify(record.asked)}`
          : record.ref;
    this.names = [this.title, this.identifier].flatMap((each) =>
      each === undefined ? [] : (reading.phrases.of(each) ?? []),
    );
    this.isNegative = kind === 'figures' && asksForAbsence(record.asked);
    this.foundNothing =
      kind === 'figures' &&
      (content?.['total'] === 0 || content?.['count'] === 0 || (content !== undefined && content['value'] === null));
  }

  isEmpty(key: string): boolean | undefined {
    return isEmptyField(this.record, this.values, key);
  }

  field(key: string, value: unknown): void {
    this.values.set(key, value);
    this.take(value, key);
  }

  take(value: unknown, field: string, depth = 0): void {
    if (typeof value === 'string') {
      const { keys, words } = this.#reading.read(value);
      for (const key of keys) this.#add(key, field);
      for (const word of words) this.words.add(word);
    } else if (typeof value === 'number') this.#addNumber(value, field);
    else if (typeof value === 'boolean') this.#add(`b:${value}`, field);
    else if (Array.isArray(value) && depth < depthMax) {
      for (const item of value) this.take(item, field, depth + 1);
      if (depth === 0) this.#addNumber(value.length, field);
    } else if (isRecord(value) && depth < depthMax) {
      for (const key of Object.keys(value)) {
        if (depth > 0 || this.record.kind === 'answer') this.words.add(key.toLowerCase());
        this.take(value[key], field, depth + 1);
      }
    }
  }

  #addNumber(value: number, field: string): void {
    const key = numberKey(value);
    if (this.#reading.isSaid(key)) this.#add(key, field);
  }

  #add(key: string, field: string): void {
    const fields = this.fieldsOf.get(key);
    if (!fields) this.fieldsOf.set(key, this.#reading.alone(field));
    else if (!fields.includes(field)) this.fieldsOf.set(key, [...fields, field]);
  }
}

export function readFacts(record: ReadRecord, reading: Reading): RecordFacts {
  return new FactsReader(record, reading);
}

function textIn(content: Record<string, unknown> | undefined, key: string): string | undefined {
  const value = content?.[key];
  return typeof value === 'string' ? value : undefined;
}

function takeThing(content: Record<string, unknown>, facts: FactsReader): void {
  for (const key of subjectFields) if (typeof content[key] === 'string') facts.field(key, content[key]);
  for (const part of parts) {
    const inside = content[part];
    if (isRecord(inside)) for (const key of Object.keys(inside)) facts.field(key, inside[key]);
  }
  if (isRecord(content['scorecards'])) {
    for (const [key, value] of Object.entries(content['scorecards'])) {
      facts.field(key, isRecord(value) ? { level: value['level'] } : value);
    }
  }
  for (const key of Object.keys(content)) if (!own.has(key)) facts.field(key, content[key]);
}

/** The figures, and what was asked for: "Services in Go: 3" rests on both. */
function takeFigures({ asked }: ReadRecord, content: Record<string, unknown>, facts: FactsReader): void {
  const lists = Object.values(content).filter(Array.isArray);
  for (const [key, value] of Object.entries(content)) {
    if (key === 'groups') facts.field(key, value);
    else if (typeof value !== 'object') facts.field(key, value);
  }
  const total = content['total'];
  const shown = Math.max(0, ...lists.map((list) => list.length));
  if (lists.length > 0) facts.take(shown, 'total');
  // "… and 3 more"
  if (typeof total === 'number' && total > shown) facts.take(total - shown, 'total');
  facts.take(asked, 'asked');
  for (const days of spansIn(asked)) facts.take(days, 'asked');
}

/** The lengths in days of the spans in a query. */
function spansIn(asked: unknown, depth = 0): number[] {
  if (depth > depthMax || typeof asked !== 'object' || asked === null) return [];
  const { from, to } = asked as { from?: unknown; to?: unknown };
  const length =
    typeof from === 'string' && typeof to === 'string' ? (Date.parse(to) - Date.parse(from)) / 86_400_000 : Number.NaN;
  return [
    ...(Number.isNaN(length) ? [] : [Math.round(length)]),
    ...Object.values(asked).flatMap((each) => spansIn(each, depth + 1)),
  ];
}

const absent = new Set(['isEmpty', '!=', 'notIn', 'doesNotContain', 'doesNotContains']);

/** Whether a query asks for what something is not, or does not have. */
function asksForAbsence(asked: unknown, depth = 0): boolean {
  if (depth > depthMax * 2 || typeof asked !== 'object' || asked === null) return false;
  if (Array.isArray(asked)) return asked.some((each) => asksForAbsence(each, depth + 1));
  const { operator, property, value } = asked as Record<string, unknown>;
  if (property !== '$blueprint' && typeof operator === 'string' && absent.has(operator)) {
    if (property !== '$identifier' || operator === 'notIn') return true;
  }
  if (value === 'Not passed' || (operator === '=' && value === false)) return true;
  return Object.values(asked).some((each) => asksForAbsence(each, depth + 1));
}

function isEmptyField({ asked }: ReadRecord, values: ReadonlyMap<string, unknown>, key: string): boolean | undefined {
  if (values.has(key)) {
    const value = values.get(key);
    return value === null || value === '' || value === undefined || (Array.isArray(value) && value.length === 0);
  }
  // tools leave empty values out, and those that nobody asked for
  const include = isRecord(asked) ? asked['include'] : undefined;
  return !Array.isArray(include) || include.includes(key) ? true : undefined;
}
