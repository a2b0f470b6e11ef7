import type { Actor } from '../../../platform/actor.ts';
import { findActionByKey } from '../action.store.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type Approvers, approversNow, findRequesters } from './approvers.ts';
import { getRun } from './read-runs.ts';
import { listApprovals } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { approversByPolicy } from './run-rights.ts';
import { buildSubject } from './run-subject.ts';
import type { StartDeps } from './start-run.ts';

export interface Approver {
  readonly userId: string;
  readonly state: string;
  readonly description: string | null;
}

/**
 * The people who decided on a run; `withPending` adds those who still may, without requesters.
 * @throws AppError `not_found`
 */
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
  if (!withPending || run.status !== 'WAITING_FOR_APPROVAL') return decided;
  const { users } = await approversOfRun(deps, actor, run);
  const pending = users.filter((userId) => !decided.some((each) => each.userId === userId));
  return [...decided, ...pending.map((userId) => ({ userId, state: 'PENDING', description: null }))];
}

/** Approvers of a waiting run; none if its action is deleted. */
export async function approversOfRun(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<Approvers> {
  const { database } = deps;
  const { orgId } = actor;
  const action = run.actionKey === null ? undefined : await findActionByKey(database, orgId, run.actionKey);
  if (!action) return { users: [], areAdministrators: false };
  const subject = await buildSubject(deps, actor, action, run.entity, run.properties);
  const answered = await approversByPolicy(deps, actor, subject);
  return approversNow(database, orgId, action, answered, await findRequesters(database, orgId, run));
}
