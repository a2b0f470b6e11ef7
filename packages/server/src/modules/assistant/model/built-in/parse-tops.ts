import { afterDeterminers, eventDates, fieldAt, type Grammar, numberAt, phrases } from './grammar.ts';
import { parseConditions, parseCounted, parseThings, type Things } from './parse-conditions.ts';
import { endsAt } from './parse-ends.ts';
import type { Counted, Reading } from './query.ts';
import { type Field, isDate, isNumber, type Match, type TypeInfo } from './schema.ts';
import {
  fewestWords,
  highestWords,
  latestWords,
  listStarts,
  lowestWords,
  mostWords,
  oldestWords,
} from './vocabulary.ts';

type Order = 'asc' | 'desc';

const ofSize = [
  [mostWords, 'desc'],
  [fewestWords, 'asc'],
] as const;
const ofValue = [
  [highestWords, 'desc'],
  [lowestWords, 'asc'],
] as const;
const ofTime = [
  [latestWords, 'desc'],
  [oldestWords, 'asc'],
] as const;

/** Superlatives: "which service has the most incidents", "top 3 services by tier", "latest deployment of X". */
export function parseTops(grammar: Grammar, at: number): Reading[] {
  return [
    ...parseMost(grammar, at),
    ...parseRanked(grammar, at),
    ...parseLatest(grammar, at),
    ...parseTopN(grammar, at),
  ];
}

const have = ['has', 'have', 'had', 'with', 'that has', 'that have', 'which has', 'has had', 'have had'];

/** Things ranked by how many others belong to them. */
function parseMost(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const { things, end, cost } of startsOfLists(grammar, at)) {
    const isTeam = things.type.id === '_team';
    for (const verb of phrases(grammar, end, isTeam ? [...have, 'owns', 'own', 'maintains', 'maintain'] : have)) {
      for (const [words, order] of ofSize) {
        for (const start of new Set(phrases(grammar, verb, words))) {
          for (const counted of countedAt(grammar, things.type, start)) {
            if (endsAt(grammar, counted.end)) found.push(top(things, counted.value, order, 1, cost + counted.cost));
          }
        }
      }
    }
  }
  return found;
}

/** What belongs to a type: entities that point at it, what it points at itself, or what a team owns. */
function countedAt(grammar: Grammar, type: TypeInfo, at: number): Match<Counted>[] {
  const found: Match<Counted>[] = [...parseCounted(grammar, type, at)];
  if (type.id === '_team') {
    for (const { value, end, cost } of parseThings(grammar, at)) {
      if (value.type.id.startsWith('_') && value.type.id !== '_user') continue;
      found.push({ value: { type: value.type.id, step: 'owner', where: value.where }, end, cost });
    }
  }
  return found;
}

/** Things ranked by a property: "the cloud resource with the highest monthly cost". */
function parseRanked(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const { things, end, cost } of startsOfLists(grammar, at)) {
    for (const verb of phrases(grammar, end, have)) {
      for (const start of afterDeterminers(grammar, verb)) {
        for (const { field, order, end: last } of superlativesAt(grammar, things.type, start)) {
          for (const more of parseConditions(grammar, things.type, last)) {
            if (!endsAt(grammar, more.end)) continue;
            const whole = { ...things, where: [...things.where, ...more.value] };
            found.push(top(whole, field, order, 1, cost + more.cost));
          }
        }
      }
    }
  }
  return found;
}

function superlativesAt(grammar: Grammar, type: TypeInfo, at: number): { field: Field; order: Order; end: number }[] {
  const found: { field: Field; order: Order; end: number }[] = [];
  for (const [kinds, fits] of [
    [ofValue, isNumber],
    [ofTime, isDate],
  ] as const) {
    for (const [words, order] of kinds) {
      for (const start of phrases(grammar, at, words)) {
        for (const { value: field, end } of fieldAt(grammar, type, start))
          if (fits(field)) found.push({ field, order, end });
      }
    }
  }
  return found;
}

