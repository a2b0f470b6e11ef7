import { describe, expect, test } from 'vitest';
import { compareVariant, isDrop } from './compare-baseline.ts';
import { settleOutcome } from './summarize.ts';
import type { Outcome } from './try-case.ts';

const [casesOfSet, trials, evaluations] = [200, 3, 400];

/** Most questions are easy for a model, some hard, and some a matter of luck. */
function chances(): number[] {
  return Array.from({ length: casesOfSet }, (_, index) => (index % 20 === 0 ? 0.5 : index % 20 === 1 ? 0.1 : 0.97));
}

/** Of every hundred cases, this many that were easy are answered wrong. */
function withRegression(points: number): number[] {
  let left = (points * casesOfSet) / 100;
  return chances().map((chance) => (chance > 0.9 && left-- > 0 ? 0.03 : chance));
}

/** Numbers from 0 to 1 in an order that looks like chance and is the same each time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function evaluate(of: readonly number[], random: () => number) {
  return of.map((chance, index) => {
    const outcomes = Array.from({ length: trials }, () => ({
      outcome: (random() < chance ? 'right' : 'wrong') as Outcome,
    }));
    return { case: String(index), digest: '', outcome: settleOutcome(outcomes), trials: [] };
  });
}

/** In what share of pairs of evaluations a drop is told. */
function shareTold(later: readonly number[]): number {
  const random = createRandom(20_261_126);
  let told = 0;
  for (let each = 0; each < evaluations; each += 1) {
    const baseline = { variants: [{ name: 'v', cases: evaluate(chances(), random) }] };
    const change = compareVariant({ name: 'v', cases: evaluate(later, random) }, baseline as never);
    if (change && isDrop(change)) told += 1;
  }
  return told / evaluations;
}

describe(`with ${casesOfSet} cases and ${trials} trials, of which one in twenty is luck`, () => {
  test('a drop is told at most five times in a hundred where there is none', () => {
    expect(shareTold(chances())).toBeLessThanOrEqual(0.05);
  });
  test('five points less are found at least eight times in ten', () => {
    expect(shareTold(withRegression(5))).toBeGreaterThanOrEqual(0.8);
  });
  test('ten points less are found nearly always', () => {
    expect(shareTold(withRegression(10))).toBeGreaterThanOrEqual(0.95);
  });
});
