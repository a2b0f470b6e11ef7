import { afterDeterminers, type Conditions, fieldAt, type Grammar, numberAt, phrases } from './grammar.ts';
import type { Comparison, Condition } from './query.ts';
import { type Field, isDate, isNumber, type TypeInfo } from './schema.ts';
import { endsOfName, fold, nameWords } from './words.ts';

/** Conditions that compare a property with a value: "open", "written in Go", "with tier over 2", "not public". */
export function parseComparisons(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  return [...parseValues(grammar, type, at), ...parseFlags(grammar, type, at), ...parseFields(grammar, type, at)];
}

interface ValueMatch {
  readonly field: Field;
  readonly value: string | number;
  readonly end: number;
}

/** The enum values of a type that the words from `at` spell. */
function valuesAt({ words }: Grammar, type: TypeInfo, at: number, only?: Field): ValueMatch[] {
  if (!words[at]) return [];
  return type.fields.flatMap((field) => {
    if (only ? field !== only : field.type !== 'string' && field.type !== 'array') return [];
    return field.values.flatMap((value) => {
      const names = [nameWords(String(value)), [fold(String(value))]];
      const ends = new Set(
        names
          .flatMap((name) => endsOfName(words, at, name))
          .filter((end) => isSpelled(spelledBy(words, at, end), String(value))),
      );
      return [...ends].map((end) => ({ field, value, end }));
    });
  });
}

function spelledBy(words: Grammar['words'], at: number, end: number): string {
  return words
    .slice(at, end)
    .map(({ folded }) => folded)
    .join('');
}

/** A plural of a value is not the value: "highs" is not "high". */
function isSpelled(said: string, value: string): boolean {
  return said === fold(value);
}

const leads = [
  '',
  'in',
  'at',
  'as',
  'with',
  'in the',
  'written in',
  'built in',
  'coded in',
  'implemented in',
  'made in',
  'on',
  'made with',
  'built with',
  'still',
  'in state',
  'in status',
  'using',
  'running on',
];
const nots = ['not', 'not in', 'not in the', 'not written in', 'not yet', 'not yet in', 'non'];

function parseValues(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const [starts, isNot] of [
    [leads, false],
    [nots, true],
  ] as const) {
    for (const start of phrases(grammar, at, starts)) {
      for (const first of valuesAt(grammar, type, start)) {
        for (const { values, end } of alternatives(grammar, type, first)) {
          found.push({ value: [comparison(first.field, values, isNot)], end, cost: 0 });
        }
      }
    }
  }
  return found;
}

/** "SEV1 or SEV2", "SEV1 and SEV2", "SEV1, SEV2": values of one property are alternatives. */
function alternatives(
  grammar: Grammar,
  type: TypeInfo,
  first: ValueMatch,
): { values: (string | number)[]; end: number }[] {
  const found = [{ values: [first.value], end: first.end }];
  for (const one of found) {
    for (const joined of phrases(grammar, one.end, ['or', 'and', ',', ', or', ', and', 'or in'])) {
      for (const next of valuesAt(grammar, type, joined, first.field)) {
        if (!one.values.includes(next.value)) found.push({ values: [...one.values, next.value], end: next.end });
      }
    }
  }
  return found;
}

function comparison(field: Field, values: readonly (string | number)[], isNot: boolean): Condition {
  const [value = ''] = values;
  if (isNot) return { kind: 'value', field, op: '!=', value };
  if (field.isMany) return { kind: 'value', field, op: 'containsAny', value: values };
  return values.length === 1
    ? { kind: 'value', field, op: '=', value }
    : { kind: 'value', field, op: 'in', value: values };
}

function parseFlags(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const [starts, value] of [
    [['', 'is', 'are'], true],
    [['not', 'non', 'no'], false],
  ] as const) {
    for (const start of phrases(grammar, at, starts)) {
      for (const { value: field, end } of fieldAt(grammar, type, start)) {
        if (field.type === 'boolean') found.push({ value: [{ kind: 'value', field, op: '=', value }], end, cost: 0 });
      }
    }
  }
  return found;
}

