import type { Tx } from '../../../platform/db/database.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { limits } from '../definitions/limits.ts';
import { countRunsOfRoot, lockRoot } from './child-runs.store.ts';
import { storeNewRun } from './new-run.ts';
import { advance, stopChildren } from './run-jobs.ts';
import { RunMoved } from './run-moved.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** What a transition plans for the child runs of its step. */
export interface PlannedChildren {
  /** Runs that it begins; the first of them go on at once. */
  readonly children?:
    | {
        readonly runs: readonly StoredWorkflowRun[];
        readonly atOnce: number;
        /** They undo others, which there is always room for. */
        readonly isUndoing?: true;
      }
    | undefined;
  /** None of them is open, so that none has to be stopped. */
  readonly childrenEnded?: boolean | undefined;
}

/** Admits as many more runs below the root; others that begin some wait. @throws RunMoved where there is no room */
export async function holdBreadth(tx: Tx, orgId: string, run: StoredWorkflowRun, more: number): Promise<void> {
  await lockRoot(tx, orgId, run.rootId);
  const there = await countRunsOfRoot(tx, orgId, run.rootId);
  // whoever plans again sees it, and fails the step with a sentence
  if (there + more > limits.runsPerRoot) throw new RunMoved(run.id);
}

/**
 * What a transition owes to the runs around it, in its own commit: it begins children, stops those that nobody waits for
 * any more, and tells the parent of a run that has ended.
 */
export async function commitChildren(
  work: Work,
  before: Snapshot,
  after: Snapshot,
  { children, childrenEnded }: PlannedChildren,
): Promise<void> {
  for (const [index, run] of (children?.runs ?? []).entries()) {
    await storeNewRun(work, run, null, { waits: index >= (children?.atOnce ?? 0) });
  }
  const waited = before.nodeRun?.phase === 'WAIT_CHILD' ? before.nodeRun : undefined;
  if (waited && after.nodeRun?.phase === 'ENDED' && !childrenEnded) {
    await work.enqueue(stopChildren, { nodeRunId: waited.id });
  }
  const { parentRun, status } = after.run;
  if (parentRun !== null && status === 'COMPLETED') await work.enqueue(advance, { runId: parentRun });
}
