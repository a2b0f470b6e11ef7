import { isRecord } from '@portolan/contract/json-value';
import type { ReceiptRecord } from '@portolan/contract/receipts';
import { parseJson } from '../../../platform/parse-json.ts';
import type { RecordsOf, ToolRecord } from '../../../platform/tools/tool-records.ts';

/** What was read, under the reference by which a model may name it. */
export interface ReadRecord {
  readonly ref: string;
  readonly kind: Exclude<ReceiptRecord['kind'], 'hidden'>;
  /** The thing that it is; people and teams are entities too. */
  readonly thing: ReadThing | undefined;
  readonly tool: string;
  readonly call: string;
  /** The turn that read it, if it was an earlier one of the conversation. */
  readonly invocation?: string | undefined;
  readonly readAt: Date;
  /** As the tool answered; text if that was no JSON. */
  readonly value: unknown;
  /** What the tool was asked. */
  readonly asked: unknown;
}

export interface ReadThing {
  readonly blueprint: string;
  readonly identifier: string;
}

export interface ToolResult {
  readonly tool: string;
  readonly call: string;
  readonly asked: unknown;
  /** The text that the model is shown. */
  readonly text: string;
}

/** Things that earlier turns numbered, and how far the numbers got. */
export interface EarlierNumbers {
  readonly things: readonly (ReadThing & { readonly ref: string })[];
  /** The highest number of each letter. */
  readonly last: Readonly<Record<string, number>>;
}

export interface RecordNumbers {
  /** Each reading, in order; a thing that was read twice stands here twice, under one reference. */
  readonly records: readonly ReadRecord[];
  /** The highest number of each letter so far. */
  last(): Readonly<Record<string, number>>;
  /** The records of a result. Asked again for the same call, the same. */
  read(result: ToolResult): readonly ReadRecord[];
  /** The result for the model: each record has its reference as one more member, `_ref`. */
  show(result: ToolResult): string;
}

export interface NumberingPorts {
  readonly recordsOf: (tool: string) => RecordsOf | undefined;
  readonly now: () => Date;
}

const letters = { entity: 'r', person: 'u', team: 'u', figures: 'c', document: 'k', answer: 'x' } as const;

/** More than any model reads in fifteen results of 32 KiB. */
const recordsMax = 5_000;

interface Numbered {
  readonly records: readonly ReadRecord[];
  readonly told: string;
}

/**
 * Numbers records in the order in which they are shown first. A thing keeps its reference for the life of a
 * conversation; figures and documents get one with each call.
 */
export function createRecordNumbers(
  { recordsOf, now }: NumberingPorts,
  earlier: EarlierNumbers = { things: [], last: {} },
): RecordNumbers {
  const records: ReadRecord[] = [];
  const counts = new Map(Object.entries(earlier.last));
  const known = new Map<string, string>();
  for (const { ref, ...thing } of earlier.things) {
    known.set(keyOfThing(thing), ref);
    counts.set(ref.charAt(0), Math.max(counts.get(ref.charAt(0)) ?? 0, Number(ref.slice(1)) || 0));
  }
  const next = (letter: string): string => {
    const number = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, number);
    return `${letter}${number}`;
  };
  const refOf = (kind: ReadRecord['kind'], thing: ReadThing | undefined): string => {
    if (!thing) return next(letters[kind]);
    const key = keyOfThing(thing);
    const ref = known.get(key) ?? next(letters[kind]);
    known.set(key, ref);
    return ref;
  };
  const results = new Map<string, Numbered>();
  const number = (result: ToolResult): Numbered => {
    const before = results.get(result.call);
    if (before) return before;
    const made = records.length >= recordsMax ? { records: [], told: result.text } : numberResult(result);
    records.push(...made.records);
    results.set(result.call, made);
    return made;
  };
  const numberResult = ({ text, ...of }: ToolResult): Numbered => {
    const content = parseJson(text);
    const found: readonly ToolRecord[] = content === undefined ? [] : (recordsOf(of.tool)?.(content) ?? []);
    const readAt = now();
    const add = (kind: ReadRecord['kind'], value: unknown): ReadRecord => {
      const thing = thingIn(kind, value, of.asked);
      return { ref: refOf(kind, thing), kind, thing, ...of, readAt, value };
    };
    if (found.length === 0) {
      const whole = add('answer', content === undefined ? text : isRecord(content) ? { ...content } : content);
      if (!isRecord(content)) return { records: [whole], told: text };
      return { records: [whole], told: JSON.stringify({ ...content, _ref: whole.ref }) };
    }
    const made = found.map(({ kind, value }) => ({ value, record: add(kind, { ...value }) }));
    for (const { value, record } of made) value['_ref'] = record.ref;
    return { records: made.map(({ record }) => record), told: JSON.stringify(content) };
  };
  return {
    records,
    last: () => Object.fromEntries(counts),
    read: (result) => number(result).records,
    show: (result) => number(result).told,
  };
}

function keyOfThing({ blueprint, identifier }: ReadThing): string {
  return `${blueprint} ${identifier}`;
}

function thingIn(kind: ReadRecord['kind'], value: unknown, asked: unknown): ReadThing | undefined {
  if (!isRecord(value) || kind === 'figures' || kind === 'document' || kind === 'answer') return undefined;
  const text = (from: unknown, key: string): string | undefined =>
    isRecord(from) && typeof from[key] === 'string' ? from[key] : undefined;
  const identifier = text(value, 'identifier') ?? (kind === 'person' ? text(value, 'email') : undefined);
  const blueprint =
    kind === 'person' ? '_user' : kind === 'team' ? '_team' : (text(value, 'blueprint') ?? text(asked, 'blueprint'));
  return identifier === undefined || blueprint === undefined ? undefined : { blueprint, identifier };
}
