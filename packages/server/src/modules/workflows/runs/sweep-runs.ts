import { type EachRecord, inBatches } from '../../../platform/jobs/each-record.ts';
import { hasUnfinishedJob } from '../../../platform/jobs/unfinished-job.store.ts';
import { deleteEndedWaits } from '../nodes/waits.store.ts';
import { listForsakenSteps } from './child-runs.store.ts';
import { listStuck, type StuckRun } from './node-run.store.ts';
import { advance, dispatchNode, stopChildren } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;
/** Longer than any job of a run may take. */
const untouchedMs = 15 * 60_000;

/**
 * Sends on the runs that should go on, have not for long, and have no job that would take them on: there are none unless
 * it was lost. A child whose turn has not come is left to the step that began it, and children of a step that has ended
 * are stopped once more. Forgets the waits of steps that ended by themselves.
 */
export async function sweepRuns(deps: RunsDeps, each: EachRecord): Promise<void> {
  while ((await deps.database.transaction((tx) => deleteEndedWaits(tx, batchSize))) === batchSize);
  const before = new Date(deps.clock.now().getTime() - untouchedMs);
  const stuck = inBatches<StuckRun>(batchSize, (last, limit) => listStuck(deps.database, before, last, limit));
  const sent: string[] = [];
  await each(stuck, async (run) => {
    if (await sendOn(deps, run)) sent.push(run.runId);
  });
  if (sent.length > 0) {
    deps.log.warn({ runs: sent.length, first: sent[0] }, 'runs of workflows stood still and are sent on');
  }
  await stopForsaken(deps, each, before);
}

/** The job that stops them has a number of tries; they wait for months. */
async function stopForsaken({ database, jobs, log }: RunsDeps, each: EachRecord, before: Date): Promise<void> {
  type Step = Awaited<ReturnType<typeof listForsakenSteps>>[number];
  const forsaken = inBatches<Step>(batchSize, (last, limit) => listForsakenSteps(database, before, last, limit));
  const stopped: string[] = [];
  await each(forsaken, async ({ orgId, nodeRunId }) => {
    if (await hasUnfinishedJob(database, orgId, stopChildren.name, nodeRunId)) return;
    await database.transaction((tx) => jobs.enqueue(tx, orgId, stopChildren, { nodeRunId }));
    stopped.push(nodeRunId);
  });
  if (stopped.length > 0) {
    log.warn({ steps: stopped.length, first: stopped[0] }, 'runs that no step waits for went on and are stopped');
  }
}

/**
 * Whether it stood still: not where a job waits or runs, whose tries would begin anew with another one, nor where its turn
 * may not have come, which its parent looks at.
 */
async function sendOn({ database, jobs }: RunsDeps, stuck: StuckRun): Promise<boolean> {
  const { orgId, nodeRunId, phase, waitsForTurn } = stuck;
  const isCalling = phase === 'DISPATCHING' && nodeRunId !== null;
  const runId = waitsForTurn ?? stuck.runId;
  const { name } = isCalling ? dispatchNode : advance;
  if (await hasUnfinishedJob(database, orgId, name, isCalling ? nodeRunId : runId)) return false;
  await database.transaction((tx) =>
    isCalling ? jobs.enqueue(tx, orgId, dispatchNode, { nodeRunId }) : jobs.enqueue(tx, orgId, advance, { runId }),
  );
  return waitsForTurn === null;
}
