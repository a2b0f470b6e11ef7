import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { deleteRunsBefore, listRunningOrganizations } from './run.store.ts';

const batchSize = 1_000;

/** Once an hour, removes ended runs of all organizations that are older than they are kept, in small transactions. */
export function deleteOldRuns({ database, clock, keptDays }: ActionsDeps): JobDeclaration {
  return defineJob({
    name: 'actions.delete-old-runs',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: what is gone is gone
    run: async (_input, { signal }) => {
      const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
      for (const orgId of await listRunningOrganizations(database, before)) {
        let deleted = batchSize;
        while (deleted === batchSize) {
          signal.throwIfAborted();
          deleted = await database.transaction((tx) => deleteRunsBefore(tx, orgId, before, batchSize));
        }
      }
    },
  });
}
