import type { ReceiptUnit } from '@portolan/contract/receipts';
import { type Backing, backUnit, isCheckable } from './back-unit.ts';
import { type Claim, readClaims } from './claims.ts';
import type { Token } from './normal-values.ts';
import { type ReadUnit, readUnit } from './read-unit.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RunIndex } from './run-index.ts';
import type { Unit } from './units.ts';

export interface CheckedUnit {
  readonly status: ReceiptUnit['status'];
  readonly refs: readonly string[];
  readonly missing: readonly string[];
  readonly fields: Backing['fields'];
}

export interface SpokenUnit extends Unit {
  readonly tokens: readonly Token[];
}

/** What comparing may still cost; nothing is compared once it is spent. */
export interface Work {
  spend(comparisons: number): void;
  readonly isSpent: boolean;
}

/** A sentence and a record, before their values. */
const comparisonCost = 4;
const citedMax = 50;

export const plain: CheckedUnit = { status: 'plain', refs: [], missing: [], fields: new Map() };
const namedMax = 8;
const ownWords =
  /^(?:I|We) (?:am|can|could|cannot|would|did not|do not|don['’]t|need|know|answer|found no|found nothing)\b/;

/** Compares a sentence with the records that its marks name; without marks, looks for the record that backs it. */
export function checkUnit(unit: SpokenUnit, refs: readonly string[], index: RunIndex, work: Work): CheckedUnit {
  const cited = refs.flatMap((ref) => index.byRef.get(ref) ?? []).slice(0, citedMax);
  if (cited.length === 0 && ownWords.test(unit.text)) return plain;
  const read = readUnit(unit.text, readClaims(unit.text, unit.tokens, index), index);
  if (!isCheckable(read)) return plain;
  work.spend(unit.text.length / 20);
  if (cited.length === 0) return linkUnit(read, index, work);
  work.spend(cited.length * (comparisonCost + read.claims.length));
  const backing = backUnit(read, cited, index);
  const status = backing.missing.length === 0 ? 'supported' : 'partly';
  return { status, refs: cited.map(({ record }) => record.ref), ...backing };
}

function linkUnit(unit: ReadUnit, index: RunIndex, work: Work): CheckedUnit {
  const named = namedIn(unit, index);
  const linked = (records: readonly RecordFacts[]): CheckedUnit | undefined => {
    if (work.isSpent) return undefined;
    work.spend(comparisonCost + unit.claims.length);
    const backing = backUnit(unit, records, index);
    return backing.missing.length > 0
      ? undefined
      : { status: 'linked', refs: records.map(({ record }) => record.ref), ...backing };
  };
  // what a sentence names, each alone; then two of them
  for (const each of named) {
    const found = linked([each]);
    if (found) return found;
  }
  const [first, second] = named;
  if (first && second) {
    const found = linked([first, second]);
    if (found) return found;
  }
  const others = holdersOfAll(unit, index, work).filter(
    ({ record }) => named.length === 0 || record.kind === 'figures',
  );
  const found = onlyOne(others, linked);
  if (found) return found;
  const [best] = named
    .map((each) => ({ each, backing: backUnit(unit, [each], index) }))
    .sort((a, b) => a.backing.missing.length - b.backing.missing.length);
  if (best) return { status: 'partly', refs: [best.each.record.ref], ...best.backing };
  const missing = unit.claims.filter(({ keys }) => !keys.some((key) => index.holders.has(key))).map(({ text }) => text);
  return { status: 'unsupported', refs: [], missing, fields: new Map() };
}

/** The record that alone backs a sentence, or the last of several readings of one; `plain` if several things do. */
function onlyOne(
  others: readonly RecordFacts[],
  linked: (records: readonly RecordFacts[]) => CheckedUnit | undefined,
): CheckedUnit | undefined {
  let backed: CheckedUnit | undefined;
  for (const each of others) {
    const found = linked([each]);
    if (!found) continue;
    if (backed && others.some(({ identity }) => identity !== each.identity)) return plain;
    backed = found;
  }
  return backed;
}

/** The things that a sentence names. */
function namedIn({ claims }: ReadUnit, index: RunIndex): RecordFacts[] {
  const found = new Set<RecordFacts>();
  for (const { phrase } of claims) {
    for (const each of (phrase === undefined ? undefined : index.named.get(phrase)) ?? []) {
      found.add(each);
      if (found.size >= namedMax) return [...found];
    }
  }
  return [...found];
}

/** Loops, because it is asked of every holder of a value for every sentence. */
function holdsEach({ fieldsOf }: RecordFacts, claims: readonly Claim[]): boolean {
  next: for (const { keys } of claims) {
    for (const key of keys) if (fieldsOf.has(key)) continue next;
    return false;
  }
  return true;
}

/** Records that hold every value, found from the value that the fewest hold. */
function holdersOfAll({ claims, denial }: ReadUnit, index: RunIndex, work: Work): RecordFacts[] {
  if (claims.length === 0)
    return denial === undefined ? [] : index.facts.filter((each) => each.isNegative || each.foundNothing);
  const held = claims.map(({ keys }) => keys.reduce((sum, key) => sum + (index.holders.get(key)?.length ?? 0), 0));
  const fewest = claims[held.indexOf(Math.min(...held))] as Claim;
  const lists = fewest.keys.flatMap((key) => {
    const list = index.holders.get(key);
    return list ? [list] : [];
  });
  const holders = lists.length === 1 ? (lists[0] as readonly RecordFacts[]) : [...new Set(lists.flat())];
  work.spend(holders.length * claims.length);
  const found = holders.filter((each) => holdsEach(each, claims));
  const better = found.filter(({ record }) => record.kind !== 'answer');
  return better.length > 0 ? better : found;
}
