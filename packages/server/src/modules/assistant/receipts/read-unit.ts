import type { Claim, Claims } from './claims.ts';
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

export interface Direction {
  readonly key: string;
  /** What has the relation. */
  readonly holder: Claim;
  /** What stands in it. */
  readonly held: Claim;
}

const denials =
  /\b(?:no|none|not|nobody|never|without|lacks?|lacking|missing|neither|nor|unset|unowned|orphaned|cannot|fail(?:s|ed|ing)?|nothing)\b|n['’]t\b/i;
const existenceWord = /\b(?:has|have|having|with)\s/i;
const existence = /\b(?:has|have|having|with)\s+(?:an?\s+|any\s+|its\s+own\s+)?$/i;

export function readUnit(text: string, claims: Claims, index: RunIndex): ReadUnit {
  return new UnitReader(text, claims, index);
}

class UnitReader implements ReadUnit {
  readonly text: string;
  readonly claims: readonly Claim[];
  readonly rest: string;
  readonly words: Claims['words'];
  readonly fields: ReturnType<typeof fieldsIn>;
  readonly denial: string | undefined;
  readonly existing: ReadUnit['existing'];
  readonly #index: RunIndex;
  readonly #keysOf = new Map<Claim, readonly string[]>();
  readonly #governing = new Map<Claim, readonly string[]>();
  #directions: readonly Direction[] | undefined;

  constructor(text: string, { claims, rest, words }: Claims, index: RunIndex) {
    this.text = text;
    this.claims = claims;
    this.rest = rest;
    this.words = words;
    this.fields = fieldsIn(index, words);
    this.denial = denials.exec(rest)?.[0];
    this.existing = this.denial === undefined ? existingIn(this) : undefined;
    this.#index = index;
  }

  keysOf(claim: Claim): readonly string[] {
    return orMade(this.#keysOf, claim, () => keysUnderAllNames(claim, this.#index));
  }

  governing(claim: Claim): readonly string[] {
    return orMade(this.#governing, claim, () => governingFields(this, claim, this.#index));
  }

  directions(): readonly Direction[] {
    this.#directions ??= directionsIn(this, this.#index);
    return this.#directions;
  }
}

type Sentence = Pick<ReadUnit, 'claims' | 'rest' | 'text' | 'fields'>;

function existingIn({ fields, rest, text }: Sentence): ReadUnit['existing'] {
  const named = existenceWord.test(rest) ? fields.find(({ start }) => existence.test(rest.slice(0, start))) : undefined;
  if (!named) return undefined;
  const keys = fields.filter(({ start }) => start === named.start).map(({ key }) => key);
  return { text: text.slice(named.start, named.end), keys };
}

function orMade<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

function keysUnderAllNames({ keys, phrase }: Claim, index: RunIndex): readonly string[] {
  if (phrase === undefined || (!index.named.has(phrase) && keys.includes(`p:${phrase}`))) return keys;
  return [...new Set([...keys, ...namesFor(phrase, index).map((name) => `p:${name}`)])];
}

export function isThingName({ phrase }: Claim, index: RunIndex): boolean {
  return phrase !== undefined && index.named.has(phrase);
}

/** A name and the other names of what it names. */
export function namesFor(phrase: string, index: RunIndex): string[] {
  const named = index.named.get(phrase);
  if (!named) return [phrase];
  return [...new Set([phrase, ...named.slice(0, 20).flatMap(({ names }) => names)])];
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
