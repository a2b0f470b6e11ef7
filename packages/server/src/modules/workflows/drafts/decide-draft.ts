import type { WorkflowDraftDecision } from '@portolan/contract/workflow-drafts';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor } from '../../accounts/index.ts';
import { holdActiveAgent, isDecider, refusalOfDecision } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { holdCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { closeDraft, lockAskedRun } from './asked-run.store.ts';
import type { AskedRun } from './asked-run.ts';
import { type DraftStanding, findRequester, isAsMuch, mayDecideOn, readStanding } from './draft-standing.ts';
import { findDraft } from './read-drafts.ts';
import { beginAskedRun, declineDraft, recordDraft } from './store-asked-run.ts';

/**
 * Approves or declines a draft, once. Approving needs the hash of exactly what would run, an unchanged workflow, an
 * unexpired draft, an active agent, and the right for requester and decider; otherwise nothing changes. What was approved
 * begins in the same transaction. The same decision again answers the same.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`, `draft_changed`, `draft_expired`
 */
export async function decideDraft(
  deps: DefinitionsDeps,
  actor: Actor,
  id: string,
  body: WorkflowDraftDecision,
): Promise<AskedRun> {
  if (!isDecider(actor)) {
    throw new AppError('missing_permissions', 'Runs are decided on by people, in the portal or over the API');
  }
  const seen = await findDraft(deps, actor, id);
  const standing = await readStanding(deps, actor.orgId, seen);
  const mayDecide = await mayDecideOn(deps, actor, standing.workflow, seen);
  return deps.unitOfWork(actor, async (work) => {
    const asked = await lockAskedRun(work.tx, actor.orgId, id);
    if (!asked?.draft) throw notFound('Draft', id, 'id');
    if (asked.state !== 'DRAFT') {
      if (isRepeated(asked, actor, body)) return asked;
      throw new AppError('run_ended', `The draft "${id}" was decided by "${asked.decidedBy}" already: ${asked.state}`);
    }
    if (!mayDecide) throw new AppError('missing_permissions', `You may not decide on the run "${id}"`);
    const held = standing.workflow && (await holdCurrent(work.tx, actor.orgId, standing.workflow.identifier));
    const workflow = held?.key === asked.workflowKey ? held : undefined;
    await assertSame(work, asked, body, standing, workflow);
    const comment = body.description ?? null;
    if (body.status === 'DECLINE' || !workflow) return declineDraft(work, asked, { by: actor.id, comment });
    const approved: AskedRun = { ...asked, state: 'STARTED', decidedAt: work.now, decidedBy: actor.id, comment };
    await closeDraft(work.tx, actor.orgId, id, approved);
    recordDraft(work, approved, false);
    await beginAskedRun(work, workflow, approved);
    return approved;
  });
}

function isRepeated(asked: AskedRun, actor: Actor, { status, inputsHash }: WorkflowDraftDecision): boolean {
  const state = status === 'APPROVE' ? 'STARTED' : 'DECLINED';
  return asked.state === state && asked.decidedBy === actor.id && asked.draft?.inputsHash === inputsHash;
}

/** @throws AppError `draft_changed`, `draft_expired`, `missing_permissions` */
async function assertSame(
  { tx, actor, now }: Work,
  asked: AskedRun,
  body: WorkflowDraftDecision,
  standing: DraftStanding,
  workflow: StoredWorkflow | undefined,
): Promise<void> {
  const { orgId } = actor;
  const agent = asked.draft?.agent;
  const requester = standing.requesterMay ? await findRequester(tx, orgId, asked) : undefined;
  const refusal = refusalOfDecision(asked, body, {
    what: 'workflow',
    now,
    actionVersion: workflow?.version,
    seenVersion: standing.workflow?.version,
    requesterMay: isAsMuch(requester, standing.requester),
    isAgentActive: agent === undefined || (await holdActiveAgent(tx, orgId, agent)),
  });
  if (refusal) throw refusal;
  if (!isAsMuch(await findActor(tx, orgId, actor), actor)) {
    throw new AppError('missing_permissions', `Your rights were changed while you decided on the run "${asked.id}"`);
  }
}
