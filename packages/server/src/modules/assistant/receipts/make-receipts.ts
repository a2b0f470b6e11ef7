import { type ReceiptRecord, type Receipts, type ReceiptUnit, receiptsBytesMax } from '@portolan/contract/receipts';
import { checkUnit } from './check-unit.ts';
import type { Mark } from './mark-scanner.ts';
import type { ReadRecord } from './number-records.ts';
import type { RecordFacts } from './record-facts.ts';
import { indexRun } from './run-index.ts';
import { splitUnits, type Unit } from './units.ts';

const unitsMax = 2_000;
const missingMax = 10;
const missingCharactersMax = 80;
const valueCharactersMax = 200;
const fieldsMax = 20;
/** Fields that every card shows anyway, and those that are no fields. */
const unshown = new Set(['title', 'identifier', 'name', 'email', 'blueprint', 'asked', 'answer']);

/** What backs each sentence of an answer. `marks` are places in the text. */
export function makeReceipts(text: string, marks: readonly Mark[], records: readonly ReadRecord[]): Receipts {
  const index = indexRun(records);
  const units = splitUnits(text).slice(0, unitsMax);
  const marked = marksOf(units, marks);
  const uses = new Map<string, { count: number; fields: Set<string> }>();
  let checkable = 0;
  let backed = 0;
  const receipts = units.map((unit, at): ReceiptUnit => {
    const { status, refs, missing, fields } = checkUnit(unit, marked[at] ?? [], index);
    if (status !== 'plain') checkable++;
    if (status === 'supported' || status === 'linked') backed++;
    for (const ref of refs) {
      const use = uses.get(ref) ?? { count: 0, fields: new Set() };
      use.count++;
      for (const field of fields.get(ref) ?? []) if (!unshown.has(field)) use.fields.add(field);
      uses.set(ref, use);
    }
    return {
      start: unit.start,
      end: unit.end,
      status,
      ...(refs.length > 0 ? { refs: [...refs] } : {}),
      ...(missing.length > 0
        ? { missing: missing.slice(0, missingMax).map((each) => each.slice(0, missingCharactersMax)) }
        : {}),
    };
  });
  const used = [...uses].sort(([, a], [, b]) => b.count - a.count);
  const entries = used.map(
    ([ref, { fields }]) =>
      [ref, toRecord(index.byRef.get(ref) as RecordFacts, [...fields].slice(0, fieldsMax))] as const,
  );
  return bounded({
    version: 1,
    coverage: checkable === 0 ? null : Math.round((backed / checkable) * 100) / 100,
    invented: marks.filter(({ ref }) => !index.byRef.has(ref)).length,
    units: receipts,
    records: Object.fromEntries(entries),
  });
}

/** The marks of each unit: those within it, and those after it with nothing but signs between. */
function marksOf(units: readonly Unit[], marks: readonly Mark[]): string[][] {
  const found = units.map((): string[] => []);
  let at = 0;
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    while (at + 1 < units.length && (units[at + 1] as Unit).start < mark.at) at++;
    const refs = found[at];
    if (refs && units[at] && mark.at > (units[at] as Unit).start && !refs.includes(mark.ref)) refs.push(mark.ref);
  }
  return found;
}

function toRecord(
  { record, blueprint, identifier, title, values }: RecordFacts,
  fields: readonly string[],
): ReceiptRecord {
  const { kind, tool, call, readAt, value } = record;
  const version = (value as { version?: unknown } | null)?.version;
  return {
    kind,
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(identifier === undefined ? {} : { identifier }),
    ...(title === undefined ? {} : { title: title.slice(0, valueCharactersMax) }),
    ...(typeof version === 'number' && Number.isSafeInteger(version) ? { version } : {}),
    tool,
    call,
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
  return { ...receipts, units, records };
}
