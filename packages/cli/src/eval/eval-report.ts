import { createHash } from 'node:crypto';
import type { EvalReport } from '@portolan/contract/evaluation';
import {
  compareVariant,
  type EvalCase,
  type Evaluation,
  type EvaluationPlan,
  reportVariants,
} from '@portolan/evaluation';

/** Everything that is known after a run, before it is decided whether it passed. */
export type UnjudgedReport = Omit<EvalReport, 'passed'>;

export function buildReport(
  plan: EvaluationPlan,
  startedAt: Date,
  evaluation: Pick<Evaluation, 'results'>,
  baseline: EvalReport | undefined,
): UnjudgedReport {
  const digests = new Map(plan.cases.map((each) => [each.identifier, digestCase(each)]));
  return {
    format: 'portolan-eval',
    version: 1,
    run: plan.run,
    startedAt: startedAt.toISOString(),
    trials: plan.trials,
    variants: reportVariants(plan, evaluation).map(({ cases: reported, ...variant }) => {
      const cases = reported.map((each) => ({ ...each, digest: digests.get(each.case) ?? '' }));
      const change = baseline && compareVariant({ name: variant.name, cases }, baseline);
      const told = change && { ...change, worse: [...change.worse], better: [...change.better] };
      return { ...variant, ...(told ? { change: told } : {}), cases };
    }),
  };
}

/** The same for the same question, agent, setup and graders. */
function digestCase({ question, agent, setup, expect }: EvalCase): string {
  const text = JSON.stringify([question, agent ?? null, setup, expect]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
