import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

export const notifyDeclared = {
  name: 'actions.notify-approvers',
  input: z.object({ runId: z.string() }),
  attempts: 4,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** Only enqueues; `notifyApproversJob` runs the job. */
export const notifyRequest = defineJob({
  ...notifyDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
