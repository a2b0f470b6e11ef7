import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

/** The job that tells approvers of a run that waits for them. */
export const notifyDeclared = {
  name: 'actions.notify-approvers',
  input: z.object({ runId: z.string() }),
  attempts: 4,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** What is enqueued; the job that runs is `notifyApproversJob`. */
export const notifyRequest = defineJob({
  ...notifyDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
