import { systemActor } from '../../../platform/actor.ts';
import { type EachRecord, inBatches } from '../../../platform/jobs/each-record.ts';
import { hasUnfinishedJob } from '../../../platform/jobs/unfinished-job.store.ts';
import { listUntouchedSyncs } from '../ingest/sync.store.ts';
import { findSourceByKey } from '../sources/source.store.ts';
import { endSync, type SyncFailure } from './end-sync.ts';
import type { StartDeps } from './start-sync.ts';

/** Longer than a turn of a sync may take, so that who works on it has touched it since. */
const untouchedMs = 10 * 60_000;
const batchSize = 1_000;

const failure: SyncFailure = {
  problem: {
    code: 'interrupted',
    message: 'The server ended several times while it read the source. What was stored stays, and nothing was deleted',
    fix: 'Start a sync, or wait for the next one. If it breaks off again, look into the log of the server',
  },
  isPausing: false,
};

/**
 * Ends syncs that nobody will go on with, because their job died with its last process: they would keep the source from
 * being read for good. One that waits for its host has a job, however long that takes.
 */
export async function endAbandonedSyncs(deps: StartDeps, each: EachRecord): Promise<void> {
  const { database, clock, sync: job } = deps;
  const since = new Date(clock.now().getTime() - untouchedMs);
  type Untouched = Awaited<ReturnType<typeof listUntouchedSyncs>>[number];
  const untouched = inBatches(batchSize, (after: Untouched | undefined, limit) =>
    listUntouchedSyncs(database, { since, after, limit }),
  );
  await each(untouched, async ({ orgId, key, sourceKey, mode }) => {
    // events are read in one go, and have nothing to wait for
    if (mode !== 'event' && (await hasUnfinishedJob(database, orgId, job.name, String(key)))) return;
    const source = sourceKey === null ? undefined : await findSourceByKey(database, orgId, sourceKey);
    if (source) await endSync(deps, systemActor(orgId), source, { key }, failure);
  });
}
