import { afterDeterminers, fieldAt, type Grammar, namesAt, phrases } from './grammar.ts';
import { endsAt } from './parse-ends.ts';
import type { NameRef, Query, Reading } from './query.ts';
import { type Field, isDate, type Match, type TypeInfo } from './schema.ts';

/** Readings of a name that runs from one of the positions to the end, or to the words that may follow it. */
export function named(
  grammar: Grammar,
  starts: readonly number[],
  behind: readonly string[],
  toQuery: (name: NameRef) => Query,
  types?: string[],
): Reading[] {
  return [...new Set(starts)].flatMap((start) =>
    namesAt(grammar, start, grammar.words.length, types).flatMap(({ value, end, cost }) =>
      phrases(grammar, end, behind).some((last) => endsAt(grammar, last)) ? [{ query: toQuery(value), cost }] : [],
    ),
  );
}

const auxiliaries = ['does', 'is', 'do', 'was', 'are', 'did'];
const fieldEnds = [
  '',
  'have',
  'has',
  'use',
  'using',
  'written in',
  'built in',
  'on',
  'in',
  'at',
  'run',
  'running',
  'coded in',
  'made with',
  'built with',
  'had',
];
const fieldStarts = [
  '',
  'what is',
  'what are',
  'what was',
  'who is',
  'who was',
  'who are',
  'show',
  'show me',
  'tell me',
  'which is',
  'give me',
  'where is',
  'list',
  'which are',
];

/** A property or relation of one entity: "the language of X", "what language is X written in", "X's commander". */
export function parseFieldQuestion(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const ask =
    (type: TypeInfo, field: Field) =>
    (name: NameRef): Query => ({ ask: 'field', name: { ...name, types: [type.id] }, field });
  for (const type of grammar.schema.types) {
    for (const start of new Set(phrases(grammar, at, fieldStarts))) {
      for (const from of afterDeterminers(grammar, start)) {
        for (const { value: field, end } of askable(grammar, type, from)) {
          found.push(...named(grammar, phrases(grammar, end, ['of', 'for']), [''], ask(type, field), [type.id]));
        }
      }
      found.push(...possessives(grammar, type, start));
    }
    for (const start of phrases(grammar, at, ['what', 'which', 'in what', 'in which', 'tell me what'])) {
      for (const { value: field, end } of askable(grammar, type, start)) {
        found.push(...named(grammar, phrases(grammar, end, auxiliaries), fieldEnds, ask(type, field), [type.id]));
      }
    }
    for (const start of phrases(grammar, at, ['who'])) found.push(...personVerbs(grammar, type, start));
  }
  return found;
}

export function askable(grammar: Grammar, type: TypeInfo, at: number): Match<Field>[] {
  return fieldAt(grammar, type, at).filter(({ value }) => value.kind !== 'meta');
}

function possessives(grammar: Grammar, type: TypeInfo, at: number): Reading[] {
  const found: Reading[] = [];
  grammar.words.forEach((word, index) => {
    if (word.raw !== "'s" || index <= at) return;
    const names = namesAt(grammar, at, index, [type.id]).filter(({ end }) => end === index);
    for (const { value: field, end } of askable(grammar, type, index + 1)) {
      if (!endsAt(grammar, end)) continue;
      for (const { value, cost } of names)
        found.push({ query: { ask: 'field', name: { ...value, types: [type.id] }, field }, cost });
    }
  });
  return found;
}

/** "who commanded X", "who authored X": a person's relation whose noun the verb comes from. */
function personVerbs(grammar: Grammar, type: TypeInfo, at: number): Reading[] {
  const verb = grammar.words[at]?.folded ?? '';
  const fields = type.fields.filter(({ target, format, names }) => {
    const isPerson = target === '_user' || format === 'user';
    return (
      isPerson &&
      names.some(
        ([noun = '', ...more]) =>
          more.length === 0 &&
          [`${noun}ed`, `${noun.replace(/(er|or)$/, '')}ed`, `${noun.replace(/r$/, '')}d`].includes(verb),
      )
    );
  });
  return fields.flatMap((field) =>
    named(grammar, [at + 1], [''], (name) => ({ ask: 'field', name: { ...name, types: [type.id] }, field }), [type.id]),
  );
}

/** "when was X opened". */
export function parseWhen(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const start of phrases(grammar, at, ['when was', 'when is', 'when did', 'when were', 'when does'])) {
    for (const type of grammar.schema.types) {
      for (const { value: name, end, cost } of namesAt(grammar, start, grammar.words.length, [type.id])) {
        for (const { value: field, end: last } of fieldAt(grammar, type, end)) {
          if (isDate(field) && endsAt(grammar, last))
            found.push({ query: { ask: 'field', name: { ...name, types: [type.id] }, field }, cost });
        }
      }
    }
  }
  return found;
}
