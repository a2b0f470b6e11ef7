import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { deleteRecordsBefore, listRecordingOrganizations } from './journal.store.ts';

const batchSize = 5_000;

/** Once an hour, removes the records of all organizations that are older than they are kept, in small transactions. */
export function deleteOldRecords(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  keptDays: number,
): JobDeclaration {
  return defineJob({
    name: 'journal.delete-old-records',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: what is gone is gone
    run: async (_input, { signal }) => {
      const before = new Date(clock.now().getTime() - keptDays * 24 * 60 * 60_000);
      for (const orgId of await listRecordingOrganizations(database)) {
        let deleted = batchSize;
        while (deleted === batchSize) {
          signal.throwIfAborted();
          deleted = await database.transaction((tx) => deleteRecordsBefore(tx, orgId, before, batchSize));
        }
      }
    },
  });
}
