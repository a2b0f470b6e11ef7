import type { ApprovalBody } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActionByKey, holdAction } from '../action.store.ts';
import { isSelfService } from '../action.ts';
import { holdActiveAgent } from './agent-of-draft.ts';
import { changed, refusalOfDecision } from './draft-decision.ts';
import { storeChangedRun } from './enter-run.ts';
import { getRun, runMissing } from './read-runs.ts';
import { insertApproval, listApprovals, lockRun } from './run.store.ts';
import type { Approval, StoredRun } from './run.ts';
import { approversOf, mayApprove, mayExecute, requesterOf } from './run-rights.ts';
import { nextStatus } from './run-state.ts';
import { subjectOf } from './run-subject.ts';
import type { StartDeps } from './start-run.ts';

/** What was found out before the transaction about the right to decide. */
export interface Standing {
  readonly mayDecide: boolean;
  /** Whether whoever asked for the run may still run it. */
  readonly requesterMay: boolean;
  /** The people whose approval is needed where all of them must approve. */
  readonly approvers: readonly string[];
  readonly actionVersion: number | undefined;
}

/**
 * Approves or declines a draft or a run that waits. A draft is approved only by the hash of exactly what would run, while
 * its action is unchanged, before it expires, and while both the requester and the decider hold the right; anything else
 * is refused and leaves it as it is (decisions: Drafts). Saying the same again answers the same run.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`, `draft_changed`, `draft_expired`
 */
export async function decideRun(deps: StartDeps, actor: Actor, id: string, body: ApprovalBody): Promise<StoredRun> {
  assertDecider(actor);
  const seen = await getRun(deps.database, actor, id);
  const standing = await standingOf(deps, actor, seen);
  return deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, id);
    if (!run) throw runMissing(id);
    const repeated = await isRepeated(work, run, body);
    if (repeated) return run;
    if (!standing.mayDecide) throw new AppError('missing_permissions', `You may not decide on the run "${id}"`);
    if (run.status !== 'DRAFT' && run.status !== 'WAITING_FOR_APPROVAL') throw ended(run);
    // the right was asked for the gate that was seen; at another gate it is another right
    if (run.status !== seen.status) throw changed(run.id, 'it moved on while you decided');
    if (run.status === 'DRAFT') await assertSameDraft(work, run, body, standing);
    return body.status === 'DECLINE' ? decline(deps, work, run, body) : approve(deps, work, run, body, standing);
  });
}

/** Whether somebody stands behind what the actor does. */
export function isDecider({ origin, kind }: Actor): boolean {
  return kind !== 'system' && origin !== 'MCP' && origin !== 'AI' && origin !== 'AUTOMATION';
}

/** No tool, agent or automation decides: only a person, or a program with credentials of its own. */
function assertDecider(actor: Actor): void {
  if (isDecider(actor)) return;
  throw new AppError('missing_permissions', 'Runs are decided on by people, in the portal or over the API');
}

/** How the actor and the requester stand to a run that waits, read before any decision. */
export async function standingOf(deps: StartDeps, actor: Actor, run: StoredRun): Promise<Standing> {
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, actor.orgId, run.actionKey);
  if (!action) return { mayDecide: false, requesterMay: false, approvers: [], actionVersion: undefined };
  const subject = await subjectOf(deps, actor, action, run.entity, run.properties);
  const isDraft = run.status === 'DRAFT';
  const requester = await requesterOf(deps, actor.orgId, run);
  const isApprover = await mayApprove(deps, actor, subject);
  const decidesDraft = isDraft && (isApprover || (await mayExecute(deps, actor, subject)));
  return {
    mayDecide: isDraft ? decidesDraft : isApprover,
    requesterMay: requester !== undefined && (await mayExecute(deps, requester, subject)),
    approvers: run.requiredApproval?.type === 'ALL' ? await approversOf(deps, actor, subject) : [],
    actionVersion: action.version,
  };
}

/** Whether this very decision was taken before by this very person. */
async function isRepeated({ tx, actor }: Work, run: StoredRun, { status, inputsHash }: ApprovalBody): Promise<boolean> {
  const mine = (await listApprovals(tx, actor.orgId, run.id)).filter(({ userId }) => userId === actor.id);
  const state = status === 'APPROVE' ? 'APPROVED' : 'DECLINED';
  const gate = run.status === 'DRAFT' ? 'DRAFT' : inputsHash ? 'DRAFT' : 'APPROVAL';
  if (!mine.some((each) => each.gate === gate && each.state === state)) return false;
  return gate === 'APPROVAL' || inputsHash === run.draft?.inputsHash;
}

/** @throws AppError `invalid_request` without a hash, `draft_changed`, `draft_expired` */
async function assertSameDraft(
  { tx, actor, now }: Work,
  run: StoredRun,
  body: ApprovalBody,
  { requesterMay, actionVersion: seenVersion }: Standing,
): Promise<void> {
  const held = run.actionKey === null ? undefined : await holdAction(tx, actor.orgId, run.actionKey);
  const actionVersion = held && isSelfService(held) ? held.version : undefined;
  const agent = run.draft?.agent;
  const isAgentActive = agent === undefined || (await holdActiveAgent(tx, actor.orgId, agent));
  const facts = { now, actionVersion, seenVersion, requesterMay, isAgentActive };
  const refusal = refusalOfDecision(run, body, facts);
  if (refusal) throw refusal;
}

async function decline(deps: StartDeps, work: Work, run: StoredRun, body: ApprovalBody): Promise<StoredRun> {
  await note(work, run, 'DECLINED', body);
  return storeChangedRun(work, deps.dispatch, run, { status: 'DECLINED' });
}

async function approve(
  deps: StartDeps,
  work: Work,
  run: StoredRun,
  body: ApprovalBody,
  { approvers, requesterMay }: Standing,
): Promise<StoredRun> {
  const { tx, actor } = work;
  await note(work, run, 'APPROVED', body);
  if (run.status === 'WAITING_FOR_APPROVAL') {
    if (!requesterMay) throw new AppError('missing_permissions', `"${run.createdBy}" may not run the action any more`);
    const approved = (await listApprovals(tx, actor.orgId, run.id))
      .filter(({ gate, state }) => gate === 'APPROVAL' && state === 'APPROVED')
      .map(({ userId }) => userId);
    const isComplete = run.requiredApproval?.type !== 'ALL' || approvers.every((each) => approved.includes(each));
    if (!isComplete) return storeChangedRun(work, deps.dispatch, run, {});
  }
  const status = nextStatus(run.status, 'approve', { needsApproval: run.requiredApproval !== null });
  if (!status) throw ended(run);
  return storeChangedRun(work, deps.dispatch, run, { status });
}

async function note({ tx, actor, now }: Work, run: StoredRun, state: Approval['state'], { description }: ApprovalBody) {
  const gate = run.status === 'DRAFT' ? 'DRAFT' : 'APPROVAL';
  const approval = { userId: actor.id, gate, state, description: description ?? null } as const;
  await insertApproval(tx, actor.orgId, run.id, approval, now);
}

export function ended(run: StoredRun): AppError {
  return new AppError('run_ended', `The run "${run.id}" has the status ${run.status} and cannot be changed this way`);
}
