import type { Edge } from './edges.ts';
import { listEdges } from './edges.ts';
import type { Condition, NameRef } from './query.ts';
import { type Field, fieldsAt, isDate, type Match, type Schema, type TypeInfo, typesAt } from './schema.ts';
import { beginnings, countNumbers, determiners } from './vocabulary.ts';
import { splitWords, type Word } from './words.ts';

/** A question with everything its words may mean. The rules of the grammar are functions of it and a position. */
export interface Grammar {
  readonly schema: Schema;
  readonly edges: readonly Edge[];
  readonly words: readonly Word[];
  /** A day as `2026-03-02`, UTC. */
  readonly today: string;
  /** What was found out before, because several rules read the same words. */
  readonly known: Map<string, unknown>;
}

/** Conditions that some words were read as, and where those end. */
export type Conditions = Match<readonly Condition[]>;

/** Reads something once per question. */
export function once<Value>({ known }: Grammar, key: string, read: () => Value): Value {
  if (!known.has(key)) known.set(key, read());
  return known.get(key) as Value;
}

export function createGrammar(text: string, schema: Schema, today: string): Grammar {
  return { schema, edges: listEdges(schema), words: splitWords(text), today, known: new Map() };
}

/** The ends of the phrases that the words from `at` spell; an empty phrase ends where it starts. */
export function phrases({ words }: Grammar, at: number, options: readonly string[]): number[] {
  return options.flatMap((option) => {
    const wanted = option === '' ? [] : option.split(' ');
    return wanted.every((word, index) => words[at + index]?.lower === word && !words[at + index]?.isQuoted)
      ? [at + wanted.length]
      : [];
  });
}

/** Positions after any determiners at `at`, `at` itself first. */
export function afterDeterminers({ words }: Grammar, at: number): number[] {
  const ends = [at];
  for (let end = at; determiners.has(words[end]?.lower ?? ''); end += 1) ends.push(end + 1);
  return ends;
}

export function typeAt(grammar: Grammar, at: number): Match<TypeInfo>[] {
  return once(grammar, `types ${at}`, () => typesAt(grammar.schema, grammar.words, at));
}

export function fieldAt(grammar: Grammar, type: TypeInfo, at: number): Match<Field>[] {
  return once(grammar, `fields ${type.id} ${at}`, () => fieldsAt(type, grammar.words, at));
}

const nameWordsMax = 8;
/** Words that no name begins or ends with, unless it stands between quotation marks. */
const neverFirst = new Set(
  [
    'of',
    'in',
    'on',
    'and',
    'or',
    'to',
    'by',
    'for',
    'is',
    'are',
    'was',
    'does',
    'do',
    'did',
    "'s",
    ',',
    'which',
    'what',
    'who',
  ].concat(['when', 'how', 'why', 'where', 'whose', 'that', 'with', 'without', 'not', 'no', 'i', 'my', 'me']),
);

/** The words from `at` to `end` as a name; undefined if they cannot be one. */
export function readName(
  { words }: Grammar,
  at: number,
  end: number,
  more: Omit<NameRef, 'text'> = {},
): NameRef | undefined {
  const said = words.slice(at, end);
  const [first, last] = [said[0], said.at(-1)];
  if (!first || !last || said.length > nameWordsMax) return undefined;
  if (said.length > 1 && said.some(({ isQuoted }) => isQuoted)) return undefined;
  const isOdd = (word: Word): boolean => !word.isQuoted && (neverFirst.has(word.lower) || determiners.has(word.lower));
  if (isOdd(first) || isOdd(last) || said.some(({ raw }) => raw === ',' || raw === "'s")) return undefined;
  return { text: said.map(({ raw }) => raw).join(' '), ...more };
}

/** Names from `at` to each position up to `last`, with a type noun before or behind: "the geo.tiles service". */
export function namesAt(grammar: Grammar, at: number, last: number, types?: readonly string[]): Match<NameRef>[] {
  const found: Match<NameRef>[] = [];
  for (const start of afterDeterminers(grammar, at)) {
    for (let end = start + 1; end <= Math.min(last, start + nameWordsMax); end += 1) {
      const plain = readName(grammar, start, end, types ? { types } : {});
      if (plain) found.push({ value: plain, end, cost: 0 });
      for (const noun of typeAt(grammar, end)) {
        const named = readName(grammar, start, end, { types: [noun.value.id] });
        if (named && noun.end <= last && fits(types, noun.value))
          found.push({ value: named, end: noun.end, cost: noun.cost });
      }
    }
    for (const noun of typeAt(grammar, start)) {
      for (let end = noun.end + 1; end <= Math.min(last, noun.end + nameWordsMax); end += 1) {
        const named = readName(grammar, noun.end, end, { types: [noun.value.id] });
        if (named && fits(types, noun.value)) found.push({ value: named, end, cost: noun.cost });
      }
    }
  }
  return found;
}

function fits(types: readonly string[] | undefined, { id }: TypeInfo): boolean {
  return types === undefined || types.includes(id);
}

export function numberAt({ words }: Grammar, at: number): number | undefined {
  const text = words[at]?.lower ?? '';
  const value =
    countNumbers[text] ?? (/^-?\d[\d,]*(\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined);
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/**
 * The date that tells when something of a type took place: the one whose word the type's name has ("Deployed" of a
 * deployment), else the only one that says a beginning. Several candidates are returned where none is the one.
 */
export function eventDates(type: TypeInfo): readonly Field[] {
  const dates = type.fields.filter((field) => isDate(field) && field.kind === 'property');
  const stems = type.names.flatMap(({ words }) => words).filter((word) => word.length >= 5);
  const alike = dates.filter(({ names }) =>
    names.flat().some((word) => word.length >= 5 && stems.some((stem) => stem.slice(0, 5) === word.slice(0, 5))),
  );
  if (alike.length === 1) return alike;
  const begun = dates.filter(({ names }) => names.flat().some((word) => beginnings.has(word)));
  if (begun.length === 1) return begun;
  return [...dates, ...type.fields.filter(({ key }) => key === '$createdAt')];
}
