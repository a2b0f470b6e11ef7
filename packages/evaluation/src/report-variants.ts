import type { EvalReport } from '@portolan/contract/evaluation';
import type { AskedCase, Evaluation, EvaluationPlan } from './run-evaluation.ts';
import { listAnswered, settleOutcome, summarize } from './summarize.ts';
import type { Trial } from './try-case.ts';

type ReportedCase = Omit<EvalReport['variants'][number]['cases'][number], 'digest'>;

/** How a variant did, with every answer. */
export interface VariantReport extends Omit<EvalReport['variants'][number], 'change' | 'cases'> {
  readonly cases: ReportedCase[];
}

/** A row for each variant, in their order; `asked` of a case is what it was when it was asked. */
export function reportVariants(
  { variants }: Pick<EvaluationPlan, 'variants'>,
  { results }: Pick<Evaluation, 'results'>,
): VariantReport[] {
  return variants.map(({ name }) => {
    const { variant: _, cases: _number, ...summary } = summarize(name, results);
    return {
      name,
      ...summary,
      models: [...summary.models],
      cases: listAnswered(name, results).map(toReported),
    };
  });
}

function toReported({ asked, trials }: AskedCase): ReportedCase {
  return { case: asked.identifier, outcome: settleOutcome(trials), trials: trials.map(toReportedTrial) };
}

function toReportedTrial({ outcome, grades, transcript }: Trial): ReportedCase['trials'][number] {
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

/** The trial that a case is told by: the first of its outcome. */
export function tellingTrial({ outcome, trials }: Pick<ReportedCase, 'outcome' | 'trials'>) {
  return trials.find((each) => each.outcome === outcome) ?? trials[0];
}
