import {
  afterDeterminers,
  type Conditions,
  eventDates,
  fieldAt,
  type Grammar,
  once,
  phrases,
  readName,
  typeAt,
} from './grammar.ts';
import { parseComparisons } from './parse-comparisons.ts';
import { parseLinks, parseOwners, parseVerbs } from './parse-links.ts';
import { parseStandards } from './parse-standards.ts';
import type { Condition, NameRef } from './query.ts';
import { isDate, type Match, type TypeInfo } from './schema.ts';
import { spansAt } from './time.ts';
import { glue } from './vocabulary.ts';

/** All ways to read the words from `at` as conditions behind a type, each with where it ends; none is one way. */
export function parseConditions(grammar: Grammar, type: TypeInfo, at: number, depth = 0): Conditions[] {
  return once(grammar, `conditions ${type.id} ${at} ${depth}`, () => readConditions(grammar, type, at, depth));
}

function readConditions(grammar: Grammar, type: TypeInfo, at: number, depth: number): Conditions[] {
  const found: Conditions[] = [{ value: [], end: at, cost: 0 }];
  if (depth > 5) return found;
  for (const start of afterGlue(grammar, at)) {
    for (const one of parseCondition(grammar, type, start)) {
      for (const rest of parseConditions(grammar, type, one.end, depth + 1)) {
        found.push({ value: [...one.value, ...rest.value], end: rest.end, cost: one.cost + rest.cost });
      }
    }
  }
  return found;
}

function afterGlue({ words }: Grammar, at: number): number[] {
  const ends = [at];
  for (let end = at; glue.has(words[end]?.lower ?? '') && !words[end]?.isQuoted; end += 1) ends.push(end + 1);
  return ends;
}

function parseCondition(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  if (at >= grammar.words.length) return [];
  return [
    ...parseComparisons(grammar, type, at),
    ...parseEmptiness(grammar, type, at),
    ...parseOwners(grammar, at),
    ...parseVerbs(grammar, type, at),
    ...parseLinks(grammar, at),
    ...parseWindows(grammar, type, at),
    ...parseStandards(grammar, type, at),
  ];
}

const lacking = [
  'without',
  'without a',
  'without an',
  'without any',
  'with no',
  'no',
  'not any',
  'lacking',
  'lack',
  'lacking an',
  'lacking a',
].concat([
  'missing',
  'missing a',
  'missing an',
  'missing any',
  'that lack',
  'not have',
  'not have a',
  'not have an',
  'not have any',
]);
const having = ['with', 'with a', 'with an', 'with any', 'a', 'an', 'with some'];
const owners = ['owner', 'owners', 'owning team', 'team', 'teams', 'ownership'];

function parseEmptiness(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  const add = (condition: Condition, end: number, cost = 0): void => {
    found.push({ value: [condition], end, cost });
  };
  for (const end of phrases(grammar, at, [
    'unowned',
    'orphaned',
    'ownerless',
    'not owned',
    'not owned by anyone',
    'nobody owns',
  ])) {
    add({ kind: 'empty', field: 'owner', isEmpty: true }, end);
  }
  for (const [leads, isEmpty] of [
    [lacking, true],
    [having, false],
  ] as const) {
    for (const start of new Set(phrases(grammar, at, leads))) {
      for (const end of phrases(grammar, start, owners)) add({ kind: 'empty', field: 'owner', isEmpty }, end);
      for (const { value: field, end } of fieldAt(grammar, type, start)) {
        // a number may be 0, of which nobody can say whether it is there
        const isSaid = field.kind !== 'meta' && field.type !== 'boolean' && field.type !== 'number';
        if (isSaid) add({ kind: 'empty', field, isEmpty }, end);
      }
      for (const counted of parseCounted(grammar, type, start)) {
        add({ kind: 'has', isEmpty, counted: counted.value }, counted.end, counted.cost);
      }
    }
  }
  return found;
}

/** Entities of another type that point at what is sought: "with open incidents". */
export function parseCounted(grammar: Grammar, type: TypeInfo, at: number) {
  return parseThings(grammar, at).flatMap(({ value, end, cost }) =>
    grammar.edges
      .filter((edge) => edge.source === value.type.id && edge.target === type.id && value.type.id !== type.id)
      .filter((edge, index, all) => all.findIndex(({ relation }) => relation === edge.relation) === index)
      .map(({ relation, title }) => ({
        value: { type: value.type.id, step: { relation, title, way: 'forth' as const }, where: value.where },
        end,
        cost,
      })),
  );
}

