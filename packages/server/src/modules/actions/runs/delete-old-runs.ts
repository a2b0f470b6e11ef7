import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import { retentionJob } from '../../../platform/jobs/retention-job.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { deleteRunsBefore, listRunningOrganizations } from './run.store.ts';

const batchSize = 1_000;

export function deleteOldRuns(deps: ActionsDeps): JobDeclaration {
  return retentionJob(deps, {
    name: 'actions.delete-old-runs',
    keptDays: deps.keptDays,
    batchSize,
    organizations: listRunningOrganizations,
    removeBatch: (tx, orgId, before) => deleteRunsBefore(tx, orgId, before, batchSize),
  });
}
