import { afterDeterminers, type Grammar, namesAt, phrases, readName, typeAt } from './grammar.ts';
import { endsAt } from './parse-ends.ts';
import { scorecardNameEnds } from './parse-standards.ts';
import { askable, named, parseFieldQuestion, parseWhen } from './parse-values.ts';
import type { NameRef, Query, Reading } from './query.ts';
import type { Field } from './schema.ts';

/** Questions about one entity: its owner, a value, a moment, who is in it, everything. */
export function parseNamed(grammar: Grammar, at: number): Reading[] {
  return [
    ...parseOwner(grammar, at),
    ...parseTeams(grammar, at),
    ...parseMembers(grammar, at),
    ...parseFieldQuestion(grammar, at),
    ...parseWhen(grammar, at),
    ...parseLevel(grammar, at),
    ...parseCompare(grammar, at),
    ...parseDescribe(grammar, at),
  ];
}

const ownerOf = [
  'who owns',
  'who maintains',
  'who is responsible for',
  'who is in charge of',
  'who looks after',
  'who is the owner of',
]
  .concat([
    'who are the owners of',
    'which team owns',
    'what team owns',
    'which teams own',
    'which team maintains',
    'which team is responsible for',
  ])
  .concat([
    'owner of',
    'owners of',
    'the owner of',
    'what is the owner of',
    'owning team of',
    'which squad owns',
    'who is the owning team of',
  ])
  .concat([
    'which team is in charge of',
    'which team looks after',
    'show the owner of',
    'whose is',
    'tell me who owns',
    'who does own',
  ]);

function parseOwner(grammar: Grammar, at: number): Reading[] {
  const ask = (name: NameRef): Query => ({ ask: 'owner', name });
  const possessive = ['', 'who is', 'what is', 'show', 'show me'];
  return [
    ...named(grammar, phrases(grammar, at, ownerOf), [''], ask),
    ...named(grammar, phrases(grammar, at, possessive), ["'s owner", "'s owners", "'s owning team", "'s team"], ask),
    ...named(grammar, phrases(grammar, at, ['who is', 'what team is', 'which team is']), ['owned by'], ask),
    ...named(grammar, phrases(grammar, at, ['by whom is', 'who does']), ['owned', 'belong to'], ask),
  ];
}

function parseTeams(grammar: Grammar, at: number): Reading[] {
  const starts = phrases(grammar, at, [
    'which team is',
    'which teams is',
    'what team is',
    'what teams is',
    'which team does',
    'which teams does',
  ]);
  const behind = ['in', 'on', 'part of', 'a member of', 'member of', 'belong to', 'work in', 'work on'];
  const more = phrases(grammar, at, ['teams of', 'the teams of', 'team of', 'what are the teams of', 'the team of']);
  const ask = (name: NameRef): Query => ({ ask: 'teams', name: { ...name, types: ['_user'] } });
  return [...named(grammar, starts, behind, ask, ['_user']), ...named(grammar, more, [''], ask, ['_user'])];
}

function parseMembers(grammar: Grammar, at: number): Reading[] {
  const whole = [
    'who is in',
    'who is on',
    'who is part of',
    'who are in',
    'who belongs to',
    'who works in',
    'who works on',
    'who is a member of',
    'members of',
    'the members of',
  ]
    .concat([
      'list the members of',
      'show the members of',
      'show members of',
      'list members of',
      'who are the members of',
      'what are the members of',
      'people in',
      'people of',
    ])
    .concat([
      'which people are in',
      'which users are in',
      'which members are in',
      'users in',
      'list the people in',
      'who are the people in',
      'show me the members of',
      'which users belong to',
    ]);
  const count = [
    'how many people are in',
    'how many members are in',
    'how many users are in',
    'how many people are on',
    'how many members does',
    'how many people does',
  ];
  const members =
    (ask: 'list' | 'count') =>
    (name: NameRef): Query => ({
      ask,
      of: '_user',
      where: [{ kind: 'owned', team: { ...name, types: ['_team'] } }],
    });
  return [
    ...named(grammar, phrases(grammar, at, whole), [''], members('list'), ['_team']),
    ...named(grammar, phrases(grammar, at, ['show', 'list', 'who are']), ["'s members"], members('list'), ['_team']),
    ...named(grammar, phrases(grammar, at, count), ['', 'have'], members('count'), ['_team']),
  ];
}

