import type { StoredWorkflowRun } from './workflow-run.ts';

const daysMs = 7 * 86_400_000;

/** Compensations have a week, however late the run fails. */
export function compensationUntil({ deadlineAt }: Pick<StoredWorkflowRun, 'deadlineAt'>, now: Date): Date {
  const until = new Date(now.getTime() + daysMs);
  return until > deadlineAt ? until : deadlineAt;
}
