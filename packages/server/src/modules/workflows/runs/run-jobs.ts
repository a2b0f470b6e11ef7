import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

const onlyEnqueues = () => Promise.reject(new Error('This declaration only enqueues'));

/** Processes that die take attempts too; what fails by itself ends its node run, or its run, long before. */
export const attempts = 50;

/** Takes a run as far as it goes without waiting. Twice is harmless: each transition is a compare-and-set. */
export const advance = defineJob({
  name: 'workflows.advance',
  input: z.object({ runId: z.string() }),
  attempts,
  timeoutMs: 5 * 60_000,
  dedupeBy: ({ runId }) => runId,
  run: onlyEnqueues,
});

/** Makes the call of a node run. Twice is possible after a crash: the receiver gets the same idempotency key. */
export const dispatchNode = defineJob({
  name: 'workflows.dispatch-node',
  input: z.object({ nodeRunId: z.string() }),
  attempts,
  timeoutMs: 11 * 60_000,
  waitsOutside: true,
  dedupeBy: ({ nodeRunId }) => nodeRunId,
  run: onlyEnqueues,
});

/** Cancels the child runs of a step that waits for them no more. Twice is harmless: those that have ended stay so. */
export const stopChildren = defineJob({
  name: 'workflows.stop-children',
  input: z.object({ nodeRunId: z.string() }),
  attempts,
  timeoutMs: 5 * 60_000,
  dedupeBy: ({ nodeRunId }) => nodeRunId,
  run: onlyEnqueues,
});

/** Turns events into runs. */
export const takeEvents = defineJob({
  name: 'workflows.take-events',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  dedupeBy: () => 'all',
  run: onlyEnqueues,
});
