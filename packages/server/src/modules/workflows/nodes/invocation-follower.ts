import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

/** The job that waits for the answer to a step's question. */
export const invocationFollower = {
  name: 'workflows.follow-invocation',
  input: z.object({
    nodeRunId: z.string(),
    id: z.string(),
    /** The second question, after an answer that did not fit. */
    isRepair: z.boolean().optional(),
  }),
  attempts: 5,
  timeoutMs: 90_000,
  waitsOutside: true,
  dedupeBy: ({ nodeRunId, id }: { readonly nodeRunId: string; readonly id: string }) => `${nodeRunId} ${id}`,
} as const;

/** Only enqueues; `followInvocationJob` runs the job. */
export const followInvocation = defineJob({
  ...invocationFollower,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
