import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { deleteOldRows, listOrganizationsWithSyncs } from './clean-up.store.ts';
import type { IngestDeps } from './ingest.deps.ts';

const dayMs = 24 * 60 * 60_000;
/** Days that plans, undo and problems are kept; an import to which nobody added ends after one. */
const kept = { plans: 1, idle: 1, undo: 7, problems: 30 } as const;

/** Deletes what syncs leave behind, hourly. Twice is harmless: deleting again finds nothing. */
export function cleanUpJob({ database, clock }: IngestDeps): JobDeclaration {
  return defineJob({
    name: 'sources.clean-up',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    run: async (_input, { each }) => {
      const now = clock.now();
      const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
      const organizations = await listOrganizationsWithSyncs(database);
      await each(
        organizations.map((orgId) => ({ orgId })),
        ({ orgId }) =>
          database.transaction((tx) =>
            deleteOldRows(tx, orgId, {
              now,
              plans: daysAgo(kept.plans),
              idle: daysAgo(kept.idle),
              undo: daysAgo(kept.undo),
              problems: daysAgo(kept.problems),
            }),
          ),
      );
    },
  });
}
