import type { Actor } from '../../../platform/actor.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type DispatchJob, storeChangedRun } from './enter-run.ts';
import { lockRun } from './run.store.ts';
import { nextStatus } from './run-state.ts';

interface Deps extends Pick<ActionsDeps, 'unitOfWork'> {
  readonly dispatch: DispatchJob;
}

/**
 * Takes a run back that nobody waits for any more, as long as people have not decided on it. What is in progress may have
 * been sent, and stays. Answers whether it was taken back.
 */
export async function withdrawRun(deps: Deps, actor: Actor, id: string, statusLabel: string): Promise<boolean> {
  return deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, id);
    if (run?.status !== 'DRAFT' && run?.status !== 'WAITING_FOR_APPROVAL') return false;
    const event = run.status === 'DRAFT' ? 'decline' : 'withdraw';
    const status = nextStatus(run.status, event, { needsApproval: run.requiredApproval !== null });
    if (!status) return false;
    await storeChangedRun(work, deps.dispatch, run, { status, statusLabel });
    return true;
  });
}
