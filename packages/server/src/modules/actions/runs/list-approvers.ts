import type { Actor } from '../../../platform/actor.ts';
import { findActionByKey } from '../action.store.ts';
import { getRun } from './read-runs.ts';
import { listApprovals } from './run.store.ts';
import { approversOf } from './run-rights.ts';
import { subjectOf } from './run-subject.ts';
import type { StartDeps } from './start-run.ts';

/** Somebody's word on a run, or that it is still waited for. */
export interface Approver {
  readonly userId: string;
  readonly state: string;
  readonly description: string | null;
}

/** Who decided on a run, and with `withPending` who may while it waits. @throws AppError `not_found` */
export async function listApprovers(
  deps: StartDeps,
  actor: Actor,
  id: string,
  withPending: boolean,
): Promise<Approver[]> {
  const run = await getRun(deps.database, actor, id);
  const decided = (await listApprovals(deps.database, actor.orgId, id)).map(({ userId, state, description }) => ({
    userId,
    state,
    description,
  }));
  if (!withPending || run.status !== 'WAITING_FOR_APPROVAL' || run.actionKey === null) return decided;
  const action = await findActionByKey(deps.database, actor.orgId, run.actionKey);
  if (!action) return decided;
  const subject = await subjectOf(deps, actor, action, run.entity, run.properties);
  const pending = (await approversOf(deps, actor, subject)).filter(
    (userId) => !decided.some((each) => each.userId === userId),
  );
  return [...decided, ...pending.map((userId) => ({ userId, state: 'PENDING', description: null }))];
}
