import { afterDeterminers, fieldAt, type Grammar, phrases, typeAt } from './grammar.ts';
import { parseThings } from './parse-conditions.ts';
import { endsAt } from './parse-ends.ts';
import type { Figure, Grouping, Reading } from './query.ts';
import { isDate, isNumber, type Match, type TypeInfo } from './schema.ts';
import { listStarts } from './vocabulary.ts';

const countStarts = [
  'how many',
  'how many of the',
  'how many of our',
  'number of',
  'the number of',
  'count',
  'count of',
  'count the',
  'count all',
].concat([
  'what is the number of',
  'how many different',
  'tell me how many',
  'show the number of',
  'total number of',
  'what is the total number of',
]);
const existStarts = [
  'are there',
  'is there',
  'do we have',
  'are there any',
  'is there a',
  'is there any',
  'do we have any',
];

/** Lists, counts, groups and figures of things with conditions. */
export function parseLists(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const asks = [
    ['list', listStarts],
    ['count', countStarts],
    ['exists', existStarts],
  ] as const;
  for (const [ask, starts] of asks) {
    for (const start of new Set(phrases(grammar, at, starts))) {
      for (const { value, end, cost } of parseThings(grammar, start)) {
        if (endsAt(grammar, end)) found.push({ query: { ask, of: value.type.id, where: value.where }, cost });
        for (const by of parseGrouping(grammar, value.type, end)) {
          if (ask === 'exists' || !endsAt(grammar, by.end)) continue;
          found.push({
            query: { ask: 'group', of: value.type.id, where: value.where, by: by.value },
            cost: cost + by.cost,
          });
        }
      }
    }
  }
  return [...found, ...parseSpreads(grammar, at), ...parseFigures(grammar, at)];
}

const perWords = [
  'per',
  'by',
  'for each',
  'in each',
  'of each',
  'grouped by',
  'are there per',
  'are there by',
  'are there for each',
  'are there in each',
].concat([
  'do we have per',
  'do we have in each',
  'do we have for each',
  'does each',
  'broken down by',
  'there are per',
  'are in each',
  'for every',
  'in every',
]);

function parseGrouping(grammar: Grammar, type: TypeInfo, at: number): Match<Grouping>[] {
  return phrases(grammar, at, perWords).flatMap((start) => groupersAt(grammar, type, start));
}

/** What things can be counted by: a property, a relation (or the type it leads to), the owning team, a level. */
function groupersAt(grammar: Grammar, type: TypeInfo, at: number): Match<Grouping>[] {
  const found: Match<Grouping>[] = [];
  for (const start of afterDeterminers(grammar, at)) {
    for (const end of phrases(grammar, start, [
      'team',
      'owner',
      'owning team',
      'teams',
      'owners',
      'team have',
      'team own',
    ])) {
      found.push({ value: { kind: 'owner' }, end, cost: 0 });
    }
    for (const { value: field, end } of fieldAt(grammar, type, start)) {
      if (field.kind !== 'meta' && !isDate(field) && !isNumber(field))
        found.push({ value: { kind: 'field', field }, end, cost: 0 });
      else if (isNumber(field) && field.values.length > 0)
        found.push({ value: { kind: 'field', field }, end, cost: 0 });
    }
    for (const { value: target, end, cost } of typeAt(grammar, start)) {
      const leading = type.fields.filter((field) => field.kind === 'relation' && field.target === target.id);
      for (const field of leading) {
        for (const last of phrases(grammar, end, ['', 'have']))
          found.push({ value: { kind: 'field', field }, end: last, cost });
      }
    }
    for (const { identifier, title = identifier, blueprint } of grammar.schema.scorecards) {
      if (blueprint !== type.id) continue;
      for (const end of phrases(grammar, start, [
        `${title.toLowerCase()} level`,
        `level of ${title.toLowerCase()}`,
        `level on ${title.toLowerCase()}`,
      ])) {
        found.push({ value: { kind: 'level', scorecard: identifier, title }, end, cost: 0 });
      }
    }
  }
  return found;
}

/** "how are the services spread over lifecycle". */
function parseSpreads(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const start of phrases(grammar, at, ['how are', 'how do', 'how were'])) {
    for (const { value, end, cost } of parseThings(grammar, start)) {
      const over = [
        'spread over',
        'spread across',
        'distributed over',
        'distributed across',
        'split by',
        'split over',
        'divided by',
        'distributed by',
        'spread by',
        'distributed among',
      ];
      for (const after of phrases(grammar, end, over)) {
        for (const by of groupersAt(grammar, value.type, after)) {
          if (!endsAt(grammar, by.end)) continue;
          found.push({
            query: { ask: 'group', of: value.type.id, where: value.where, by: by.value },
            cost: cost + by.cost,
          });
        }
      }
    }
  }
  return found;
}

const figureWords: Readonly<Record<string, Figure>> = {
  total: 'sum',
  'sum of': 'sum',
  'the sum of': 'sum',
  average: 'average',
  mean: 'average',
  'average of': 'average',
  median: 'median',
  maximum: 'max',
  minimum: 'min',
};

/** "what is the total monthly cost of the cloud resources". */
function parseFigures(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const start of phrases(grammar, at, ['what is', 'what was', 'show', 'show me', 'give me', 'tell me', ''])) {
    for (const func of afterDeterminers(grammar, start)) {
      for (const [words, figure] of Object.entries(figureWords)) {
        for (const after of phrases(grammar, func, [words])) {
          for (const named of afterDeterminers(grammar, after)) found.push(...parseFigureOf(grammar, figure, named));
        }
      }
    }
  }
  return found;
}

function parseFigureOf(grammar: Grammar, func: Figure, at: number): Reading[] {
  return grammar.schema.types.flatMap((type) =>
    fieldAt(grammar, type, at)
      .filter(({ value }) => isNumber(value))
      .flatMap(({ value: field, end }) =>
        phrases(grammar, end, ['of', 'for', 'over', 'across', 'of all']).flatMap((start) =>
          parseThings(grammar, start).flatMap(({ value, end: last, cost }): Reading[] =>
            value.type === type && endsAt(grammar, last)
              ? [{ query: { ask: 'figure', of: type.id, where: value.where, func, field }, cost }]
              : [],
          ),
        ),
      ),
  );
}
