import {
  type CaseEntity,
  combineVariants,
  type EvalCase,
  type EvaluationProgress,
  keepRun,
  liveAnswering,
  reportVariants,
  runEvaluation,
  toCase,
  type Variant,
} from '@portolan/evaluation';
import { call, errorStatus } from '../../api/api.ts';
import { newInvocationId } from '../../parts/ai/question-memory.ts';
import { browserEvaluationApi, browserGraderKit } from './browser-evaluation.ts';
import { runParams } from './evaluation-reads.ts';

/** More is for a pipeline: the page has to stay open until everything is answered. */
export const questionsMax = 50;

export type BrowserProgress = EvaluationProgress;

export interface QuestionPlan {
  readonly cases: readonly EvalCase[];
  readonly variants: readonly Variant[];
  /** Of invocations, with those of judges. */
  readonly count: number;
  readonly judges: number;
  /** Cases that are left out, each with its path and why. */
  readonly wrong: readonly string[];
}

/** What would be asked, and what cannot be: cases that are written wrong, or need what a browser has not. */
export function planQuestions(
  entities: readonly CaseEntity[],
  chosen: { readonly tags: readonly string[]; readonly agents: readonly string[]; readonly models: readonly string[] },
): QuestionPlan {
  const wrong: string[] = [];
  const cases = entities.flatMap((entity) => {
    const issues: { path: string; message: string }[] = [];
    const each = toCase(entity, browserGraderKit, issues);
    if (chosen.tags.length > 0 && !chosen.tags.some((tag) => each.tags.includes(tag))) return [];
    if (chosen.agents.length > 0 && each.setup.systemPrompt !== undefined) {
      issues.push({ path: `${each.identifier}/setup/systemPrompt`, message: 'has no effect on agents' });
    }
    wrong.push(...issues.map(({ path, message }) => `${path}: ${message}`));
    return issues.length === 0 ? [each] : [];
  });
  const models = chosen.models.flatMap((text) => {
    const at = text.indexOf('/');
    return at > 0 && at < text.length - 1 ? [{ provider: text.slice(0, at), model: text.slice(at + 1) }] : [];
  });
  const variants = combineVariants(
    models,
    chosen.agents.map((agent) => ({ agent })),
  );
  const judges = cases.flatMap(({ expect }) => expect.filter(({ grader }) => grader === 'judge')).length;
  return { cases, variants, judges, wrong, count: (cases.length + judges) * variants.length };
}

/**
 * Asks what was planned and keeps the run. The page has to stay: a stop ends it, and keeps nothing.
 * @returns the run
 */
export async function askInBrowser(
  { cases, variants }: Pick<QuestionPlan, 'cases' | 'variants'>,
  signal: AbortSignal,
  onProgress: (progress: EvaluationProgress) => void,
): Promise<string> {
  const run = newInvocationId();
  const startedAt = new Date().toISOString();
  const answering = liveAnswering(browserEvaluationApi, run);
  const plan = { run, cases, variants, trials: 1, costMax: undefined };
  const evaluation = await runEvaluation(answering, browserGraderKit, plan, signal, onProgress);
  signal.throwIfAborted();
  await keepRun(
    { run, startedAt, variants: reportVariants(plan, evaluation) },
    (body) => call('createEntity', { params: runParams, body: body as never }),
    (error) => errorStatus(error) === 422,
  );
  return run;
}
