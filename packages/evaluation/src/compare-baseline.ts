import type { EvalReport } from '@portolan/contract/evaluation';
import { testDrop } from './statistics.ts';
import type { Outcome } from './try-case.ts';

type ReportedVariant = EvalReport['variants'][number];

/** How the cases that two runs have in common changed. */
export interface Change {
  readonly pairs: number;
  /** Cases that were right in the baseline and are not any more. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
  /** How likely such a drop is by chance (McNemar, exact, one-sided). */
  readonly p: number;
}

const significance = 0.05;

/** What a comparison comes to, if it has to be said in a word. */
export type ComparisonWord = 'better' | 'worse' | 'cannot tell';

interface ComparedCase {
  readonly case: string;
  readonly outcome: Outcome;
}

/** The cases that both have and that were decided in both, and how they changed. */
export function compareCases(
  before: readonly ComparedCase[],
  now: readonly ComparedCase[],
): Change & { readonly word: ComparisonWord } {
  const known = new Map(before.map((each) => [each.case, each.outcome]));
  const pairs = now.flatMap(({ case: id, outcome }) => {
    const then = known.get(id);
    if (then === undefined || then === 'undecided' || outcome === 'undecided') return [];
    return [{ id, was: then === 'right', is: outcome === 'right' }];
  });
  const worse = pairs.filter(({ was, is }) => was && !is).map(({ id }) => id);
  const better = pairs.filter(({ was, is }) => !was && is).map(({ id }) => id);
  const p = testDrop(worse.length, better.length);
  // both ways are looked for, so each gets half of what chance may explain
  const isBetter = testDrop(better.length, worse.length) < significance / 2;
  const word = p < significance / 2 ? 'worse' : isBetter ? 'better' : 'cannot tell';
  return { pairs: pairs.length, worse, better, p, word };
}

/** Compares a variant with the one of its name, or with the only one of the baseline; undefined if there is none. */
export function compareVariant(
  { name, cases }: Pick<ReportedVariant, 'name' | 'cases'>,
  baseline: EvalReport,
): Change | undefined {
  const [only, ...others] = baseline.variants;
  const before = baseline.variants.find((each) => each.name === name) ?? (others.length === 0 ? only : undefined);
  if (!before) return undefined;
  const digests = new Map(before.cases.map((each) => [each.case, each.digest]));
  const same = cases.filter((now) => digests.get(now.case) === now.digest);
  const { word: _, ...change } = compareCases(before.cases, same);
  return change;
}

/** Whether more cases became worse than better, by more than chance explains. */
export function isDrop({ p }: Pick<Change, 'p'>): boolean {
  return p < significance;
}
