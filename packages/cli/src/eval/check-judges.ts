import type { GraderName } from '@portolan/contract/evaluation';
import type { EvalCase } from '@portolan/evaluation';
import type { EvalCall } from './eval-options.ts';
import { setupError } from './read-cases.ts';

/** Graders that say what was not done, or spent; nothing about what the answer says. */
const bounds: ReadonlySet<GraderName> = new Set(['not_called', 'nothing_executed', 'cost_max', 'latency_max']);

/** A gate does not rest on what another model thinks, unless that is asked for. @throws CliError `eval_judge_alone` */
export function checkJudges(cases: readonly EvalCase[], { failBelow, baseline, isJudgeEnough }: EvalCall): void {
  if (isJudgeEnough || (failBelow === undefined && baseline === undefined)) return;
  const issues = cases.flatMap(({ identifier, expect }) => {
    const telling = expect.filter(({ grader }) => !bounds.has(grader));
    const isAlone = telling.length > 0 && telling.every(({ grader }) => grader === 'judge');
    return isAlone ? [{ path: `${identifier}/expect`, message: 'says what is right by a judge alone' }] : [];
  });
  if (issues.length === 0) return;
  const message = 'No gate rests on a judge alone. Add another grader to these cases, or use --judge-alone.';
  throw setupError('eval_judge_alone', message, issues);
}
