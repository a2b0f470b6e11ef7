import type { Tx } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Target } from '../journal/index.ts';
import { sendChangelog } from './changelog/changelog-jobs.ts';
import { changelogConsumer } from './changelog/interest.sql.ts';
import { automationsConsumer } from './interest.sql.ts';
import { takeEvents } from './take-events.ts';

/** Enqueues the jobs that react to events, with the transaction that writes the events. */
export function createReactionWaker(jobs: Pick<Jobs, 'enqueue'>) {
  return async (tx: Tx, orgId: string, targets: readonly Target[]): Promise<void> => {
    if (targets.some(({ consumer }) => consumer === automationsConsumer)) await jobs.enqueue(tx, orgId, takeEvents, {});
    for (const { consumer, target } of targets) {
      if (consumer === changelogConsumer) await jobs.enqueue(tx, orgId, sendChangelog, { target });
    }
  };
}
