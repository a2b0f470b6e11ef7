import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { planAndCommit } from './commit-transition.ts';
import { owesCompensation } from './compensations.ts';
import { transition } from './machine.ts';
import { maySeeRun } from './run-rights.ts';
import type { RunsDeps } from './runs.deps.ts';
import { readSnapshot, type Snapshot, toState } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/**
 * Ends every wait of a run at once and lets a call in flight finish; forced, it does not wait for that either.
 * @throws AppError `not_found`, `missing_permissions`, `workflow_run_ended`
 */
export async function cancelRun(
  deps: RunsDeps,
  actor: Actor,
  runId: string,
  isForced: boolean,
): Promise<StoredWorkflowRun> {
  let before: Snapshot | undefined;
  const done = await planAndCommit(deps, actor, async () => {
    before = await readSnapshot(deps.database, actor.orgId, runId);
    if (!before || !(await maySeeRun(deps.database, actor, before.run))) throw notFound('Workflow run', runId, 'id');
    const { run } = before;
    if (!isAdmin(actor) && run.createdBy !== actor.id && run.impersonatedBy !== actor.id) {
      throw new AppError('missing_permissions', 'A run is cancelled by whoever started it, or by an administrator');
    }
    const owes = !isForced && (await owesCompensation(deps.database, actor.orgId, before));
    const taken = transition(toState(before), { kind: 'cancel', isForced, owes });
    if (taken.kind === 'refused') {
      // asked once more while its call is still in flight, or while it undoes what it did
      if (taken.why === 'not-now') return undefined;
      throw new AppError('workflow_run_ended', `The run ended as ${run.result} at ${run.completedAt?.toISOString()}`, {
        details: { result: run.result, endedAt: run.completedAt?.toISOString() },
      });
    }
    const name = actor.userId ?? actor.id;
    const isOpen = before.nodeRun !== null && before.nodeRun.phase !== 'ENDED';
    const nodeMessage = isForced ? 'Cancelled by force; the receiver may have acted' : 'Cancelled while it waited';
    const message = isForced ? `Cancelled by force by ${name}` : `Cancelled by ${name}`;
    const ended = isOpen && taken.state.token?.phase === 'ENDED';
    return {
      before,
      planned: {
        taken,
        run: { cancelledBy: name, message },
        ...(ended ? { nodeRun: { message: nodeMessage }, log: [{ level: 'WARN', message: nodeMessage }] } : {}),
      },
    };
  });
  return done?.after.run ?? (before as Snapshot).run;
}
