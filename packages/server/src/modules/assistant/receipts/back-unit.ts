import type { Claim } from './claims.ts';
import { numberKey } from './normal-values.ts';
import { isThingName, namesFor, type ReadUnit } from './read-unit.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RunIndex } from './run-index.ts';

const none: readonly string[] = [];

export interface Backing {
  readonly missing: readonly string[];
  /** The fields that hold the values, by reference. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Whether there is anything in it that a record could hold. */
export function isCheckable({ claims, denial, existing, fields }: ReadUnit): boolean {
  return claims.length > 0 || existing !== undefined || (denial !== undefined && fields.length > 0);
}

/** What of a sentence these records do not hold, and in which fields they hold the rest. */
export function backUnit(unit: ReadUnit, records: readonly RecordFacts[], index: RunIndex): Backing {
  const fields = new Map<string, Set<string>>();
  const use = ({ record }: RecordFacts, names: readonly string[]): void => {
    const used = fields.get(record.ref) ?? new Set();
    for (const name of names) used.add(name);
    fields.set(record.ref, used);
  };
  const missing: string[] = [];
  const things = records.filter(({ identifier }) => identifier !== undefined);
  let more: ReadonlySet<string> | undefined;
  const isDerived = (key: string): boolean => {
    more ??= derived(records, unit);
    return more.has(key);
  };
  const subject = things.length > 0 ? unit.claims.find((claim) => isThingName(claim, index)) : undefined;
  for (const claim of unit.claims) {
    const isHeld = claim === subject ? holdsSubject(unit, claim, things, index) : false;
    if (
      isHeld ||
      (claim !== subject &&
        (holds(unit, claim, records, use) || (claim.kind === 'number' && claim.keys.some(isDerived))))
    )
      continue;
    missing.push(claim.text);
  }
  if (!keepsDirections(unit, things, index)) {
    const named = unit.claims.filter((claim) => isThingName(claim, index)).map(({ text }) => text);
    missing.push(...named.filter((text) => !missing.includes(text)).slice(-1));
  }
  if (unit.denial !== undefined && !denies(unit, records, use)) missing.push(unit.denial);
  if (unit.denial === undefined && !affirms(unit, records, things, use))
    missing.push(unit.existing?.text ?? unit.text.slice(0, 60));
  return { missing, fields };
}

function isNamed({ names }: RecordFacts, phrase: string): boolean {
  return names.includes(phrase);
}

/** The first thing that a sentence names is one of the records, or is said to stand in one. */
function holdsSubject(
  unit: ReadUnit,
  { phrase = '' }: Claim,
  things: readonly RecordFacts[],
  index: RunIndex,
): boolean {
  if (things.some((each) => isNamed(each, phrase))) return true;
  return unit
    .directions()
    .some(
      ({ key, holder, held }) =>
        holder.phrase !== phrase &&
        held.phrase === phrase &&
        things.some((each) => isNamed(each, holder.phrase ?? '') && holdsIn(each, key, phrase, index)),
    );
}

function holdsIn({ fieldsOf }: RecordFacts, key: string, phrase: string, index: RunIndex): boolean {
  return namesFor(phrase, index).some((name) => fieldsOf.get(`p:${name}`)?.includes(key));
}

function holds(
  unit: ReadUnit,
  claim: Claim,
  records: readonly RecordFacts[],
  use: (record: RecordFacts, names: readonly string[]) => void,
): boolean {
  const keys = unit.keysOf(claim);
  const governing = unit.governing(claim);
  let isHeld = false;
  for (const each of records) {
    let found = none;
    for (const key of keys) {
      const fields = each.fieldsOf.get(key);
      if (fields) found = found.length === 0 ? fields : [...found, ...fields];
    }
    const fitting =
      governing.length > 0 && each.identifier !== undefined && governing.some((key) => each.values.has(key))
        ? found.filter((field) => governing.includes(field) || field === 'title' || field === 'identifier')
        : found;
    if (fitting.length === 0 && !holdsWords(each, claim)) continue;
    isHeld = true;
    use(each, fitting);
  }
  return isHeld;
}

/** A long text, or a whole answer, holds a name if it holds all its words. */
function holdsWords({ words }: RecordFacts, { phrase }: Claim): boolean {
  return words.size > 0 && phrase !== undefined && phrase.split(' ').every((word) => words.has(word));
}

/** No relation is claimed the wrong way around. */
function keepsDirections(unit: ReadUnit, things: readonly RecordFacts[], index: RunIndex): boolean {
  return unit.directions().every(({ key, holder, held }) => {
    const holders = things.filter((each) => isNamed(each, holder.phrase ?? ''));
    if (holders.some((each) => holdsIn(each, key, held.phrase ?? '', index))) return true;
    const others = things.filter((each) => isNamed(each, held.phrase ?? ''));
    return (
      !others.some((each) => holdsIn(each, key, holder.phrase ?? '', index)) &&
      !holders.some((each) => each.values.has(key))
    );
  });
}

type Use = (record: RecordFacts, names: readonly string[]) => void;

/** A denial needs an empty field, or a call that found nothing or looked for what is not. */
function denies({ fields }: ReadUnit, records: readonly RecordFacts[], use: Use): boolean {
  let isBacked = false;
  for (const each of records) {
    if (each.isNegative || each.foundNothing || each.record.kind === 'document') isBacked = true;
    if (each.identifier === undefined) continue;
    const empty = fields.map(({ key }) => key).filter((key) => each.isEmpty(key) === true);
    if (empty.length === 0) continue;
    isBacked = true;
    use(each, empty);
  }
  return isBacked;
}

/** A sentence that denies nothing rests on no search for what is not; a field that it says to be set is. */
function affirms(
  { existing, fields, claims }: ReadUnit,
  records: readonly RecordFacts[],
  things: readonly RecordFacts[],
  use: Use,
): boolean {
  const saysWhat = fields.length > 0 || claims.some(({ kind }) => kind === 'name');
  if (things.length === 0 && saysWhat && records.every(({ isNegative }) => isNegative)) return false;
  if (!existing || things.length === 0) return true;
  const set = things.filter((each) => existing.keys.some((key) => each.isEmpty(key) === false));
  for (const each of set) use(each, existing.keys);
  return set.length > 0;
}

/** Numbers that follow from the cited records together. */
function derived(records: readonly RecordFacts[], { text }: ReadUnit): Set<string> {
  const things = records.filter(({ identifier }) => identifier !== undefined);
  const keys = new Set<string>();
  if (things.length > 1) {
    keys.add(numberKey(things.length));
    const fields = new Set(things.flatMap(({ values }) => [...values.keys()]));
    for (const field of fields) {
      const numbers = things.flatMap(({ values }) =>
        typeof values.get(field) === 'number' ? [values.get(field) as number] : [],
      );
      if (numbers.length < 2) continue;
      const sum = numbers.reduce((a, b) => a + b, 0);
      for (const value of [sum, Math.min(...numbers), Math.max(...numbers), sum / numbers.length])
        keys.add(numberKey(value));
    }
  }
  if (/\bdays?\b/.test(text)) for (const days of dayDifferences(things)) keys.add(numberKey(days));
  return keys;
}

function dayDifferences(things: readonly RecordFacts[]): number[] {
  const days = things
    .flatMap(({ fieldsOf }) => [...fieldsOf.keys()].filter((key) => key.startsWith('d:')))
    .slice(0, 20)
    .map((key) => Date.parse(key.slice(2)) / 86_400_000);
  return days.flatMap((a) => days.filter((b) => b > a).map((b) => b - a));
}
