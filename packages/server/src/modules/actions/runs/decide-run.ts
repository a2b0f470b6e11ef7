import type { ApprovalBody } from '@portolan/contract/action-runs';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { holdAction } from '../action.store.ts';
import { isSelfService } from '../action.ts';
import { holdActiveAgent } from './agent-of-draft.ts';
import { type Approvers, haveAllApproved } from './approvers.ts';
import { type HeldStanding, holdStanding, readStanding, type Standing } from './decision-standing.ts';
import { changed, refusalOfDecision } from './draft-decision.ts';
import { storeChangedRun } from './enter-run.ts';
import { getRun, runMissing } from './read-runs.ts';
import { approvedBy, insertApproval, listApprovals, lockRun } from './run.store.ts';
import type { Approval, StoredRun } from './run.ts';
import { nextStatus } from './run-state.ts';
import type { StartDeps } from './start-run.ts';

/**
 * Approves or declines a draft or a waiting run. Approving a draft needs the hash of exactly what would run, an
 * unchanged action, an unexpired draft, and the right for both requester and decider; otherwise the draft stays
 * unchanged (compatibility choices, Drafts). Repeating a decision returns the same run.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`, `draft_changed`, `draft_expired`
 */
export async function decideRun(deps: StartDeps, actor: Actor, id: string, body: ApprovalBody): Promise<StoredRun> {
  assertDecider(actor);
  const seen = await getRun(deps.database, actor, id);
  const standing = await readStanding(deps, actor, seen);
  return deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, id);
    if (!run) throw runMissing(id);
    if (!mayComplete(run, body) && (await isRepeated(work, run, body))) return run;
    if (standing.isRequester) throw ownRun(run);
    if (!standing.mayDecide) throw new AppError('missing_permissions', `You may not decide on the run "${id}"`);
    if (run.status !== 'DRAFT' && run.status !== 'WAITING_FOR_APPROVAL') throw ended(run);
    // the standing was read for the other gate
    if (run.status !== seen.status) throw changed(run.id, 'it moved on while you decided');
    if (run.status === 'DRAFT') await assertSameDraft(work, run, body, standing);
    const held = await holdStanding(work, run, standing);
    return body.status === 'DECLINE' ? decline(deps, work, run, body) : approve(deps, work, run, body, held);
  });
}

/** Repeating an approval may complete it, because the set of approvers can change. */
function mayComplete({ status, requiredApproval }: StoredRun, body: ApprovalBody): boolean {
  return status === 'WAITING_FOR_APPROVAL' && requiredApproval?.type === 'ALL' && body.status === 'APPROVE';
}

function ownRun({ id }: StoredRun): AppError {
  const message = `You asked for the run "${id}", or it was asked for on your behalf: somebody else decides whether it goes on. You can withdraw it`;
  return new AppError('missing_permissions', message);
}

/** True if the request comes from a person or a program, not from a tool, agent or automation. */
export function isDecider({ origin, kind }: Actor): boolean {
  return kind !== 'system' && origin !== 'MCP' && origin !== 'AI' && origin !== 'AUTOMATION';
}

/** Tools, agents and automations may not decide. */
function assertDecider(actor: Actor): void {
  if (isDecider(actor)) return;
  throw new AppError('missing_permissions', 'Runs are decided on by people, in the portal or over the API');
}

/** True if this actor already took this decision. */
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
  { approvers, requesterMay }: HeldStanding,
): Promise<StoredRun> {
  const isFirst = !(await isRepeated(work, run, body));
  await note(work, run, 'APPROVED', body);
  if (run.status === 'WAITING_FOR_APPROVAL') {
    if (!requesterMay) throw new AppError('missing_permissions', `"${run.createdBy}" may not run the action any more`);
    if (!(await isApproved(work, run, approvers))) {
      return isFirst ? storeChangedRun(work, deps.dispatch, run, {}) : run;
    }
  }
  const status = nextStatus(run.status, 'approve', { needsApproval: run.requiredApproval !== null });
  if (!status) throw ended(run);
  return storeChangedRun(work, deps.dispatch, run, { status });
}

/** Whether enough approvals exist, counting the current one if it is valid. */
async function isApproved({ tx, actor }: Work, run: StoredRun, approvers: Approvers): Promise<boolean> {
  if (run.requiredApproval?.type !== 'ALL' || (approvers.areAdministrators && isAdmin(actor))) return true;
  return haveAllApproved(approvers, await approvedBy(tx, actor.orgId, run.id));
}

async function note({ tx, actor, now }: Work, run: StoredRun, state: Approval['state'], { description }: ApprovalBody) {
  const gate = run.status === 'DRAFT' ? 'DRAFT' : 'APPROVAL';
  const approval = { userId: actor.id, gate, state, description: description ?? null } as const;
  await insertApproval(tx, actor.orgId, run.id, approval, now);
}

export function ended(run: StoredRun): AppError {
  return new AppError('run_ended', `The run "${run.id}" has the status ${run.status} and cannot be changed this way`);
}
