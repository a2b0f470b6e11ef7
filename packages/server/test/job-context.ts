import { createEachRecord } from '../src/platform/jobs/each-record.ts';
import type { JobContext } from '../src/platform/jobs/job.ts';

/** What a handler is given that a test calls without a worker. */
export function jobContext(orgId = ''): JobContext {
  const { signal } = new AbortController();
  const log = { warn: () => undefined };
  const frozen = async () => new Set<string>();
  const each = createEachRecord({ log, context: {}, frozen, recordMs: 5_000, stop: signal });
  return { orgId, attempt: 1, signal, each };
}
