import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import { retentionJob } from '../../../platform/jobs/retention-job.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { deleteProposalsBefore, listOrganizationsWithProposals } from './proposal.store.ts';

const deletedAtOnce = 500;

/** Proposals are kept as long as runs, whatever became of them. */
export function proposalJobs(deps: DefinitionsDeps & { readonly keptDays: number }): JobDeclaration[] {
  return [
    retentionJob(deps, {
      name: 'workflows.delete-old-proposals',
      keptDays: deps.keptDays,
      batchSize: deletedAtOnce,
      organizations: listOrganizationsWithProposals,
      removeBatch: (tx, orgId, before) => deleteProposalsBefore(tx, orgId, before, deletedAtOnce),
    }),
  ];
}
