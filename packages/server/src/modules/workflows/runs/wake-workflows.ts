import type { Tx } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Target } from '../../journal/index.ts';
import { workflowsConsumer } from './interest.sql.ts';
import { takeEvents } from './run-jobs.ts';

/** Enqueues the job that turns events into runs, with the transaction that writes the events. */
export function createWorkflowWaker(jobs: Pick<Jobs, 'enqueue'>) {
  return async (tx: Tx, orgId: string, targets: readonly Target[]): Promise<void> => {
    if (targets.some(({ consumer }) => consumer === workflowsConsumer)) await jobs.enqueue(tx, orgId, takeEvents, {});
  };
}
