import type { Tx } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Target } from '../../journal/index.ts';
import { workflowsConsumer } from './interest.sql.ts';
import { takeEvents } from './run-jobs.ts';

type Wake = (tx: Tx, orgId: string, targets: readonly Target[]) => Promise<void>;

/** Enqueues the job that turns events into runs, with the transaction that writes the events and beside the others' jobs. */
export function createWorkflowWaker(jobs: Pick<Jobs, 'enqueue'>, others: Wake): Wake {
  return async (tx, orgId, targets) => {
    await others(tx, orgId, targets);
    if (targets.some(({ consumer }) => consumer === workflowsConsumer)) await jobs.enqueue(tx, orgId, takeEvents, {});
  };
}