const operators: Readonly<Record<string, Comparison>> = {
  over: '>',
  above: '>',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
  '=': '=',
  'more than': '>',
  'greater than': '>',
  'higher than': '>',
  'larger than': '>',
  'at least': '>=',
  under: '<',
  below: '<',
  'less than': '<',
  'lower than': '<',
  'fewer than': '<',
  'smaller than': '<',
  'at most': '<=',
  exactly: '=',
};
const equals = ['', 'is', 'are', '=', 'equals', 'of', 'equal to', ':'];

function parseFields(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const lead of phrases(grammar, at, [
    '',
    'with',
    'whose',
    'where',
    'having',
    'where the',
    'with the',
    'with a',
    'of',
    'tagged',
    'a',
    'an',
    'the',
  ])) {
    for (const start of afterDeterminers(grammar, lead)) {
      const isTagged = grammar.words[lead - 1]?.lower === 'tagged';
      const named = isTagged
        ? type.fields
            .filter(({ names }) => names.some(([name]) => name === 'tags'))
            .map((value) => ({ value, end: lead }))
        : fieldAt(grammar, type, start);
      for (const { value: field, end } of named) found.push(...parseValueOf(grammar, field, end));
      found.push(...parseNumberBefore(grammar, type, start));
    }
  }
  return found;
}

/** What stands behind the name of a property: an operator and a number, a value of its list, or any one word. */
function parseValueOf(grammar: Grammar, field: Field, at: number): Conditions[] {
  const { words } = grammar;
  const found: Conditions[] = [];
  if (field.kind !== 'property' || isDate(field)) return found;
  if (isNumber(field)) {
    for (const is of phrases(grammar, at, ['', 'is', 'are', 'of', 'was'])) {
      for (const [words_, op] of Object.entries(operators)) {
        for (const end of phrases(grammar, is, [words_])) {
          const value = numberAt(grammar, end);
          if (value !== undefined) found.push({ value: [{ kind: 'value', field, op, value }], end: end + 1, cost: 0 });
        }
      }
      const value = numberAt(grammar, is);
      if (value !== undefined) found.push({ value: [{ kind: 'value', field, op: '=', value }], end: is + 1, cost: 0 });
    }
    return found;
  }
  for (const start of phrases(grammar, at, equals)) {
    for (const first of valuesOfField(grammar, field, start)) found.push(first);
    const word = words[start];
    const isFree =
      field.values.length === 0 && (field.type === 'string' || field.type === 'array') && field.format !== 'user';
    // a bare word behind a name would be anything; a sign or a verb says that it is the value
    if (
      isFree &&
      word &&
      (start > at || word.isQuoted || field.isMany || /\d/.test(word.raw)) &&
      !isFunctionWord(word.lower)
    ) {
      const condition: Condition = field.isMany
        ? { kind: 'value', field, op: 'containsAny', value: [word.raw] }
        : { kind: 'value', field, op: '=', value: word.raw };
      found.push({ value: [condition], end: start + 1, cost: 0.01 });
    }
  }
  return found;
}

function valuesOfField(grammar: Grammar, field: Field, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const [starts, isNot] of [
    [[''], false],
    [['not'], true],
  ] as const) {
    for (const start of phrases(grammar, at, starts)) {
      const type = { fields: [field] } as unknown as TypeInfo;
      for (const first of valuesAt(grammar, type, start, field)) {
        for (const { values, end } of alternatives(grammar, type, first)) {
          found.push({ value: [comparison(field, values, isNot)], end, cost: 0 });
        }
      }
    }
  }
  return found;
}

/** "more than 100 monthly cost". */
function parseNumberBefore(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const [said, op] of Object.entries(operators)) {
    for (const end of phrases(grammar, at, [said])) {
      const value = numberAt(grammar, end);
      if (value === undefined) continue;
      for (const named of fieldAt(grammar, type, end + 1)) {
        if (isNumber(named.value))
          found.push({ value: [{ kind: 'value', field: named.value, op, value }], end: named.end, cost: 0 });
      }
    }
  }
  return found;
}

function isFunctionWord(word: string): boolean {
  return /^(a|an|and|or|in|on|at|to|for|from|by|with|without|that|which|who|the|do|does|have|has|of|not|no|is|are|,)$/.test(
    word,
  );
}
