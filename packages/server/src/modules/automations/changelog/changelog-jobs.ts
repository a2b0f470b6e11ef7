import { z } from 'zod';
import type { Database } from '../../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { listWaitingTargets } from '../../journal/index.ts';
import type { ChangelogSender } from './changelog-sender.ts';
import { changelogConsumer } from './interest.sql.ts';

const resumeMs = 10_000;

/** The head of the job, for whoever notes that there is something to send. */
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
      // harmless twice: one process sends to a receiver at a time. It is not waited for: a dead receiver holds no worker
      run: async ({ target }, { orgId }) => sender.start(orgId, target),
    }) as unknown as JobDeclaration,
    defineJob({
      name: 'automations.resume-changelog',
      input: z.object({}),
      attempts: 3,
      timeoutMs: 30_000,
      everyMs: resumeMs,
      // harmless twice, as above: receivers whose wait is over, and those of processes that died
      run: async () => {
        for (const { orgId, target } of await listWaitingTargets(database, changelogConsumer)) {
          sender.start(orgId, target);
        }
      },
    }),
  ];
}
