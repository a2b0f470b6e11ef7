import { type ReceiptRecord, type Receipts, type ReceiptUnit, receiptsBytesMax } from '@portolan/contract/receipts';
import { createTurns, type TakeTurns } from '../../../platform/take-turns.ts';
import { type CheckedUnit, checkUnit, plain, type SpokenUnit, type Work } from './check-unit.ts';
import type { Mark } from './mark-scanner.ts';
import { mergeReadings } from './merge-readings.ts';
import { numbersSaid, splitWords } from './normal-values.ts';
import type { ReadRecord } from './number-records.ts';
import type { RecordFacts } from './record-facts.ts';
import { indexRun } from './run-index.ts';
import { type Unit, unitsIn } from './units.ts';

const unitsMax = 2_000;
const missingMax = 10;
const missingCharactersMax = 80;
const valueCharactersMax = 200;
const fieldsMax = 20;
/** Longer ones are no sentences. */
const unitCharactersMax = 4_000;
/** Comparisons of a sentence with a record; beyond them sentences are left unchecked. */
const workMax = 60_000;
/** Others get their turn in between. */
const sliceMs = 5;
/** Fields that every card shows anyway, and those that are no fields. */
const unshown = new Set(['title', 'identifier', 'name', 'email', 'blueprint', 'asked', 'answer']);

/** What backs each sentence of an answer. `marks` are places in the text. */
export async function makeReceipts(
  text: string,
  marks: readonly Mark[],
  records: readonly ReadRecord[],
): Promise<Receipts> {
  const pause = createTurns(sliceMs);
  const { units, isCut } = await readUnits(text, pause);
  const words = new Set<string>();
  for (const { tokens } of units) for (const { word } of tokens) words.add(word);
  const said = {
    words,
    numbers: numbersSaid(text),
    hasDays: /\d{4}|\bdays?\b/i.test(text),
    hasTimes: /\d:\d\d/.test(text),
    hasAddresses: text.includes('://'),
  };
  const index = await indexRun(mergeReadings(records), said, pause);
  const marked = marksOf(units, marks);
  const work = createWork();
  const uses = new Map<string, { count: number; fields: Set<string> }>();
  const receipts: ReceiptUnit[] = [];
  let checkable = 0;
  let backed = 0;
  let isTruncated = isCut;
  for (const [at, unit] of units.entries()) {
    const wait = pause();
    if (wait) await wait;
    const isTried = !work.isSpent && unit.text.length <= unitCharactersMax;
    const found = isTried ? checkUnit(unit, marked[at] ?? [], index, work) : plain;
    // what was not compared to its end says nothing
    const checked = work.isSpent ? plain : found;
    isTruncated ||= !isTried || work.isSpent;
    if (checked.status !== 'plain') checkable++;
    if (checked.status === 'supported' || checked.status === 'linked') backed++;
    for (const ref of checked.refs) {
      const use = uses.get(ref) ?? { count: 0, fields: new Set() };
      use.count++;
      for (const field of checked.fields.get(ref) ?? []) if (!unshown.has(field)) use.fields.add(field);
      uses.set(ref, use);
    }
    receipts.push(toUnit(unit, checked));
  }
  const used = [...uses].sort(([, a], [, b]) => b.count - a.count);
  const entries = used.map(
    ([ref, { fields }]) =>
      [ref, toRecord(index.byRef.get(ref) as RecordFacts, [...fields].slice(0, fieldsMax))] as const,
  );
  return bounded({
    version: 1,
    length: text.length,
    coverage: checkable === 0 ? null : Math.round((backed / checkable) * 100) / 100,
    invented: marks.filter(({ ref }) => !index.byRef.has(ref)).length,
    ...(isTruncated ? { truncated: true } : {}),
    units: receipts,
    records: Object.fromEntries(entries),
  });
}

function createWork(): Work {
  let left = workMax;
  return {
    spend(comparisons) {
      left -= comparisons;
    },
    get isSpent() {
      return left <= 0;
    },
  };
}

async function readUnits(
  text: string,
  pause: TakeTurns,
): Promise<{ readonly units: readonly SpokenUnit[]; readonly isCut: boolean }> {
  const units: SpokenUnit[] = [];
  for (const unit of unitsIn(text)) {
    if (units.length >= unitsMax) return { units, isCut: true };
    units.push({ ...unit, tokens: unit.text.length > unitCharactersMax ? [] : splitWords(unit.text) });
    const wait = pause();
    if (wait) await wait;
  }
  return { units, isCut: false };
}

/** The marks of each unit: those within it, and those after it with nothing but signs between. */
function marksOf(units: readonly Unit[], marks: readonly Mark[]): string[][] {
  const found = units.map(() => new Set<string>());
  let at = 0;
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    while (at + 1 < units.length && (units[at + 1] as Unit).start < mark.at) at++;
    const unit = units[at];
    if (unit && mark.at > unit.start) found[at]?.add(mark.ref);
  }
  return found.map((refs) => [...refs]);
}

function toUnit({ start, end }: Unit, { status, refs, missing }: CheckedUnit): ReceiptUnit {
  return {
    start,
    end,
    status,
    ...(refs.length > 0 ? { refs: [...refs] } : {}),
    ...(missing.length > 0
      ? { missing: missing.slice(0, missingMax).map((each) => each.slice(0, missingCharactersMax)) }
      : {}),
  };
}

function toRecord(
  { record, blueprint, identifier, title, values }: RecordFacts,
  fields: readonly string[],
): ReceiptRecord {
  const { kind, tool, call, invocation, readAt, value } = record;
  const { updatedAt } = (value ?? {}) as { updatedAt?: unknown };
  return {
    kind,
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(identifier === undefined ? {} : { identifier }),
    ...(title === undefined ? {} : { title: title.slice(0, valueCharactersMax) }),
    ...(typeof updatedAt === 'string' ? { updatedAt: updatedAt.slice(0, valueCharactersMax) } : {}),
    tool,
    call,
    ...(invocation === undefined ? {} : { invocation }),
    readAt: readAt.toISOString(),
    ...(fields.length > 0 ? { fields: [...fields] } : {}),
    ...(fields.length > 0
      ? { values: Object.fromEntries(fields.map((field) => [field, shown(values.get(field))])) }
      : {}),
  };
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax - 1)}…` : text;
}

/** Within the bound: units first, then the records that most of them rest on. */
function bounded(receipts: Receipts): Receipts {
  const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  if (size(receipts) <= receiptsBytesMax) return receipts;
  let room = receiptsBytesMax - 4_096;
  const units: ReceiptUnit[] = [];
  for (const unit of receipts.units) {
    room -= size(unit) + 1;
    if (room < 0) break;
    units.push(unit);
  }
  const records: Receipts['records'] = {};
  for (const [ref, record] of Object.entries(receipts.records)) {
    room -= size(record) + ref.length + 4;
    if (room < 0) break;
    records[ref] = record;
  }
  return { ...receipts, truncated: true, units, records };
}
