import type { Work } from '../../../platform/unit-of-work.ts';
import { closeProposal, listOpenProposals, lockProposal } from './proposal.store.ts';
import type { Proposal } from './proposal.ts';

/** Records a proposal as it is made, or what was decided on it. */
export function recordProposal(
  work: Work,
  before: Omit<Proposal, 'key'> | undefined,
  after: Omit<Proposal, 'key'>,
): void {
  work.record({
    event: before ? 'workflow-proposal.updated' : 'workflow-proposal.created',
    action: before ? 'UPDATE' : 'CREATE',
    resourceType: 'workflowProposal',
    identifier: after.id,
    context: { workflow: after.identifier },
    ...(before ? { before: described(before) } : {}),
    after: described(after),
  });
}

function described({
  state,
  identifier,
  baseVersion,
  goal,
  createdBy,
  invocation,
  decidedBy,
  comment,
}: Omit<Proposal, 'key'>) {
  return {
    state,
    workflow: identifier,
    baseVersion,
    goal,
    createdBy,
    ...(invocation === null ? {} : { invocation }),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(comment === null ? {} : { comment }),
  };
}

/** Ends a locked proposal. */
export async function endProposal(
  work: Work,
  proposal: Proposal,
  { state, comment }: Pick<Proposal, 'state' | 'comment'>,
): Promise<Proposal> {
  const ended: Proposal = { ...proposal, state, comment, decidedAt: work.now, decidedBy: work.actor.id };
  await closeProposal(work.tx, work.actor.orgId, ended);
  recordProposal(work, proposal, ended);
  return ended;
}

/** A model that mends its proposal leaves one, not many. */
export async function replaceOpenOnes(
  work: Work,
  { createdBy, identifier }: Pick<Proposal, 'createdBy' | 'identifier'>,
): Promise<void> {
  const { tx, actor, now } = work;
  for (const { id } of await listOpenProposals(tx, actor.orgId, { now, createdBy, identifier }, 50)) {
    const open = await lockProposal(tx, actor.orgId, id);
    if (open?.state === 'OPEN')
      await endProposal(work, open, { state: 'DISMISSED', comment: 'Another took its place' });
  }
}
