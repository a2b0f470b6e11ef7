import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

/** The job that writes the results of what is marked, one at a time in an organization. */
export const resultsDeclared = {
  name: 'catalog.refresh-rule-results',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  dedupeBy: () => 'all',
} as const;

/** What is enqueued; the job that runs is one of `ruleResultJobs`. */
export const resultsRequest = defineJob({
  ...resultsDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
