import type { ActionPolicy } from '@portolan/contract/action-policy';
import type { JqValue } from '@portolan/jq';
import { type Actor, isAdmin, systemActor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { actWith, authorityToday, findActor, listNamedUsers, type SavedAuthority } from '../../accounts/index.ts';
import type { ReadEntity } from '../../entities/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { evaluateActionPolicy } from '../../policies/index.ts';
import { actionBlueprint, presentAction, type StoredAction } from '../action.ts';
import { actionGrant, isGranted } from '../action-rights.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { findBookkeepingActor, runActor } from '../dispatch/run-actors.ts';
import { findCause, isOfWorkflow } from './run.store.ts';
import type { Requester, StoredRun } from './run.ts';

/** What a decision about running an action depends on. */
export interface RunSubject {
  readonly action: StoredAction;
  readonly entity: ReadEntity | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
}

interface ReadDeps {
  readonly database: Reader;
}
type RightsDeps = Pick<ActionsDeps, 'catalog' | 'clock' | 'database'>;

/** Whether the actor may run the action with these inputs; if there is a policy, it decides. */
export async function mayExecute(deps: RightsDeps, actor: Actor, subject: RunSubject): Promise<boolean> {
  const { policy } = actionGrant(subject.action, 'execute');
  if (policy && !isAdmin(actor)) return (await askPolicy(deps, actor, 'execute', policy, subject)).isGranted;
  return isGranted(actor, subject.action, 'execute', subject.entity?.teamRefs);
}

/** @throws AppError `missing_permissions` */
export async function assertMayExecute(deps: ActionsDeps, actor: Actor, subject: RunSubject): Promise<void> {
  if (await mayExecute(deps, actor, subject)) return;
  throw new AppError('missing_permissions', `You may not run the action "${subject.action.identifier}" here`);
}

/** The approvers that the policy names; undefined without a policy. */
export async function approversByPolicy(
  deps: RightsDeps,
  actor: Actor,
  subject: RunSubject,
): Promise<readonly string[] | undefined> {
  const { policy } = actionGrant(subject.action, 'approve');
  return policy && (await askPolicy(deps, actor, 'approve', policy, subject)).approvers;
}

/** People who may approve, named by the lists or the policy. */
export async function listApprovers(deps: RightsDeps, actor: Actor, subject: RunSubject): Promise<string[]> {
  const answered = await approversByPolicy(deps, actor, subject);
  return listNamedUsers(
    deps.database,
    actor.orgId,
    answered ? { users: answered } : actionGrant(subject.action, 'approve'),
  );
}

/** Approvers to e-mail. People named only by a policy find the run in the portal. */
export async function listNamedApprovers(deps: ActionsDeps, { orgId }: Actor, action: StoredAction): Promise<string[]> {
  const grant = actionGrant(action, 'approve');
  return grant.policy ? [] : listNamedUsers(deps.database, orgId, grant);
}

export async function mayApprove(deps: RightsDeps, actor: Actor, subject: RunSubject): Promise<boolean> {
  if (isAdmin(actor)) return true;
  const { policy } = actionGrant(subject.action, 'approve');
  if (!policy) return isGranted(actor, subject.action, 'approve');
  return (await askPolicy(deps, actor, 'approve', policy, subject)).isGranted;
}

function askPolicy(
  deps: RightsDeps,
  actor: Actor,
  verb: 'execute' | 'approve',
  policy: ActionPolicy,
  { action, entity, inputs }: RunSubject,
) {
  return evaluateActionPolicy(deps.catalog, actor, verb, policy, {
    blueprint: actionBlueprint(action.definition) ?? null,
    action: presentAction(action) as unknown as JqValue,
    inputs: inputs as JqValue,
    ...(entity ? { entity } : {}),
    trigger: { at: deps.clock.now().toISOString(), user: { email: actor.userId ?? null } },
  });
}

/** Current actor of the requester; undefined if deleted or disabled. */
export async function findRequester(deps: ReadDeps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  if (run.invocation !== null) return askerOfInvocation(deps, orgId, run);
  if (run.depth > 0 && run.createdByKind === 'machine') return starterOfRun(deps, orgId, run);
  const who: Requester = { id: run.createdBy, kind: run.createdByKind };
  return findActor(deps.database, orgId, who);
}

/** The requester of a run started by a run: the actor of that run. */
async function starterOfRun(deps: ReadDeps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  if (await isOfWorkflow(deps.database, orgId, run.id)) return starterOfWorkflow(deps, orgId, run);
  const cause = await findCause(deps.database, orgId, run.id);
  // a deleted action cannot request anything
  return cause && cause.actionKey !== null ? runActor(deps, orgId, cause) : undefined;
}

/** A workflow acts with what is left of the authority of whoever saved it, in the name of whoever started it. */
async function starterOfWorkflow(
  { database }: ReadDeps,
  orgId: string,
  { requestedWith, createdBy }: StoredRun,
): Promise<Actor | undefined> {
  const organization = await findOrganization(database, orgId);
  const authority = requestedWith && 'by' in requestedWith ? (requestedWith as SavedAuthority) : undefined;
  const left = authority && (await authorityToday(database, orgId, authority));
  if (!organization || !left) return undefined;
  return actWith(left, {
    orgId,
    model: organization.model,
    id: createdBy,
    datasource: 'portolan',
    origin: 'AUTOMATION',
  });
}

/** The requester of an assistant's run: the person who asked the assistant, and never an administrator instead. */
async function askerOfInvocation(deps: ReadDeps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  if (run.createdBy === systemActor(orgId).id) return findBookkeepingActor(deps, orgId, run);
  return findActor(deps.database, orgId, { id: run.createdBy, kind: run.createdByKind });
}

/**
 * Everyone may see runs, unless the action restricts them to requester, approvers and administrators (catalog semantics
 * §4.9).
 */
export function maySeeRun(actor: Actor, run: StoredRun, action: StoredAction | undefined): boolean {
  if (isAdmin(actor) || run.createdBy === actor.id) return true;
  const { trigger, allowAnyoneToViewRuns } = action?.definition ?? run.action.definition;
  if (action && isGranted(actor, action, 'approve')) return true;
  return trigger.type === 'self-service' && allowAnyoneToViewRuns !== false;
}
