import type { AskedCase } from './run-evaluation.ts';
import { type Interval, percentile, wilsonInterval } from './statistics.ts';
import type { Outcome, Trial } from './try-case.ts';

/** How one variant did. Shares are of cases, not of trials: trials of one case are no independent cases. */
export interface Summary {
  readonly variant: string;
  /** Every provider and model that answered. */
  readonly models: readonly string[];
  readonly cases: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly share: number;
  readonly interval: Interval;
  /** Cases whose trials did not all come to the same. */
  readonly unsteady: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of all trials; null if the cost of one is not known. */
  readonly costUsd: number | null;
  /** Of all judges, if there were any. */
  readonly judgeCostUsd?: number | null;
}

export function summarize(variant: string, results: readonly AskedCase[]): Summary {
  const asked = listAnswered(variant, results);
  const trials = asked.flatMap((each) => each.trials);
  const counts = { right: 0, refused: 0, wrong: 0, failed: 0, undecided: 0 };
  for (const each of asked) counts[settleOutcome(each.trials)] += 1;
  const times = trials.map(({ transcript }) => transcript.durationMs);
  return {
    variant,
    models: [...new Set(trials.map(({ transcript }) => `${transcript.provider}/${transcript.model}`))].sort(),
    cases: asked.length,
    counts,
    share: asked.length === 0 ? 0 : counts.right / asked.length,
    interval: wilsonInterval(counts.right, asked.length),
    unsteady: asked.filter((each) => new Set(each.trials.map(({ outcome }) => outcome)).size > 1).length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    costUsd: sumCosts(trials.map(({ transcript }) => transcript.costUsd)),
    ...(asked.some((each) => each.asked.expect.some(({ grader }) => grader === 'judge'))
      ? { judgeCostUsd: sumCosts(trials.map(({ judgeCostUsd }) => judgeCostUsd)) }
      : {}),
  };
}

function sumCosts(costs: readonly (number | null)[]): number | null {
  return costs.some((cost) => cost === null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

/** The cases that a variant answered at least once. */
export function listAnswered(variant: string, results: readonly AskedCase[]): readonly AskedCase[] {
  return results.filter((each) => each.variant.name === variant && each.trials.length > 0);
}

/** What the trials of a case come to: right if more than half are, else the most frequent of the rest, the worst first. */
export function settleOutcome(trials: readonly Pick<Trial, 'outcome'>[]): Outcome {
  const count = (outcome: Outcome): number => trials.filter((trial) => trial.outcome === outcome).length;
  if (count('right') * 2 > trials.length) return 'right';
  const others: readonly Outcome[] = ['wrong', 'failed', 'refused', 'undecided'];
  return others.reduce((most, each) => (count(each) > count(most) ? each : most));
}
