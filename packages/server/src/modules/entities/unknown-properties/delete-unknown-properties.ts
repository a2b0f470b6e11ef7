import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import { retentionJob } from '../../../platform/jobs/retention-job.ts';
import type { CatalogDeps } from '../entities.deps.ts';
import { deleteUnknownRows, listOrganizationsWithUnknown } from './unknown-property.store.ts';

const batchSize = 1_000;

/** Removes notes older than a month: the mapping was corrected, or the property added. */
export function deleteUnknownPropertiesJob(deps: CatalogDeps): JobDeclaration {
  return retentionJob(deps, {
    name: 'catalog.forget-unknown-properties',
    keptDays: 30,
    batchSize,
    organizations: listOrganizationsWithUnknown,
    removeBatch: (tx, orgId, before) => deleteUnknownRows(tx, orgId, before, batchSize),
  });
}
