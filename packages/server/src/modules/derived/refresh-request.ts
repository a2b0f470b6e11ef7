import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** The job that computes marked values, one at a time per organization. */
export const refreshDeclared = {
  name: 'catalog.refresh-derived',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  dedupeBy: () => 'all',
} as const;

/** Only for enqueuing; one of `derivedJobs` runs. */
export const refreshRequest = defineJob({
  ...refreshDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
