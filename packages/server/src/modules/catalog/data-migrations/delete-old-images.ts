import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { deleteImages, listOrganizationsWithImages } from './data-migration-outcomes.store.ts';

const batchSize = 1_000;

/** Once an hour, removes what entities were before migrations that can no longer be undone, in small transactions. */
export function deleteOldImages({ database, clock }: CatalogDeps, undoDays: number): JobDeclaration {
  return defineJob({
    name: 'catalog.delete-old-images',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: what is gone is gone
    run: async (_input, { signal }) => {
      const before = new Date(clock.now().getTime() - undoDays * 86_400_000);
      for (const orgId of await listOrganizationsWithImages(database, before)) {
        let deleted = batchSize;
        while (deleted === batchSize) {
          signal.throwIfAborted();
          deleted = await database.transaction((tx) => deleteImages(tx, orgId, before, batchSize));
        }
      }
    },
  });
}