function parseLevel(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const starts = phrases(grammar, at, [
    'what level is',
    'which level is',
    'what level does',
    'which level does',
    'level of',
    'the level of',
    'what is the level of',
    'what level has',
  ]);
  for (const scorecard of grammar.schema.scorecards) {
    const { identifier, title = identifier, blueprint } = scorecard;
    const only = grammar.schema.scorecards.filter((other) => other.blueprint === blueprint).length === 1;
    for (const start of new Set(starts)) {
      for (const { value: name, end, cost } of namesAt(
        grammar,
        start,
        grammar.words.length,
        blueprint ? [blueprint] : undefined,
      )) {
        for (const after of phrases(grammar, end, ['', 'at', 'have', 'has', 'reached'])) {
          const ends = [...scorecardNameEnds(grammar, scorecard, after), ...(only ? [after] : [])];
          const types = blueprint ? { types: [blueprint] } : {};
          if (ends.some((last) => endsAt(grammar, last))) {
            found.push({ query: { ask: 'level', name: { ...name, ...types }, scorecard: identifier, title }, cost });
          }
        }
      }
    }
  }
  return found;
}

function parseCompare(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  for (const start of phrases(grammar, at, [
    'compare',
    'what is the difference between',
    'difference between',
    'compare the',
  ])) {
    found.push(...pairsAt(grammar, start, undefined));
    for (const from of afterDeterminers(grammar, start)) {
      for (const type of grammar.schema.types) {
        for (const { value: field, end } of askable(grammar, type, from)) {
          for (const after of phrases(grammar, end, ['of', 'for']))
            found.push(...pairsAt(grammar, after, field, [type.id]));
        }
      }
    }
  }
  return found;
}

function pairsAt(grammar: Grammar, at: number, field: Field | undefined, types?: string[]): Reading[] {
  return namesAt(grammar, at, grammar.words.length, types).flatMap((first) =>
    phrases(grammar, first.end, ['and', 'with', 'to', 'versus', 'vs']).flatMap((middle) =>
      namesAt(grammar, middle, grammar.words.length, types).flatMap((second): Reading[] =>
        endsAt(grammar, second.end)
          ? [
              {
                query: { ask: 'compare', names: [first.value, second.value], ...(field ? { field } : {}) },
                cost: first.cost + second.cost,
              },
            ]
          : [],
      ),
    ),
  );
}

const describes = [
  'describe',
  'explain',
  'tell me about',
  'tell me more about',
  'tell me everything about',
  'details of',
  'details about',
  'details on',
  'what is',
  'who is',
  'show',
].concat([
  'show me',
  'get',
  'open',
  'what do you know about',
  'what should i know about',
  'give me the details of',
  'give me details about',
  'information about',
  'information on',
  'look up',
  'find',
]);

function parseDescribe(grammar: Grammar, at: number): Reading[] {
  const found: Reading[] = [];
  const starts = [...new Set(phrases(grammar, at, describes))];
  found.push(...named(grammar, starts, [''], (name) => ({ ask: 'get', name })));
  const whole = readName(grammar, at, grammar.words.length);
  if (whole) found.push({ query: { ask: 'get', name: whole }, cost: 0.02 });
  for (const start of starts.flatMap((each) => afterDeterminers(grammar, each))) {
    for (const { value: type, end, cost } of typeAt(grammar, start)) {
      const isSingular = grammar.words[end - 1]?.folded === grammar.words[end - 1]?.stem;
      const isAsked = start > at && (isSingular || grammar.words[end]?.lower === 'blueprint');
      if (isAsked && phrases(grammar, end, ['', 'blueprint', 'type']).some((last) => endsAt(grammar, last))) {
        found.push({ query: { ask: 'type', of: type.id }, cost });
      }
    }
  }
  return found;
}
