import type { EvalReport } from '@portolan/contract/evaluation';
import { expect, test } from 'vitest';
import { compareVariant, isDrop } from './compare-baseline.ts';
import type { AskedCase } from './run-evaluation.ts';
import { settleOutcome, summarize } from './summarize.ts';
import type { Outcome, Trial } from './try-case.ts';

function trial(outcome: Outcome, durationMs = 100, costUsd: number | null = 0.01): Trial {
  const said = { invocation: 'i', answer: '', provider: 'p', model: 'm', toolCalls: [], runs: [] };
  return { outcome, grades: [], transcript: { ...said, durationMs, costUsd }, judgeCostUsd: 0, draftsLeft: 0 };
}

function asked(identifier: string, ...trials: Trial[]): AskedCase {
  return { asked: { identifier, question: '?', setup: {}, expect: [], tags: [] }, variant: { name: 'v' }, trials };
}

test.each<[Outcome[], Outcome]>([
  [['right'], 'right'],
  [['right', 'wrong', 'right'], 'right'],
  [['right', 'wrong'], 'wrong'],
  [['right', 'refused', 'refused'], 'refused'],
  [['refused', 'wrong'], 'wrong'],
  [['failed', 'refused'], 'failed'],
])('trials that are %j come to %s', (outcomes, settled) => {
  expect(settleOutcome(outcomes.map((outcome) => ({ outcome })))).toBe(settled);
});

test('cases are counted, not trials, and those not asked are left out', () => {
  const results = [
    asked('a', trial('right', 100), trial('right', 300)),
    asked('b', trial('wrong', 200), trial('right', 900)),
    asked('c', trial('refused', 50), trial('refused', 60)),
    asked('d'),
  ];
  const summary = summarize('v', results);
  expect(summary).toMatchObject({
    models: ['p/m'],
    cases: 3,
    counts: { right: 1, refused: 1, wrong: 1, failed: 0 },
    unsteady: 1,
    p50Ms: 100,
    p95Ms: 900,
  });
  expect(summary.share).toBeCloseTo(1 / 3, 10);
  expect(summary.costUsd).toBeCloseTo(0.06, 10);
});

test('a cost that is not known makes the sum unknown', () => {
  expect(summarize('v', [asked('a', trial('right'), trial('right', 1, null))]).costUsd).toBeNull();
});

type Cases = EvalReport['variants'][number]['cases'];

function cases(outcomes: readonly Outcome[], digest = 'd'): Cases {
  return outcomes.map((outcome, index) => ({ case: `c${index}`, digest, outcome, trials: [] }));
}

function baseline(...variants: { name: string; cases: Cases }[]): EvalReport {
  return { variants } as unknown as EvalReport;
}

const many = (right: number, wrong: number): Outcome[] => [
  ...Array.from({ length: right }, () => 'right' as const),
  ...Array.from({ length: wrong }, () => 'wrong' as const),
];

test('pairs are the cases of both runs that were not changed', () => {
  const before = baseline({ name: 'v', cases: cases(['right', 'wrong', 'right']) });
  const now = [
    ...cases(['wrong', 'right']),
    ...cases(['wrong', 'wrong', 'wrong'], 'changed').slice(2),
    ...cases(many(0, 9)).slice(8),
  ];
  expect(compareVariant({ name: 'v', cases: now }, before)).toEqual({
    pairs: 2,
    worse: ['c0'],
    better: ['c1'],
    p: 0.75,
  });
});

test('a variant is compared with the one of its name, else with the only one', () => {
  const [a, b] = [
    { name: 'a', cases: cases(['right']) },
    { name: 'b', cases: cases(['wrong']) },
  ];
  const now = { name: 'b', cases: cases(['right']) };
  expect(compareVariant(now, baseline(a, b))?.better).toEqual(['c0']);
  expect(compareVariant({ ...now, name: 'new' }, baseline(b))?.better).toEqual(['c0']);
  expect(compareVariant({ ...now, name: 'new' }, baseline(a, b))).toBeUndefined();
});

test('a drop is one that chance does not explain', () => {
  const compared = (right: number, wrong: number) =>
    compareVariant({ name: 'v', cases: cases(many(right, wrong)) }, baseline({ name: 'v', cases: cases(many(20, 0)) }));
  expect([16, 15].map((right) => isDrop(compared(right, 20 - right)!))).toEqual([false, true]);
});