const whenStarts = ['when was the', 'when was our', 'when did the', 'when is the', 'when were the', 'when was'];
const wasStarts = [
  'what is the',
  'what was the',
  'which is the',
  'which was the',
  'show the',
  'show me the',
  'what are the',
  'which are the',
  'give me the',
  'list the',
  'the',
  'show',
  'which',
  'find the',
  '',
];

/** "latest deployment of X", "oldest open incident", "when was the last deployment of X", "last 5 deployments". */
function parseLatest(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const [starts, isMoment] of [
    [whenStarts, true],
    [wasStarts, false],
  ] as const) {
    for (const start of new Set(phrases(grammar, at, starts))) {
      for (const [words, order] of ofTime) {
        for (const after of phrases(grammar, start, words)) {
          const count = numberAt(grammar, after);
          const from = count === undefined || isMoment ? after : after + 1;
          const limit = count === undefined || isMoment ? 1 : count;
          if (limit < 1 || limit > 100) continue;
          for (const { value: things, end, cost } of parseThings(grammar, from)) {
            if (!endsAt(grammar, end)) continue;
            for (const field of eventDates(things.type)) found.push(top(things, field, order, limit, cost, isMoment));
          }
        }
      }
    }
  }
  return [...found, ...parseDated(grammar, at)];
}

/** "which service was launched first", "which incident was opened last". */
function parseDated(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const { things, end, cost } of startsOfLists(grammar, at)) {
    for (const verb of phrases(grammar, end, ['was', 'were', 'is', ''])) {
      for (const { value: field, end: after } of fieldAt(grammar, things.type, verb)) {
        if (!isDate(field)) continue;
        for (const [words, order] of [
          [['last', 'most recently', 'latest'], 'desc'],
          [['first', 'earliest'], 'asc'],
        ] as const) {
          for (const last of phrases(grammar, after, words)) {
            if (endsAt(grammar, last)) found.push(top(things, field, order, 1, cost));
          }
        }
      }
    }
  }
  return found;
}

/** "top 3 cloud resources by monthly cost", "top 5 services by number of incidents". */
function parseTopN(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const start of phrases(grammar, at, [
    'top',
    'the top',
    'show the top',
    'show me the top',
    'what are the top',
    'which are the top',
    'list the top',
    'give me the top',
    'bottom',
    'the bottom',
  ])) {
    const limit = numberAt(grammar, start);
    if (limit === undefined || limit < 1 || limit > 100) continue;
    const order: Order = grammar.words[start - 1]?.lower === 'bottom' ? 'asc' : 'desc';
    for (const { value: things, end, cost } of parseThings(grammar, start + 1)) {
      for (const by of phrases(grammar, end, ['by', 'by their', 'ranked by', 'sorted by', 'ordered by'])) {
        for (const { value: field, end: last } of fieldAt(grammar, things.type, by)) {
          if ((isNumber(field) || isDate(field)) && endsAt(grammar, last))
            found.push(top(things, field, order, limit, cost));
        }
        for (const counting of phrases(grammar, by, ['number of', 'the number of', 'count of', ''])) {
          for (const counted of countedAt(grammar, things.type, counting)) {
            if (endsAt(grammar, counted.end)) found.push(top(things, counted.value, order, limit, cost + counted.cost));
          }
        }
      }
      for (const verb of phrases(grammar, end, ['with the most', 'with most'])) {
        for (const counted of countedAt(grammar, things.type, verb)) {
          if (endsAt(grammar, counted.end)) found.push(top(things, counted.value, order, limit, cost + counted.cost));
        }
      }
    }
  }
  return found;
}

function* startsOfLists(grammar: Grammar, at: number): Generator<{ things: Things; end: number; cost: number }> {
  for (const start of new Set(phrases(grammar, at, listStarts))) {
    for (const { value, end, cost } of parseThings(grammar, start)) yield { things: value, end, cost };
  }
}

function top(
  { type, where }: Things,
  by: Field | Counted,
  order: Order,
  limit: number,
  cost: number,
  isMoment = false,
): Reading {
  const query = { ask: 'top', of: type.id, where, by, order, limit, ...(isMoment ? { isMoment } : {}) } as const;
  return { query, cost };
}
