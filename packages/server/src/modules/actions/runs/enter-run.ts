import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { DispatchInput } from '../dispatch/dispatch-job.ts';
import { notifyRequest } from './notify-request.ts';
import { recordRun } from './record-run.ts';
import { insertRun, type RunOrigin, updateRunRow } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { isFinal } from './run-state.ts';

export type DispatchJob = JobDeclaration<DispatchInput>;

/**
 * Stores a new run. A run without a pending decision is dispatched in the same transaction; otherwise approvers are
 * notified.
 */
export async function storeNewRun(
  work: Work,
  dispatch: DispatchJob,
  run: StoredRun,
  origin: RunOrigin = { causedBy: work.actor.runId },
): Promise<void> {
  await insertRun(work.tx, work.actor.orgId, run, origin);
  recordRun(work, undefined, run);
  await enqueueNext(work, dispatch, run);
}

/**
 * Stores a change of a locked run with its author, end and record, and dispatches the run if the change starts it. The
 * only place where execution begins.
 */
export async function storeChangedRun(
  work: Work,
  dispatch: DispatchJob,
  before: StoredRun,
  change: Partial<StoredRun>,
): Promise<StoredRun> {
  const { tx, actor, now } = work;
  const status = change.status ?? before.status;
  const after: StoredRun = {
    ...before,
    ...(actor.opened?.mask(change) ?? change),
    updatedBy: actor.id,
    updatedAt: now,
    endedAt: isFinal(status) ? (before.endedAt ?? now) : null,
  };
  await updateRunRow(tx, actor.orgId, after);
  recordRun(work, before, after);
  if (status !== before.status) await enqueueNext(work, dispatch, after);
  return after;
}

async function enqueueNext(work: Work, dispatch: DispatchJob, { id: runId, status }: StoredRun): Promise<void> {
  if (status === 'IN_PROGRESS') await work.enqueue(dispatch, { runId });
  if (status === 'WAITING_FOR_APPROVAL') await work.enqueue(notifyRequest, { runId });
}
