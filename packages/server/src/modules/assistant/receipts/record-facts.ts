import { isRecord } from '@portolan/contract/json-value';
import { keysOfText, numberKey, splitWords, toPhrase } from './normal-values.ts';
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
const depthMax = 6;

/** How values are read: only what a sentence of one text can name. */
export interface Reading {
  keysOf(text: string): readonly string[];
  /** Words of texts that nobody names whole. */
  wordsOf(text: string): readonly string[];
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
}

/** Values repeat from record to record, so what they are is remembered. */
export function createReading({ words: said, numbers, names }: Said): Reading {
  const isWanted = (word: string): boolean => said.has(word) || said.has(`${word}s`);
  const isPhraseSaid = (phrase: string): boolean =>
    names.has(phrase) || phrase.split(' ').every((each) => said.has(each));
  const read = new Set<string>();
  const readText = (text: string): { keys: readonly string[]; words: readonly string[] } => {
    const all = keysOfText(text);
    const keys = all.filter((key) => {
      if (key.startsWith('n:')) return numbers.has(key);
      if (!key.startsWith('p:')) return true;
      const phrase = key.slice(2);
      for (const part of phrase.split(' ')) if (isWanted(part)) read.add(part);
      return isPhraseSaid(phrase);
    });
    const isNamed = all.length > 0 && !text.includes(' ');
    const words = isNamed ? [] : splitWords(text).flatMap(({ word }) => (isWanted(word) ? word : []));
    for (const word of words) read.add(word);
    return { keys, words };
  };
  const known = new Map<string, ReturnType<typeof readText>>();
  const remembered = (text: string): ReturnType<typeof readText> => {
    const before = known.get(text);
    if (before) return before;
    const made = readText(text);
    known.set(text, made);
    return made;
  };
  const single = new Map<string, readonly string[]>();
  return {
    keysOf: (text) => remembered(text).keys,
    wordsOf: (text) => remembered(text).words,
    hasRead: (word) => read.has(word),
    isSaid: (key) => numbers.has(key),
    alone(field) {
      const list = single.get(field) ?? [field];
      single.set(field, list);
      return list;
    },
  };
}

export function readFacts(record: ReadRecord, reading: Reading): RecordFacts {
  const fieldsOf = new Map<string, readonly string[]>();
  const values = new Map<string, unknown>();
  const words = new Set<string>();
  const add = (key: string, field: string): void => {
    const fields = fieldsOf.get(key);
    if (!fields) fieldsOf.set(key, reading.alone(field));
    else if (!fields.includes(field)) fieldsOf.set(key, [...fields, field]);
  };
  const addNumber = (value: number, field: string): void => {
    const key = numberKey(value);
    if (reading.isSaid(key)) add(key, field);
  };
  const take = (value: unknown, field: string, depth = 0): void => {
    if (typeof value === 'string') {
      for (const key of reading.keysOf(value)) add(key, field);
      for (const word of reading.wordsOf(value)) words.add(word);
    } else if (typeof value === 'number') addNumber(value, field);
    else if (typeof value === 'boolean') add(`b:${value}`, field);
    else if (Array.isArray(value) && depth < depthMax) {
      for (const item of value) take(item, field, depth + 1);
      if (depth === 0) addNumber(value.length, field);
    } else if (isRecord(value) && depth < depthMax) {
      for (const [key, item] of Object.entries(value)) {
        if (depth > 0 || record.kind === 'answer') words.add(key.toLowerCase());
        take(item, field, depth + 1);
      }
    }
  };
  const field = (key: string, value: unknown): void => {
    values.set(key, value);
    take(value, key);
  };
  const { value, kind } = record;
  const content = isRecord(value) ? value : undefined;
  if (kind === 'figures') takeFigures(record, content ?? {}, field, take);
  else if (kind === 'answer' || kind === 'document' || !content) take(value, 'answer');
  else takeThing(content, field);
  const text = (key: string): string | undefined =>
    typeof content?.[key] === 'string' ? (content[key] as string) : undefined;
  const isThing = kind === 'entity' || kind === 'person' || kind === 'team';
  const identifier = isThing ? (record.thing?.identifier ?? text('identifier') ?? text('email')) : undefined;
  const blueprint = kind === 'entity' ? (record.thing?.blueprint ?? text('blueprint')) : undefined;
  const title = isThing ? (text('title') ?? text('name')) : undefined;
  return {
    record,
    identifier,
    title,
    blueprint,
    identity:
      identifier !== undefined
        ? `${kind} ${blueprint} ${identifier}`
        : kind === 'figures'
          ? `${record.tool} ${JSON.stringify(record.asked)}`
          : record.ref,
    names: [title, identifier].flatMap((each) => (each === undefined ? [] : (toPhrase(each) ?? []))),
    fieldsOf,
    values,
    words,
    isEmpty: (key) => isEmptyField(record, values, key),
    isNegative: kind === 'figures' && asksForAbsence(record.asked),
    foundNothing:
      kind === 'figures' &&
      (content?.['total'] === 0 || content?.['count'] === 0 || (content !== undefined && content['value'] === null)),
  };
}

function takeThing(content: Record<string, unknown>, field: (key: string, value: unknown) => void): void {
  for (const key of subjectFields) if (typeof content[key] === 'string') field(key, content[key]);
  for (const part of ['properties', 'relations'] as const) {
    if (isRecord(content[part])) for (const [key, value] of Object.entries(content[part])) field(key, value);
  }
  if (isRecord(content['scorecards'])) {
    for (const [key, value] of Object.entries(content['scorecards'])) {
      field(key, isRecord(value) ? { level: value['level'] } : value);
    }
  }
  for (const [key, value] of Object.entries(content)) if (!own.has(key)) field(key, value);
}

/** The figures, and what was asked for: "Services in Go: 3" rests on both. */
function takeFigures(
  { asked }: ReadRecord,
  content: Record<string, unknown>,
  field: (key: string, value: unknown) => void,
  take: (value: unknown, field: string) => void,
): void {
  const lists = Object.values(content).filter(Array.isArray);
  for (const [key, value] of Object.entries(content)) {
    if (key === 'groups') field(key, value);
    else if (typeof value !== 'object') field(key, value);
  }
  const total = content['total'];
  const shown = Math.max(0, ...lists.map((list) => list.length));
  if (lists.length > 0) take(shown, 'total');
  // "… and 3 more"
  if (typeof total === 'number' && total > shown) take(total - shown, 'total');
  take(asked, 'asked');
  for (const days of spansIn(asked)) take(days, 'asked');
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
