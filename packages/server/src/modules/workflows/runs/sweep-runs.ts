import { listStuck } from './node-run.store.ts';
import { advance, dispatchNode } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;
/** Longer than any job of a run may take. */
const untouchedMs = 15 * 60_000;

/**
 * Sends on the runs that should go on and have not for long: there are none unless a job of theirs was lost. Answers how
 * many there were.
 */
export async function sweepRuns(deps: RunsDeps): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - untouchedMs);
  const stuck = await listStuck(deps.database, before, batchSize);
  if (stuck.length === 0) return 0;
  deps.log.warn({ runs: stuck.length, first: stuck[0]?.runId }, 'runs of workflows stood still and are sent on');
  await deps.database.transaction(async (tx) => {
    const calls = stuck.filter(({ phase }) => phase === 'DISPATCHING');
    await deps.jobs.enqueueAll(
      tx,
      dispatchNode,
      calls.map(({ orgId, nodeRunId }) => ({ orgId, input: { nodeRunId: nodeRunId as string } })),
    );
    await deps.jobs.enqueueAll(
      tx,
      advance,
      stuck.filter(({ phase }) => phase !== 'DISPATCHING').map(({ orgId, runId }) => ({ orgId, input: { runId } })),
    );
  });
  return stuck.length;
}
