import { isRecord } from '@portolan/contract/json-value';
import { keysOfText, numberKey, phraseOf, tokensOf } from './normal-values.ts';
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

/** `keysIn` is `keysOfText`, or one that remembers. */
export function factsOf(record: ReadRecord, keysIn: (text: string) => readonly string[] = keysOfText): RecordFacts {
  const fieldsOf = new Map<string, string[]>();
  const values = new Map<string, unknown>();
  const words = new Set<string>();
  const add = (key: string, field: string): void => {
    const fields = fieldsOf.get(key);
    if (!fields) fieldsOf.set(key, [field]);
    else if (!fields.includes(field)) fields.push(field);
  };
  const take = (value: unknown, field: string, depth = 0): void => {
    if (typeof value === 'string') {
      const keys = keysIn(value);
      for (const key of keys) add(key, field);
      if (keys.length === 0 || value.includes(' ')) for (const { word } of tokensOf(value)) words.add(word);
    } else if (typeof value === 'number') add(numberKey(value), field);
    else if (typeof value === 'boolean') add(`b:${value}`, field);
    else if (Array.isArray(value)) {
      for (const item of value) take(item, field, depth + 1);
      if (depth === 0) add(numberKey(value.length), field);
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
    names: [title, identifier].flatMap((each) => (each === undefined ? [] : (phraseOf(each) ?? []))),
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
