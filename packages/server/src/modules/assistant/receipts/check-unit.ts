import type { ReceiptUnit } from '@portolan/contract/receipts';
import { type Backing, backUnit, isCheckable, type ReadUnit, readUnit } from './back-unit.ts';
import { readClaims } from './claims.ts';
import type { RecordFacts } from './record-facts.ts';
import type { RunIndex } from './run-index.ts';
import type { Unit } from './units.ts';

export interface CheckedUnit {
  readonly status: ReceiptUnit['status'];
  readonly refs: readonly string[];
  readonly missing: readonly string[];
  readonly fields: Backing['fields'];
}

const plain: CheckedUnit = { status: 'plain', refs: [], missing: [], fields: new Map() };
const namedMax = 8;
const ownWords =
  /^(?:I|We) (?:am|can|could|cannot|would|did not|do not|don['’]t|need|know|answer|found no|found nothing)\b/;

/** Compares a sentence with the records that its marks name; without marks, looks for the record that backs it. */
export function checkUnit(unit: Unit, refs: readonly string[], index: RunIndex): CheckedUnit {
  const cited = refs.flatMap((ref) => index.byRef.get(ref) ?? []);
  if (cited.length === 0 && ownWords.test(unit.text)) return plain;
  const read = readUnit(unit.text, readClaims(unit.text, index), index);
  if (!isCheckable(read)) return plain;
  if (cited.length === 0) return linkUnit(read, index);
  const backing = backUnit(read, cited, index);
  const status = backing.missing.length === 0 ? 'supported' : 'partly';
  return { status, refs: cited.map(({ record }) => record.ref), ...backing };
}

function linkUnit(unit: ReadUnit, index: RunIndex): CheckedUnit {
  const named = namedIn(unit, index);
  const linked = (records: readonly RecordFacts[]): CheckedUnit | undefined => {
    const backing = backUnit(unit, records, index);
    return backing.missing.length > 0
      ? undefined
      : { status: 'linked', refs: records.map(({ record }) => record.ref), ...backing };
  };
  // what a sentence names, each alone, as it was read last first; then two of them
  for (const things of named)
    for (const each of things.toReversed()) {
      const found = linked([each]);
      if (found) return found;
    }
  const [first, second] = named;
  if (first && second) {
    for (const a of first.toReversed())
      for (const b of second.toReversed()) {
        const found = linked([a, b]);
        if (found) return found;
      }
  }
  const others = holdersOfAll(unit, index).filter(({ record }) => named.length === 0 || record.kind === 'figures');
  const backed = others.flatMap((each) => linked([each]) ?? []);
  const whole = new Set(others.map((each) => identityOf(each)));
  if (backed.length > 0 && whole.size === 1) return backed.at(-1) as CheckedUnit;
  if (backed.length > 1) return plain;
  if (backed[0]) return backed[0];
  const [best] = (named[0] ?? [])
    .map((each) => ({ each, backing: backUnit(unit, [each], index) }))
    .sort((a, b) => a.backing.missing.length - b.backing.missing.length);
  if (best) return { status: 'partly', refs: [best.each.record.ref], ...best.backing };
  const missing = unit.claims.filter(({ keys }) => !keys.some((key) => index.holders.has(key))).map(({ text }) => text);
  return { status: 'unsupported', refs: [], missing, fields: new Map() };
}

/** The readings of each thing that a sentence names. */
function namedIn({ claims }: ReadUnit, index: RunIndex): RecordFacts[][] {
  const byIdentity = new Map<string, RecordFacts[]>();
  for (const { phrase } of claims) {
    for (const each of (phrase === undefined ? undefined : index.named.get(phrase)) ?? []) {
      const known = byIdentity.get(identityOf(each));
      if (!known) byIdentity.set(identityOf(each), [each]);
      else if (!known.includes(each)) known.push(each);
    }
    if (byIdentity.size >= namedMax) break;
  }
  return [...byIdentity.values()].slice(0, namedMax);
}

function identityOf({ record, blueprint, identifier }: RecordFacts): string {
  if (identifier !== undefined) return `${record.kind} ${blueprint} ${identifier}`;
  return record.kind === 'figures' ? `${record.tool} ${JSON.stringify(record.asked)}` : record.ref;
}

/** Records that hold every value, found from the value that the fewest hold. */
function holdersOfAll({ claims, denial }: ReadUnit, index: RunIndex): RecordFacts[] {
  if (claims.length === 0)
    return denial === undefined ? [] : index.facts.filter((each) => each.isNegative || each.foundNothing);
  const lists = claims.map(({ keys }) => [...new Set(keys.flatMap((key) => index.holders.get(key) ?? []))]);
  const [fewest = []] = [...lists].sort((a, b) => a.length - b.length);
  const found = fewest.filter((each) => lists.every((list) => list === fewest || holdsOne(each, list)));
  const better = found.filter(({ record }) => record.kind !== 'answer');
  return better.length > 0 ? better : found;
}

function holdsOne(each: RecordFacts, list: readonly RecordFacts[]): boolean {
  return list.includes(each);
}
