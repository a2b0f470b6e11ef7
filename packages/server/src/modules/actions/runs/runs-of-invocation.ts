import type { InvocationRun, RunEvidence } from '@portolan/contract/invocation-answers';
import type { Actor } from '../../../platform/actor.ts';
import { findActionByKey } from '../action.store.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { listAffectedEntities } from './list-affected-entities.ts';
import { listApprovals, selectRuns } from './run.store.ts';
import { presentRun, type StoredRun } from './run.ts';
import { ofInvocation } from './run-conditions.sql.ts';
import { maySeeRun } from './run-rights.ts';
import { runUrl } from './run-url.ts';

/** More than an invocation can create. */
const runsMax = 200;

/** Runs that an invocation started or proposed, limited to those that the caller may see, in the order of calls. */
export async function listRunsOfInvocation(deps: ActionsDeps, actor: Actor, id: string): Promise<InvocationRun[]> {
  return (await visibleRuns(deps, actor, id)).map((run) => ({
    runId: run.id,
    action: run.actionIdentifier,
    entity: run.entity,
    mode: run.draft === null ? 'executed' : 'draft',
    status: run.status,
    toolCall: run.invocation?.call ?? '',
    url: runUrl(deps, run.id),
  }));
}

/** Like `listRunsOfInvocation`, with decisions and changes. */
export async function evidenceOfInvocation(
  deps: ActionsDeps,
  actor: Actor,
  id: string,
): Promise<Omit<RunEvidence, 'audits'>[]> {
  const evidence: Omit<RunEvidence, 'audits'>[] = [];
  for (const run of await visibleRuns(deps, actor, id)) {
    const approvals = await listApprovals(deps.database, actor.orgId, run.id);
    const entities = await listAffectedEntities(deps, actor, run.id);
    evidence.push({
      run: presentRun(run, 'v2', approvals),
      approvals: approvals.map(({ at, ...approval }) => ({ ...approval, at: at.toISOString() })),
      entities: entities.map(({ at, ...entity }) => ({ ...entity, at: at.toISOString() })),
    });
  }
  return evidence;
}

async function visibleRuns(deps: ActionsDeps, actor: Actor, id: string): Promise<StoredRun[]> {
  const { database } = deps;
  const runs = await selectRuns(database, actor.orgId, [ofInvocation(id)], runsMax);
  const visible: StoredRun[] = [];
  for (const run of runs.reverse()) {
    const action = run.actionKey === null ? undefined : await findActionByKey(database, actor.orgId, run.actionKey);
    if (maySeeRun(actor, run, action)) visible.push(run);
  }
  return visible;
}
