import type { Claim, Claims } from './claims.ts';
import { numberKey } from './normal-values.ts';
import type { RecordFacts } from './record-facts.ts';
import { fieldsIn, type RunIndex } from './run-index.ts';

/** A sentence, read once and compared with as many records as needed. */
export interface ReadUnit extends Claims {
  readonly text: string;
  readonly fields: ReturnType<typeof fieldsIn>;
  /** Keys of a claim, under all names of what it names. */
  keysOf(claim: Claim): readonly string[];
  /** The fields that the words before a value name. */
  governing(claim: Claim): readonly string[];
  directions(): readonly Direction[];
  /** The word that denies something, if one does. */
  readonly denial: string | undefined;
  /** A field that the sentence says to be set. */
  readonly existing: { readonly text: string; readonly keys: readonly string[] } | undefined;
}

export interface Backing {
  readonly missing: readonly string[];
  /** The fields that hold the values, by reference. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
}

const denials =
  /\b(?:no|none|not|nobody|never|without|lacks?|lacking|missing|neither|nor|unset|unowned|orphaned|cannot|fail(?:s|ed|ing)?|nothing)\b|n['’]t\b/i;
const existence = /\b(?:has|have|having|with)\s+(?:an?\s+|any\s+|its\s+own\s+)?$/i;

export function readUnit(text: string, claims: Claims, index: RunIndex): ReadUnit {
  const fields = fieldsIn(index, claims.words);
  const denial = denials.exec(claims.rest)?.[0];
  const named = denial ? undefined : fields.find(({ start }) => existence.test(claims.rest.slice(0, start)));
  const keys = fields.filter(({ start }) => start === named?.start).map(({ key }) => key);
  const existing = named && { text: text.slice(named.start, named.end), keys };
  const read = { ...claims, text, fields, denial, existing };
  const keysOf = new Map<Claim, readonly string[]>();
  const governing = new Map<Claim, readonly string[]>();
  let directions: readonly Direction[] | undefined;
  return {
    ...read,
    keysOf: (claim) => orMade(keysOf, claim, () => keysUnderAllNames(claim, index)),
    governing: (claim) => orMade(governing, claim, () => governingFields(read, claim, index)),
    directions: () => {
      directions ??= directionsIn(read, index);
      return directions;
    },
  };
}

type Sentence = Pick<ReadUnit, 'claims' | 'rest' | 'text' | 'fields'>;

function orMade<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

function keysUnderAllNames({ keys, phrase }: Claim, index: RunIndex): readonly string[] {
  if (phrase === undefined) return keys;
  return [...new Set([...keys, ...namesFor(phrase, index).map((name) => `p:${name}`)])];
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

function isThingName({ phrase }: Claim, index: RunIndex): boolean {
  return phrase !== undefined && index.named.has(phrase);
}

/** A name and the other names of what it names. */
function namesFor(phrase: string, index: RunIndex): string[] {
  const others = (index.named.get(phrase) ?? []).slice(0, 20).flatMap(({ names }) => names);
  return [...new Set([phrase, ...others])];
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
    const found = keys.flatMap((key) => each.fieldsOf.get(key) ?? []);
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

/** The fields that the words before a value name: "Language: Go", "the language of Cart is Go". */
function governingFields({ fields, claims, rest }: Sentence, { start }: Claim, index: RunIndex): string[] {
  const before = fields.filter((field) => field.end <= start);
  const nearest = before.at(-1);
  if (!nearest || start - nearest.end > 80) return [];
  const between = rest.slice(nearest.end, start);
  if (/[·|;.]\s|,\s+\p{L}+\s/u.test(between)) return [];
  const other = claims.some(
    (claim) => claim.start >= nearest.end && claim.end <= start && !isThingName(claim, index) && claim.start < start,
  );
  if (other && !/^[\s,*`“”"\u00a0]*(?:and|or)?[\s,*`“”"\u00a0:]*$/.test(between)) return [];
  return before.filter(({ end }) => end === nearest.end).map(({ key }) => key);
}

interface Direction {
  readonly key: string;
  /** What has the relation. */
  readonly holder: Claim;
  /** What stands in it. */
  readonly held: Claim;
}

/** The relations between two named things that a sentence claims: "A depends on B", "B is depended on by A", "B owns A". */
function directionsIn({ fields, claims, text }: Sentence, index: RunIndex): Direction[] {
  const named = claims.filter((claim) => isThingName(claim, index));
  return fields.flatMap(({ key, words, isRelation, start, end }): Direction[] => {
    if (!isRelation && key !== 'team') return [];
    const left = named.filter((claim) => claim.end <= start && start - claim.end < 40).at(-1);
    const right = named.filter((claim) => claim.start >= end);
    const [next] = right;
    if (!left || !next || next.start - end > 40 || /[·|;]/.test(text.slice(left.end, next.start))) return [];
    const isInverse =
      (words.at(-1) === 'by' && key !== 'team' && !/by$/i.test(key)) || words[0] === 'owns' || words[0] === 'own';
    return right.map((claim) => (isInverse ? { key, holder: claim, held: left } : { key, holder: left, held: claim }));
  });
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
