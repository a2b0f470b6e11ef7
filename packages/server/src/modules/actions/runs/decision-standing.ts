import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { coversAuthority, unscopedAuthority } from '../../../platform/authority.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor } from '../../accounts/index.ts';
import { findActionByKey, holdAction } from '../action.store.ts';
import type { StoredAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type Approvers, approversNow, findRequesters } from './approvers.ts';
import { changed } from './draft-decision.ts';
import type { StoredRun } from './run.ts';
import { approversByPolicy, findRequester, mayApprove, mayExecute } from './run-rights.ts';
import { buildSubject } from './run-subject.ts';

/** Rights to decide, read before the transaction. */
export interface Standing {
  readonly mayDecide: boolean;
  /** True if the actor requested the waiting run, or the requester acted for them. */
  readonly isRequester: boolean;
  readonly requester: Actor | undefined;
  /** Whether the requester may still run the action. */
  readonly requesterMay: boolean;
  readonly action: StoredAction | undefined;
  readonly actionVersion: number | undefined;
  /** Approvers named by the policy; undefined without a policy. */
  readonly answered: readonly string[] | undefined;
}

/** The standing after confirmation in the transaction. */
export interface HeldStanding {
  readonly requesterMay: boolean;
  readonly approvers: Approvers;
}

/** Reads the rights of actor and requester before any decision. */
export async function readStanding(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<Standing> {
  const { orgId } = actor;
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, orgId, run.actionKey);
  if (!action) return nothing;
  const subject = await buildSubject(deps, actor, action, run.entity, run.properties);
  const isDraft = run.status === 'DRAFT';
  const requester = await findRequester(deps, orgId, run);
  const isApprover = await mayApprove(deps, actor, subject);
  // confirming one's own draft is not an approval and replaces none
  const isRequester = !isDraft && (await findRequesters(deps.database, orgId, run)).has(actor.id);
  const decidesDraft = isDraft && (isApprover || (await mayExecute(deps, actor, subject)));
  const isForAll = run.requiredApproval?.type === 'ALL';
  return {
    mayDecide: isDraft ? decidesDraft : isApprover && !isRequester,
    isRequester,
    requester,
    requesterMay: requester !== undefined && (await mayExecute(deps, requester, subject)),
    action,
    actionVersion: action.version,
    answered: isForAll ? await approversByPolicy(deps, actor, subject) : undefined,
  };
}

const nothing: Standing = {
  mayDecide: false,
  isRequester: false,
  requester: undefined,
  requesterMay: false,
  action: undefined,
  actionVersion: undefined,
  answered: undefined,
};

/**
 * Confirms under locks the state read before: the action, its approvers, and the rights of decider and requester. A
 * policy's view of entities is not read again and may be slightly old.
 * @throws AppError `draft_changed` if something differs, `missing_permissions`
 */
export async function holdStanding(work: Work, run: StoredRun, seen: Standing): Promise<HeldStanding> {
  const { tx, actor } = work;
  const held = run.actionKey === null ? undefined : await holdAction(tx, actor.orgId, run.actionKey);
  if (!held || held.version !== seen.action?.version || !isDeepStrictEqual(held.rights, seen.action.rights)) {
    throw changed(run.id, 'its action was changed while you decided');
  }
  if (!isAsMuch(await findActor(tx, actor.orgId, actor), actor)) {
    throw new AppError('missing_permissions', `Your rights were changed while you decided on the run "${run.id}"`);
  }
  const requester = seen.requesterMay ? await findRequester({ database: tx }, actor.orgId, run) : undefined;
  const requesters = run.status === 'DRAFT' ? new Set<string>() : await findRequesters(tx, actor.orgId, run);
  if (requesters.has(actor.id)) throw changed(run.id, 'it was asked for by you');
  return {
    requesterMay: seen.requester !== undefined && isAsMuch(requester, seen.requester),
    approvers: await approversNow(tx, actor.orgId, held, seen.answered, requesters),
  };
}

/** True if the actor still has all the roles and teams read before. */
function isAsMuch(now: Actor | undefined, seen: Actor): boolean {
  return now !== undefined && coversAuthority(unscopedAuthority(now), unscopedAuthority(seen));
}
