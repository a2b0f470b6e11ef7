import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { findOpenSync, listSyncRows } from '../ingest/sync.store.ts';
import { listDueSources } from '../sources/due-sources.store.ts';
import { lockSource, updateSource } from '../sources/source.store.ts';
import { endAbandonedSyncs } from './end-abandoned-syncs.ts';
import { beginSync, type StartDeps } from './start-sync.ts';

const dayMs = 24 * 60 * 60_000;

/** Ends syncs that broke off for good, and begins those whose time has come. Twice is harmless: a source with an open sync is passed over. */
export function scheduleSyncsJob(deps: StartDeps): JobDeclaration {
  const { database, clock, unitOfWork } = deps;
  return defineJob({
    name: 'sources.schedule-syncs',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 15_000,
    run: async (_input, { each }) => {
      const now = clock.now();
      await endAbandonedSyncs(deps, each);
      type Due = Awaited<ReturnType<typeof listDueSources>>[number];
      const due = inBatches(1_000, (last: Due | undefined, limit) =>
        listDueSources(database, { now, after: last, limit }),
      );
      await each(due, ({ orgId, identifier }) =>
        unitOfWork(systemActor(orgId), async (work) => {
          const source = await lockSource(work.tx, orgId, identifier);
          if (!source?.nextSyncAt || source.isPaused || source.nextSyncAt > work.now) return;
          if (await findOpenSync(work.tx, orgId, source.key)) return;
          const mode = await nextMode(work.tx, orgId, source, work.now);
          await beginSync(deps, work, source, { mode, isPlan: false });
          await updateSource(work.tx, orgId, { ...source, nextSyncAt: null });
        }),
      );
    },
  });
}

/** Once a day everything is read, so that what was missed and what is gone is found; in between what moved. */
async function nextMode(
  tx: Parameters<typeof lockSource>[0],
  orgId: string,
  { key, state }: { readonly key: number; readonly state: unknown },
  now: Date,
): Promise<'full' | 'changes'> {
  if (state === null) return 'full';
  const syncs = await listSyncRows(tx, orgId, { sourceKey: key, limit: 200 });
  const whole = syncs.find(({ mode, isWhole, isPlan }) => mode === 'full' && isWhole && !isPlan);
  return whole && now.getTime() - whole.startedAt.getTime() < dayMs ? 'changes' : 'full';
}
