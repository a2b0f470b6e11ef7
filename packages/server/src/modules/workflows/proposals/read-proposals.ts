import type { ListedWorkflowProposal, WorkflowProposal } from '@portolan/contract/workflow-proposals';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { isDecider } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import { mayWrite } from './may-write.ts';
import { findProposalRow, listOpenProposals } from './proposal.store.ts';
import { isOpenAt, type Proposal } from './proposal.ts';

type ReadDeps = Pick<DefinitionsDeps, 'database' | 'clock'>;

/** A proposal, if the caller is an administrator or it is theirs. @throws AppError `not_found` */
export async function findProposal({ database }: ReadDeps, actor: Actor, id: string): Promise<Proposal> {
  const proposal = await findProposalRow(database, actor.orgId, id);
  if (!proposal || !(isAdmin(actor) || isOwn(actor, proposal))) throw notFound('Proposal', id, 'id');
  return proposal;
}

function isOwn({ id, kind }: Actor, { createdBy, createdByKind }: Proposal): boolean {
  return createdBy === id && createdByKind === kind;
}

/** Those that wait for a decision, as far as the caller may see them, newest first. */
export async function listProposals(
  { database, clock }: ReadDeps,
  actor: Actor,
  limit: number,
): Promise<ListedWorkflowProposal[]> {
  const now = clock.now();
  const open = { now, createdBy: isAdmin(actor) ? undefined : actor.id };
  const found = await listOpenProposals(database, actor.orgId, open, limit);
  return found.filter((each) => isAdmin(actor) || isOwn(actor, each)).map((each) => summary(each, now));
}

/** @throws AppError `not_found` */
export async function getProposal(deps: ReadDeps, actor: Actor, id: string): Promise<WorkflowProposal> {
  return presentProposal(deps, actor, await findProposal(deps, actor, id));
}

export async function presentProposal(
  { database, clock }: ReadDeps,
  actor: Actor,
  proposal: Proposal,
): Promise<WorkflowProposal> {
  const now = clock.now();
  const isOpen = isOpenAt(proposal, now);
  const obstacle = isOpen ? await findObstacle({ database }, actor, proposal) : undefined;
  return {
    ...summary(proposal, now),
    // definitions come from JSON
    definition: proposal.definition as unknown as WorkflowProposal['definition'],
    warnings: [...proposal.warnings],
    test: proposal.test,
    questions: [...proposal.questions],
    invocation: proposal.invocation,
    textAuthors: [...proposal.textAuthors],
    decidedAt: proposal.decidedAt?.toISOString() ?? null,
    decidedBy: proposal.decidedBy,
    comment: proposal.comment,
    mayAccept: isOpen && isDecider(actor) && mayWrite(actor),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

function summary(proposal: Proposal, now: Date): ListedWorkflowProposal {
  const { id, state, goal, identifier, definition, baseVersion, createdAt, createdBy, agent, expiresAt } = proposal;
  return {
    identifier: id,
    state: state === 'OPEN' && expiresAt <= now ? 'EXPIRED' : state,
    goal,
    workflow: { identifier, title: definition.title ?? null },
    baseVersion,
    createdAt: createdAt.toISOString(),
    createdBy,
    agent,
    expiresAt: expiresAt.toISOString(),
  };
}

async function findObstacle(
  { database }: Pick<ReadDeps, 'database'>,
  { orgId }: Actor,
  { workflowKey, baseVersion }: Proposal,
): Promise<string | undefined> {
  if (workflowKey === null) return undefined;
  const current = await findCurrentByKey(database, orgId, workflowKey);
  if (!current) return 'The workflow was deleted meanwhile';
  if (current.version === baseVersion) return undefined;
  return `The workflow is at version ${current.version} by now, and this was drawn up for version ${baseVersion}`;
}
