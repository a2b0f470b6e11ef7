import type { Answering } from './answering.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { GraderKit } from './grader-kit.ts';
import type { EvalCase } from './read-case.ts';
import { searchGold } from './search-gold.ts';
import { type Trial, tryCase } from './try-case.ts';
import type { Variant } from './variant.ts';

/** How many questions are asked at a time, whatever the number of cases, so that people are still answered. */
const atOnce = 4;

export interface EvaluationPlan {
  readonly run: string;
  readonly cases: readonly EvalCase[];
  readonly variants: readonly Variant[];
  readonly trials: number;
  /** No further question is asked once this much was spent. */
  readonly costMax: number | undefined;
}

export interface AskedCase {
  readonly asked: EvalCase;
  readonly variant: Variant;
  readonly trials: readonly Trial[];
}

export interface Evaluation {
  readonly results: readonly AskedCase[];
  /** How many questions were not asked, since the money was spent. */
  readonly notAsked: number;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly all: number;
  readonly right: number;
  readonly costUsd: number;
}

/**
 * Asks every case with every variant as often as planned, a few at a time, and reports the progress after each answer.
 * @throws what the answering throws, EvaluationError `eval_case_invalid`, `eval_model_not_offered`, `eval_cost_unknown`
 */
export async function runEvaluation(
  answering: Answering,
  kit: GraderKit,
  plan: EvaluationPlan,
  signal: AbortSignal,
  onProgress: (progress: EvaluationProgress) => void,
): Promise<Evaluation> {
  const results = plan.variants.flatMap((variant) =>
    plan.cases.map((asked) => ({ asked, variant, begun: 0, trials: [] as Trial[] })),
  );
  const queue = Array.from({ length: plan.trials }, () => results).flat();
  const all = queue.length;
  const gold = await searchGold(answering, plan.cases);
  const stop = new AbortController();
  const stopping = AbortSignal.any([signal, stop.signal]);
  let [done, right, costUsd] = [0, 0, 0];
  const work = async (): Promise<void> => {
    while (!stopping.aborted && (plan.costMax === undefined || costUsd < plan.costMax)) {
      const next = queue.shift();
      if (!next) return;
      const { asked, variant } = next;
      const question = { asked, variant, trial: next.begun++ };
      const trial = checkAnswering(await tryCase(answering, kit, gold, question, stopping), variant, results);
      costUsd += readCost(trial, plan.costMax);
      next.trials.push(trial);
      done += 1;
      if (trial.outcome === 'right') right += 1;
      onProgress({ done, all, right, costUsd });
    }
  };
  const failures: unknown[] = [];
  // one failure stops the others, and all have stopped when this ends
  const workUntilFailure = (): Promise<void> =>
    work().catch((error: unknown) => {
      failures.push(error);
      stop.abort();
    });
  await Promise.all(Array.from({ length: atOnce }, workUntilFailure));
  if (failures.length > 0) throw failures[0];
  return { results, notAsked: queue.length };
}

/** A hint of a model is never an error for the server; here it is one that another answers. */
function checkAnswering(trial: Trial, { model }: Variant, results: readonly AskedCase[]): Trial {
  const { transcript } = trial;
  if (
    model === undefined ||
    (transcript.model === model.model && ['port', transcript.provider].includes(model.provider))
  ) {
    return trial;
  }
  const answered = `${transcript.provider}/${transcript.model}`;
  const hasAnswered = results.some(({ variant, trials }) => variant.model === model && trials.length > 0);
  // later on it is the fallback of a model that failed
  if (hasAnswered)
    return { ...trial, outcome: 'failed', transcript: { ...transcript, error: `answered by ${answered}` } };
  const message = `The model ${model.provider}/${model.model} is not offered here; ${answered} answered in its place.`;
  throw new EvaluationError('eval_model_not_offered', message);
}

function readCost({ transcript, judgeCostUsd }: Trial, costMax: number | undefined): number {
  const { costUsd, provider, model } = transcript;
  if ((costUsd !== null && judgeCostUsd !== null) || costMax === undefined) return (costUsd ?? 0) + (judgeCostUsd ?? 0);
  const message = `What ${provider}/${model}${costUsd === null ? '' : ' or its judge'} costs is not known, so --max-cost cannot be kept. An operator can set its price.`;
  throw new EvaluationError('eval_cost_unknown', message);
}
