import { createHash } from 'node:crypto';
import type { EvalReport } from '@portolan/contract/evaluation';
import { compareVariant } from './compare-baseline.ts';
import type { EvalCase } from './read-cases.ts';
import type { AskedCase, Evaluation, EvaluationPlan } from './run-evaluation.ts';
import { listAnswered, settleOutcome, summarize } from './summarize.ts';
import type { Trial } from './try-case.ts';

/** Everything that is known after a run, before it is decided whether it passed. */
export type UnjudgedReport = Omit<EvalReport, 'passed'>;

export function buildReport(
  { run, trials, variants }: EvaluationPlan,
  startedAt: Date,
  { results }: Pick<Evaluation, 'results'>,
  baseline: EvalReport | undefined,
): UnjudgedReport {
  return {
    format: 'portolan-eval',
    version: 1,
    run,
    startedAt: startedAt.toISOString(),
    trials,
    variants: variants.map(({ name }) => {
      const { variant: _, cases: _number, ...summary } = summarize(name, results);
      const cases = listAnswered(name, results).map(toReported);
      const change = baseline && compareVariant({ name, cases }, baseline);
      const told = change && { ...change, worse: [...change.worse], better: [...change.better] };
      return { name, ...summary, models: [...summary.models], ...(told ? { change: told } : {}), cases };
    }),
  };
}

function toReported({ asked, trials }: AskedCase): EvalReport['variants'][number]['cases'][number] {
  return {
    case: asked.identifier,
    digest: digestCase(asked),
    outcome: settleOutcome(trials),
    trials: trials.map(toReportedTrial),
  };
}

function toReportedTrial({ outcome, grades, transcript }: Trial) {
  const { invocation, answer, error, durationMs, costUsd } = transcript;
  return {
    outcome,
    invocation,
    answer,
    ...(error === undefined ? {} : { error }),
    durationMs,
    costUsd,
    grades: [...grades],
  };
}

/** The same for the same question, agent, setup and graders. */
function digestCase({ question, agent, setup, expect }: EvalCase): string {
  const text = JSON.stringify([question, agent ?? null, setup, expect]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
