import type { EvalReport } from '@portolan/contract/evaluation';
import { testDrop } from './statistics.ts';

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

/** Compares a variant with the one of its name, or with the only one of the baseline; undefined if there is none. */
export function compareVariant(
  { name, cases }: Pick<ReportedVariant, 'name' | 'cases'>,
  baseline: EvalReport,
): Change | undefined {
  const [only, ...others] = baseline.variants;
  const before = baseline.variants.find((each) => each.name === name) ?? (others.length === 0 ? only : undefined);
  if (!before) return undefined;
  const known = new Map(before.cases.map((each) => [each.case, each]));
  const pairs = cases.flatMap((now) => {
    const then = known.get(now.case);
    return then?.digest === now.digest
      ? [{ id: now.case, was: then.outcome === 'right', is: now.outcome === 'right' }]
      : [];
  });
  const worse = pairs.filter(({ was, is }) => was && !is).map(({ id }) => id);
  const better = pairs.filter(({ was, is }) => !was && is).map(({ id }) => id);
  return { pairs: pairs.length, worse, better, p: testDrop(worse.length, better.length) };
}

/** Whether more cases became worse than better, by more than chance explains. */
export function isDrop({ p }: Pick<Change, 'p'>): boolean {
  return p < significance;
}
