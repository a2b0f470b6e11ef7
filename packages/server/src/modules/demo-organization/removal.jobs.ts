import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { deleteRemovedRows, forgetRemoved, listRemoved } from '../organizations/index.ts';
import type { DemoOrganizationDeps } from './demo-organization.deps.ts';

const minuteMs = 60_000;
/** Longer than any transaction, job or stream that was at work when an organization was removed. */
const keptMs = 2 * 24 * 60 * minuteMs;

const input = z.object({ organizationId: z.string() });

/** Deletes the data of a removed organization. Harmless twice: what is gone is not deleted again. */
export function removalJob({ database }: Pick<DemoOrganizationDeps, 'database'>): JobDeclaration<typeof input> {
  return defineJob({
    name: 'demo-organization.delete-data',
    input,
    attempts: 10,
    timeoutMs: 30 * minuteMs,
    dedupeBy: ({ organizationId }) => organizationId,
    run: ({ organizationId }, { signal }) => deleteRemovedRows(database, organizationId, signal),
  });
}

/**
 * Looks again at organizations that were removed, since what was being written meanwhile may have come after, and
 * forgets them after two days. Harmless twice.
 */
function sweepJob({ database, clock }: DemoOrganizationDeps): JobDeclaration {
  return defineJob({
    name: 'demo-organization.sweep-removed',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * minuteMs,
    everyMs: 10 * minuteMs,
    run: async (_input, { each }) => {
      const removed = await listRemoved(database);
      await each(
        removed.map(({ id }) => ({ orgId: id })),
        ({ orgId }, signal) => deleteRemovedRows(database, orgId, signal),
      );
      await forgetRemoved(database, new Date(clock.now().getTime() - keptMs));
    },
  });
}

export function removalJobs(deps: DemoOrganizationDeps): JobDeclaration[] {
  return [removalJob(deps), sweepJob(deps)];
}
