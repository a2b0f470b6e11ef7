import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { listWaitingTargets } from '../../journal/index.ts';
import type { ChangelogSender } from './changelog-sender.ts';
import { changelogConsumer } from './interest.sql.ts';

const resumeMs = 10_000;

/** The job's declaration without `run`, for those who enqueue it. */
export const sendChangelog = {
  name: 'automations.send-changelog',
  input: z.object({ target: z.string() }),
  attempts: 3,
  timeoutMs: 30_000,
  dedupeBy: ({ target }: { readonly target: string }) => target,
};

export function changelogJobs(database: Database, sender: ChangelogSender): JobDeclaration[] {
  return [
    defineJob({
      ...sendChangelog,
      // safe to repeat: one process sends to a receiver at a time. Not awaited, so that a dead receiver blocks no
      // worker
      run: async ({ target }, { orgId }) => sender.start(orgId, target),
    }) as unknown as JobDeclaration,
    defineJob({
      name: 'automations.resume-changelog',
      input: z.object({}),
      attempts: 3,
      timeoutMs: 30_000,
      everyMs: resumeMs,
      // safe to repeat, as above: finds receivers whose pause is over, and those of crashed processes
      run: async () => {
        for (const { orgId, target } of await listWaitingTargets(database, changelogConsumer)) {
          sender.start(orgId, target);
        }
      },
    }),
  ];
}
