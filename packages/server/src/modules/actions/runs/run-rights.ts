import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { findActor, listNamedUsers } from '../../identity/index.ts';
import type { StoredAction } from '../action.ts';
import { grantOf, isGranted } from '../action-rights.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { Requester, StoredRun } from './run.ts';

/** What a decision about running an action looks at. */
export interface RunSubject {
  readonly action: StoredAction;
  /** The entity it acts on, whole, with the keys of its teams. */
  readonly entity: Readonly<Record<string, unknown>> | undefined;
  readonly entityTeams: readonly string[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Whether the actor may run the action on this entity with these inputs; a policy decides where one is there. */
export async function mayExecute(deps: ActionsDeps, actor: Actor, subject: RunSubject): Promise<boolean> {
  const { policy } = grantOf(subject.action, 'execute');
  if (policy && !isAdmin(actor)) return deps.policies.mayExecute(actor, policy, subject);
  return isGranted(actor, subject.action, 'execute', subject.entityTeams);
}

/** @throws AppError `missing_permissions` */
export async function assertMayExecute(deps: ActionsDeps, actor: Actor, subject: RunSubject): Promise<void> {
  if (await mayExecute(deps, actor, subject)) return;
  throw new AppError('missing_permissions', `You may not run the action "${subject.action.identifier}" here`);
}

/** The people who may approve runs of the action: named by its lists, or by its policy where one is there. */
export async function approversOf(deps: ActionsDeps, actor: Actor, subject: RunSubject): Promise<string[]> {
  const grant = grantOf(subject.action, 'approve');
  if (grant.policy) return deps.policies.approversOf(actor, grant.policy, subject);
  return listNamedUsers(deps.database, actor.orgId, grant);
}

/** Whether the actor may approve or decline runs of the action. */
export async function mayApprove(deps: ActionsDeps, actor: Actor, subject: RunSubject): Promise<boolean> {
  if (isAdmin(actor)) return true;
  const { policy } = grantOf(subject.action, 'approve');
  if (!policy) return isGranted(actor, subject.action, 'approve');
  return actor.userId !== undefined && (await deps.policies.approversOf(actor, policy, subject)).includes(actor.userId);
}

/** Whoever asked for a run, as they stand now; undefined once they are gone or disabled. */
export function requesterOf(deps: ActionsDeps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const who: Requester = { id: run.createdBy, kind: run.createdByKind };
  return findActor(deps.database, orgId, who);
}

/** Everybody sees runs unless the action keeps them to those who ran, approve, or administrate (catalog semantics §4.9). */
export function maySeeRun(actor: Actor, run: StoredRun, action: StoredAction | undefined): boolean {
  if (isAdmin(actor) || run.createdBy === actor.id) return true;
  const { trigger, allowAnyoneToViewRuns } = action?.definition ?? run.action.definition;
  if (action && isGranted(actor, action, 'approve')) return true;
  return trigger.type === 'self-service' && allowAnyoneToViewRuns !== false;
}