/** What it costs to assume which date is meant. */
const impliedCost = 0.05;

/** "opened last month", "in the last 30 days". Without a verb the date is that of the event; if there are several, each is a reading. */
function parseWindows(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const { words, today } = grammar;
  const dates = [
    ...phrases(grammar, at, ['', 'happened', 'occurred', 'that happened', 'took place']).map((start) => ({
      fields: eventDates(type),
      start,
      cost: impliedCost,
    })),
    ...fieldAt(grammar, type, at).flatMap(({ value, end }) =>
      isDate(value) ? [{ fields: [value], start: end, cost: 0 }] : [],
    ),
  ];
  return dates.flatMap(({ fields, start, cost }) =>
    spansAt(words, start, today).flatMap(({ span, end }) =>
      fields.map((field): Conditions => ({ value: [{ kind: 'window', field, span }], end, cost })),
    ),
  );
}

export interface Things {
  readonly type: TypeInfo;
  readonly where: readonly Condition[];
}

const beforeMax = 7;

/** A type with what stands before and behind it: "failed deployments of Identity last week". */
export function parseThings(grammar: Grammar, at: number): Match<Things>[] {
  return once(grammar, `things ${at}`, () => readThings(grammar, at));
}

function readThings(grammar: Grammar, at: number): Match<Things>[] {
  const found: Match<Things>[] = [];
  for (const start of afterDeterminers(grammar, at)) {
    for (let noun = start; noun < Math.min(grammar.words.length, start + beforeMax); noun += 1) {
      for (const { value: type, end, cost } of typeAt(grammar, noun)) {
        for (const before of parseBefore(grammar, type, start, noun)) {
          for (const behind of parseConditions(grammar, type, end)) {
            const where = joinValues([...before.value, ...behind.value]);
            if (where) found.push({ value: { type, where }, end: behind.end, cost: cost + before.cost + behind.cost });
          }
        }
      }
    }
  }
  return found;
}

/** Conditions that stand before a type and fill the words between exactly. */
function parseBefore(grammar: Grammar, type: TypeInfo, at: number, end: number, depth = 0): Conditions[] {
  if (at === end) return [{ value: [], end, cost: 0 }];
  if (depth > 4) return [];
  const { words } = grammar;
  const starts = glue.has(words[at]?.lower ?? '') && depth > 0 ? [at, at + 1] : [at];
  const found: Conditions[] = [];
  for (const start of starts) {
    const firsts = [
      ...parseComparisons(grammar, type, start),
      ...parseWindows(grammar, type, start),
      ...parseStandards(grammar, type, start),
    ];
    for (const stop of phrases(grammar, start, ['unowned', 'orphaned', 'ownerless'])) {
      firsts.push({ value: [{ kind: 'empty', field: 'owner', isEmpty: true }], end: stop, cost: 0 });
    }
    for (const stop of phrases(grammar, start, ['my']))
      firsts.push({ value: [{ kind: 'owned', team: 'caller' }], end: stop, cost: 0 });
    for (const first of firsts) {
      if (first.end > end) continue;
      for (const rest of parseBefore(grammar, type, first.end, end, depth + 1)) {
        found.push({ value: [...first.value, ...rest.value], end, cost: first.cost + rest.cost });
      }
    }
  }
  const bare = readName(grammar, at, end, { isBare: true });
  const possessive = words[end - 1]?.raw === "'s" ? readName(grammar, at, end - 1) : undefined;
  const linked = (name: NameRef, cost: number): Conditions => ({ value: [{ kind: 'linked', name }], end, cost });
  return [...found, ...(bare ? [linked(bare, 0.04)] : []), ...(possessive ? [linked(possessive, 0)] : [])];
}

/** Two values of one property can hold together only as alternatives, which the rules of values read; else it is no reading. */
function joinValues(where: readonly Condition[]): readonly Condition[] | undefined {
  const keys = where.flatMap((each) => (each.kind === 'value' ? [each.field.key] : []));
  const isDoubled = where.some(
    (each) => each.kind === 'empty' && each.field !== 'owner' && keys.includes(each.field.key),
  );
  return new Set(keys).size === keys.length && !isDoubled ? where : undefined;
}
