import { isRecord } from '@portolan/contract/json-value';
import type { PhraseForms } from './normal-values.ts';
import type { ReadRecord } from './number-records.ts';
import type { Reading } from './read-values.ts';

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
const none: readonly string[] = [];
const noWords: ReadonlySet<string> = new Set();

/** Takes the values of one record after the other. */
class FactsReader implements RecordFacts {
  readonly fieldsOf = new Map<string, readonly string[]>();
  readonly names: readonly string[];
  readonly identifier: string | undefined;
  readonly title: string | undefined;
  readonly blueprint: string | undefined;
  readonly isNegative: boolean;
  readonly foundNothing: boolean;
  readonly record: ReadRecord;
  readonly #reading: Reading;
  /** Few records are looked at that closely. */
  #values: ReadonlyMap<string, unknown> | undefined;
  #words: Set<string> | undefined;

  constructor(record: ReadRecord, reading: Reading) {
    this.record = record;
    this.#reading = reading;
    const { value, kind, thing } = record;
    const content = isRecord(value) ? value : undefined;
    this.#eachField(this);
    const isThing = kind === 'entity' || kind === 'person' || kind === 'team';
    this.identifier = isThing
      ? (thing?.identifier ?? textIn(content, 'identifier') ?? textIn(content, 'email'))
      : undefined;
    this.blueprint = kind === 'entity' ? (thing?.blueprint ?? textIn(content, 'blueprint')) : undefined;
    this.title = isThing ? (textIn(content, 'title') ?? textIn(content, 'name')) : undefined;
    this.names = namesIn(this.title, this.identifier, reading.phrases);
    this.isNegative = kind === 'figures' && asksForAbsence(record.asked);
    this.foundNothing =
      kind === 'figures' &&
      (content?.['total'] === 0 || content?.['count'] === 0 || (content !== undefined && content['value'] === null));
  }

  get identity(): string {
    const { kind, tool, asked, ref } = this.record;
    if (this.identifier !== undefined) return `${kind} ${this.blueprint} ${this.identifier}`;
    return kind === 'figures' ? `${tool} ${JSON.stringify(asked)}` : ref;
  }

  get values(): ReadonlyMap<string, unknown> {
    if (this.#values) return this.#values;
    const values = new Map<string, unknown>();
    this.#eachField({ field: (key, value) => void values.set(key, value), take: () => undefined });
    this.#values = values;
    return values;
  }

  get words(): ReadonlySet<string> {
    return this.#words ?? noWords;
  }

  isEmpty(key: string): boolean | undefined {
    return isEmptyField(this.record, this.values, key);
  }

  field(key: string, value: unknown): void {
    if (this.record.kind === 'entity') this.#reading.fields.add(key);
    this.take(value, key);
  }

  #eachField(use: FieldUse): void {
    const { value, kind } = this.record;
    const content = isRecord(value) ? value : undefined;
    if (kind === 'figures') takeFigures(this.record, content ?? {}, use);
    else if (kind === 'answer' || kind === 'document' || !content) use.take(value, 'answer');
    else takeThing(content, use);
  }

  #addWord(word: string): void {
    this.#words ??= new Set();
    this.#words.add(word);
  }

  take(value: unknown, field: string, depth = 0): void {
    if (typeof value === 'string') {
      const { keys, words } = this.#reading.read(value);
      for (const key of keys) this.#add(key, field);
      for (const word of words) this.#addWord(word);
    } else if (typeof value === 'number') this.#addNumber(value, field);
    else if (Array.isArray(value) && depth < depthMax) {
      for (const item of value) this.take(item, field, depth + 1);
      if (depth === 0) this.#addNumber(value.length, field);
    } else if (isRecord(value) && depth < depthMax) {
      for (const key of Object.keys(value)) {
        if (depth > 0 || this.record.kind === 'answer') this.#addWord(key.toLowerCase());
        this.take(value[key], field, depth + 1);
      }
    }
  }

  #addNumber(value: number, field: string): void {
    const key = this.#reading.saidNumber(value);
    if (key !== undefined) this.#add(key, field);
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

function namesIn(title: string | undefined, identifier: string | undefined, phrases: PhraseForms): readonly string[] {
  const first = title === undefined ? undefined : phrases.of(title)?.phrase;
  const second = identifier === undefined ? undefined : phrases.of(identifier)?.phrase;
  if (first === undefined) return second === undefined ? none : [second];
  return second === undefined ? [first] : [first, second];
}

interface FieldUse {
  field(key: string, value: unknown): void;
  /** A value that is no field of its own. */
  take(value: unknown, field: string): void;
}

function takeThing(content: Record<string, unknown>, facts: FieldUse): void {
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
function takeFigures({ asked }: ReadRecord, content: Record<string, unknown>, facts: FieldUse): void {
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
