/** What a run came to, in the words of the neutral document. */
export type RunStatus = 'success' | 'failure' | 'cancelled' | 'skipped' | 'running' | 'queued';
export type PullState = 'open' | 'merged' | 'closed';

type Words<Word> = Readonly<Record<string, Word>>;

/** Null for a word that the host did not have when this was written: such a thing is read without it. */
export function translate<Word>(words: Words<Word>, said: string | null | undefined): Word | null {
  return said && Object.hasOwn(words, said) ? (words[said] ?? null) : null;
}

/** Of GitHub Actions, statuses and conclusions, and of Gitea Actions. */
export const actionsRunWords: Words<RunStatus> = {
  requested: 'queued',
  queued: 'queued',
  pending: 'queued',
  waiting: 'queued',
  blocked: 'queued',
  in_progress: 'running',
  running: 'running',
  success: 'success',
  failure: 'failure',
  timed_out: 'failure',
  startup_failure: 'failure',
  action_required: 'failure',
  error: 'failure',
  cancelled: 'cancelled',
  skipped: 'skipped',
  neutral: 'skipped',
  stale: 'skipped',
};
/** Of GitHub and Gitea, which say elsewhere whether a closed one was merged. */
export const actionsPullWords: Words<PullState> = { open: 'open', closed: 'closed' };

export const gitLabRunWords: Words<RunStatus> = {
  created: 'queued',
  waiting_for_resource: 'queued',
  waiting_for_callback: 'queued',
  preparing: 'queued',
  pending: 'queued',
  scheduled: 'queued',
  // waits for somebody to start the next job
  manual: 'queued',
  running: 'running',
  canceling: 'running',
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
};
export const gitLabPullWords: Words<PullState> = {
  opened: 'open',
  // while it is merged
  locked: 'open',
  merged: 'merged',
  closed: 'closed',
};

/** States, results of what is completed, and stages of what goes on. */
export const bitbucketRunWords: Words<RunStatus> = {
  PENDING: 'queued',
  PARSING: 'queued',
  // waits for somebody to start the next step
  PAUSED: 'queued',
  HALTED: 'queued',
  BUILDING: 'running',
  IN_PROGRESS: 'running',
  RUNNING: 'running',
  SUCCESSFUL: 'success',
  PASSED: 'success',
  FAILED: 'failure',
  ERROR: 'failure',
  EXPIRED: 'failure',
  STOPPED: 'cancelled',
  SKIPPED: 'skipped',
};
export const bitbucketPullWords: Words<PullState> = {
  OPEN: 'open',
  MERGED: 'merged',
  DECLINED: 'closed',
  SUPERSEDED: 'closed',
};

/** Statuses, and results of what is completed. */
export const azureRunWords: Words<RunStatus> = {
  notStarted: 'queued',
  postponed: 'queued',
  inProgress: 'running',
  cancelling: 'running',
  succeeded: 'success',
  // with warnings: the host's own conditions count it as succeeded
  partiallySucceeded: 'success',
  failed: 'failure',
  canceled: 'cancelled',
};
export const azurePullWords: Words<PullState> = { active: 'open', completed: 'merged', abandoned: 'closed' };
