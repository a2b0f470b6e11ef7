import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { retentionJob } from '../../platform/jobs/retention-job.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { deleteImages, listOrganizationsWithImages } from './data-migration-outcomes.store.ts';

const batchSize = 1_000;

/** Deletes images of migrations that can no longer be undone. */
export function deleteOldImages(deps: CatalogDeps, undoDays: number): JobDeclaration {
  return retentionJob(deps, {
    name: 'catalog.delete-old-images',
    keptDays: undoDays,
    batchSize,
    organizations: listOrganizationsWithImages,
    removeBatch: (tx, orgId, before) => deleteImages(tx, orgId, before, batchSize),
  });
}
