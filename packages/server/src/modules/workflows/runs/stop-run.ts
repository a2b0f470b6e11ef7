import type { Actor } from '../../../platform/actor.ts';
import { waitsForDatabase } from '../../../platform/db/passing-failure.ts';
import { findAbandonment, listOpenChildren } from './child-runs.store.ts';
import { planAndCommit } from './commit-transition.ts';
import { owesCompensation } from './compensations.ts';
import { transition } from './machine.ts';
import { findNodeRun } from './node-run.store.ts';
import { findWorkflowRun } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';
import { bookkeeper, readSnapshot, toState } from './snapshot.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/** Cancels a run for which nothing above it waits any more, as gently as its parent was. */
export async function stopRun(deps: RunsDeps, actor: Actor, runId: string): Promise<void> {
  await planAndCommit(deps, actor, async () => {
    const before = await readSnapshot(deps.database, actor.orgId, runId);
    if (!before) return undefined;
    const { run, nodeRun } = before;
    const parent =
      run.parentRun === null ? undefined : await findWorkflowRun(deps.database, actor.orgId, run.parentRun);
    const { isForced } = await findAbandonment(deps.database, actor.orgId, runId);
    const owes = !isForced && (await owesCompensation(deps.database, actor.orgId, before));
    const taken = transition(toState(before), { kind: 'cancel', isForced, owes });
    if (taken.kind === 'refused') return undefined;
    const isStopped = nodeRun !== null && nodeRun.phase !== 'ENDED' && taken.state.token?.phase === 'ENDED';
    const message = `Stopped: the run ${run.parentRun} waits for it no more`;
    return {
      before,
      planned: {
        taken,
        run: { cancelledBy: parent?.cancelledBy ?? actor.id, message },
        ...(isStopped ? { nodeRun: { message }, log: [{ level: 'WARN', message }] } : {}),
      },
    };
  });
}

/** Whether nobody above the run waits for it, and it has to be stopped: one that is being cancelled ends by itself. */
export async function isAbandoned(
  { database }: Pick<RunsDeps, 'database'>,
  orgId: string,
  { id, cancel }: Pick<StoredWorkflowRun, 'id' | 'cancel'>,
): Promise<boolean> {
  const found = await findAbandonment(database, orgId, id);
  return found.isForced || (found.isAbandoned && cancel === null);
}

interface Stopping {
  readonly orgId: string;
  readonly nodeRunId: string;
  readonly signal: AbortSignal;
}

/** Stops every open child of a step that has ended; each stops its own, and one that cannot be stopped holds up no other. */
export async function stopOpenChildren(deps: RunsDeps, { orgId, nodeRunId, signal }: Stopping): Promise<void> {
  const nodeRun = await findNodeRun(deps.database, orgId, nodeRunId);
  if (nodeRun?.phase !== 'ENDED') return;
  const failures: unknown[] = [];
  for (const runId of await listOpenChildren(deps.database, orgId, nodeRunId)) {
    signal.throwIfAborted();
    try {
      const run = await findWorkflowRun(deps.database, orgId, runId);
      const actor = run && (await bookkeeper(deps.database, orgId, run));
      if (actor) await stopRun(deps, actor, runId);
    } catch (error) {
      if (waitsForDatabase(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
