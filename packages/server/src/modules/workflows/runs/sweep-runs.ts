import type { EachRecord } from '../../../platform/jobs/each-record.ts';
import { deleteEndedWaits } from '../nodes/waits.store.ts';
import { listStuck } from './node-run.store.ts';
import { advance, dispatchNode } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;
/** Longer than any job of a run may take. */
const untouchedMs = 15 * 60_000;

/**
 * Sends on the runs that should go on and have not for long: there are none unless a job of theirs was lost. Forgets
 * the waits of steps that ended by themselves.
 */
export async function sweepRuns(deps: RunsDeps, each: EachRecord): Promise<void> {
  while ((await deps.database.transaction((tx) => deleteEndedWaits(tx, batchSize))) === batchSize);
  const before = new Date(deps.clock.now().getTime() - untouchedMs);
  const stuck = await listStuck(deps.database, before, batchSize);
  if (stuck.length > 0) {
    deps.log.warn({ runs: stuck.length, first: stuck[0]?.runId }, 'runs of workflows stood still and are sent on');
  }
  await each(stuck, ({ orgId, runId, nodeRunId, phase }) =>
    deps.database.transaction((tx) =>
      phase === 'DISPATCHING' && nodeRunId !== null
        ? deps.jobs.enqueue(tx, orgId, dispatchNode, { nodeRunId })
        : deps.jobs.enqueue(tx, orgId, advance, { runId }),
    ),
  );
}
