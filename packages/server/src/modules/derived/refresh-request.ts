import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** The job that computes what is only marked, one at a time in an organization. */
export const refreshDeclared = {
  name: 'catalog.refresh-derived',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  dedupeBy: () => 'all',
} as const;

/** What is enqueued; the job that runs is one of `derivedJobs`. */
export const refreshRequest = defineJob({
  ...refreshDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
