import { scopesCover } from '@portolan/contract/scopes';
import type { WorkflowProposalAcceptance } from '@portolan/contract/workflow-proposals';
import type { WorkflowIssue } from '@portolan/contract/workflows';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { insufficientScope } from '../../../platform/scopes.ts';
import { carrying } from '../../../platform/text-authors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { isDecider } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import type { WorkflowDefinition } from '../definitions/workflow.ts';
import { changeWithin, checked, createWithin, namedOnce } from '../definitions/write-workflows.ts';
import { endProposal } from './close-proposal.ts';
import { lockProposal } from './proposal.store.ts';
import { isOpenAt, type Proposal } from './proposal.ts';
import { findProposal } from './read-proposals.ts';

export interface AcceptedProposal {
  readonly proposal: Proposal;
  readonly warnings: readonly WorkflowIssue[];
}

/**
 * Saves what was proposed, as whoever accepts it, in the transaction that closes the proposal. The authors of what led to
 * it stay with the version. The same acceptance again answers the same.
 * @throws AppError as saving a workflow, and `missing_permissions`, `not_found`, `draft_changed`, `draft_expired`
 */
export async function acceptProposal(
  deps: DefinitionsDeps,
  actor: Actor,
  id: string,
  { definition: changed, expectedVersion, note }: WorkflowProposalAcceptance,
): Promise<AcceptedProposal> {
  assertPerson(actor);
  const seen = await findProposal(deps, actor, id);
  if (seen.state === 'ACCEPTED' && seen.decidedBy === actor.id) return { proposal: seen, warnings: [] };
  if (seen.workflowKey !== null && !scopesCover(actor.scopes, 'update:actions'))
    throw insufficientScope('update:actions');
  const { definition, warnings } = await checked(deps, actor, changed ?? seen.definition, { note });
  const options = { note, expectedVersion: changed === undefined ? undefined : expectedVersion };
  const proposal = await namedOnce(definition.identifier, () =>
    deps.unitOfWork(carrying(actor, seen.textAuthors), async (work) => {
      const open = await lockOpen(work, id);
      if (!open) return seen;
      await save(work, open, definition, options);
      return endProposal(work, open, { state: 'ACCEPTED', comment: note ?? null });
    }),
  );
  return { proposal: proposal === seen ? await findProposal(deps, actor, id) : proposal, warnings };
}

/** @throws AppError `missing_permissions`, `not_found`, `draft_changed` */
export async function dismissProposal(
  deps: Pick<DefinitionsDeps, 'database' | 'clock' | 'unitOfWork'>,
  actor: Actor,
  id: string,
  comment: string | undefined,
): Promise<Proposal> {
  assertPerson(actor);
  await findProposal(deps, actor, id);
  return deps.unitOfWork(actor, async (work) => {
    const proposal = await lockProposal(work.tx, actor.orgId, id);
    if (!proposal) throw notFound('Proposal', id, 'id');
    if (proposal.state === 'DISMISSED') return proposal;
    if (proposal.state === 'ACCEPTED') throw decidedAlready(proposal);
    return endProposal(work, proposal, { state: 'DISMISSED', comment: comment ?? null });
  });
}

function assertPerson(actor: Actor): void {
  if (isDecider(actor)) return;
  throw new AppError('missing_permissions', 'Proposals are decided on by people, in the portal or over the API');
}

function decidedAlready({ id, decidedBy, state }: Proposal): AppError {
  return new AppError('draft_changed', `The proposal "${id}" was decided on by "${decidedBy}" already: ${state}`);
}

/** Undefined if the caller accepted it meanwhile. */
async function lockOpen(work: Work, id: string): Promise<Proposal | undefined> {
  const proposal = await lockProposal(work.tx, work.actor.orgId, id);
  if (!proposal) throw notFound('Proposal', id, 'id');
  if (proposal.state === 'ACCEPTED' && proposal.decidedBy === work.actor.id) return undefined;
  if (proposal.state !== 'OPEN') throw decidedAlready(proposal);
  if (isOpenAt(proposal, work.now)) return proposal;
  throw new AppError('draft_expired', `The proposal expired at ${proposal.expiresAt.toISOString()}`);
}

async function save(
  work: Work,
  { workflowKey, baseVersion }: Proposal,
  definition: WorkflowDefinition,
  { note, expectedVersion }: { readonly note: string | undefined; readonly expectedVersion: number | undefined },
): Promise<void> {
  if (workflowKey === null || baseVersion === null) {
    await createWithin(work, definition, { note });
    return;
  }
  const current = await findCurrentByKey(work.tx, work.actor.orgId, workflowKey);
  if (!current)
    throw new AppError('draft_changed', 'The workflow was deleted meanwhile; have it proposed as a new one');
  const expected = expectedVersion ?? baseVersion;
  await changeWithin(work, current.identifier, () => definition, { note, expectedVersion: expected });
}
