import type { ScorecardInfo } from './catalog.ts';
import { type Conditions, type Grammar, phrases } from './grammar.ts';
import type { Match, TypeInfo } from './schema.ts';
import { endsOfName, fold, nameWords } from './words.ts';

/** Conditions on scorecards: "below Silver on Production Readiness", "that fail the rule Has a runbook". */
export function parseStandards(grammar: Grammar, type: TypeInfo, at: number): Conditions[] {
  const scorecards = grammar.schema.scorecards.filter(({ blueprint }) => blueprint === type.id);
  return scorecards.flatMap((scorecard) => [
    ...parseLevels(grammar, scorecard, at),
    ...parseRules(grammar, scorecard, at),
  ]);
}

const comparisons: readonly (readonly [readonly string[], (at: number, level: number) => boolean, string])[] = [
  [
    ['', 'at', 'on', 'level', 'a level of', 'with', 'with level', 'at level', 'on level', 'exactly'],
    (at, level) => at === level,
    '',
  ],
  [['below', 'under', 'worse than', 'lower than', 'less than'], (at, level) => at < level, 'below '],
  [['above', 'over', 'better than', 'higher than'], (at, level) => at > level, 'above '],
  [['at least', 'at or above'], (at, level) => at >= level, 'at least '],
  [['at most', 'at or below'], (at, level) => at <= level, 'at most '],
  [['not', 'not at', 'not on', 'below or above'], (at, level) => at !== level, 'not '],
];

function parseLevels(grammar: Grammar, scorecard: ScorecardInfo, at: number): Conditions[] {
  const { levels = [], identifier, title = identifier } = scorecard;
  const found: Conditions[] = [];
  for (const [leads, holds, words] of comparisons) {
    for (const start of phrases(grammar, at, leads)) {
      for (const [index, level] of levels.entries()) {
        for (const end of endsOfName(grammar.words, start, [fold(level)])) {
          const wanted = levels.filter((_, each) => holds(each, index));
          const behind = phrases(grammar, end, ['', 'level']).flatMap((after) =>
            scorecardAt(grammar, scorecard, after),
          );
          for (const { end: last, cost } of behind) {
            const condition = {
              kind: 'level',
              scorecard: identifier,
              title,
              levels: wanted,
              words: words + level,
            } as const;
            found.push({ value: [condition], end: last, cost });
          }
        }
      }
    }
  }
  return found;
}

/** The name of the scorecard behind a level. Without it, the level must belong to one scorecard alone. */
function scorecardAt(grammar: Grammar, scorecard: ScorecardInfo, at: number): Match<true>[] {
  const ends = scorecardNameEnds(grammar, scorecard, at);
  const named = ends.map((end): Match<true> => ({ value: true, end, cost: 0 }));
  return [...named, { value: true, end: at, cost: 0 }];
}

export function scorecardNameEnds(grammar: Grammar, { identifier, title = '' }: ScorecardInfo, at: number): number[] {
  const leads = ['on', 'in', 'of', 'for', 'on the', 'in the', 'of the', 'on scorecard', 'in scorecard'];
  return phrases(grammar, at, leads).flatMap((start) =>
    [nameWords(title), nameWords(identifier)].flatMap((name) =>
      endsOfName(grammar.words, start, name).flatMap((end) => phrases(grammar, end, ['', 'scorecard'])),
    ),
  );
}

const fails = [
  'fail',
  'failing',
  'fails',
  'fail the rule',
  'failing the rule',
  'that fail',
  'break',
  'violate',
  'not pass',
  'not pass the rule',
  'do not pass',
];
const passes = ['pass', 'passing', 'passes', 'pass the rule', 'passing the rule', 'fulfil', 'meet'];

function parseRules(grammar: Grammar, { identifier, rules = [] }: ScorecardInfo, at: number): Conditions[] {
  const found: Conditions[] = [];
  for (const [leads, isPassed] of [
    [fails, false],
    [passes, true],
  ] as const) {
    for (const start of phrases(grammar, at, leads)) {
      for (const { identifier: rule, title = rule } of rules) {
        for (const end of new Set(
          endsOfName(grammar.words, start, [fold(title)]).concat(endsOfName(grammar.words, start, nameWords(title))),
        )) {
          found.push({ value: [{ kind: 'rule', scorecard: identifier, rule, title, passes: isPassed }], end, cost: 0 });
        }
      }
    }
  }
  return found;
}
