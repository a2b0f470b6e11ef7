import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { indexLimits, maintainSearchIndexes } from './maintain-search-indexes.ts';
import { addUses, hasUses } from './search-index.store.ts';
import type { Use } from './use-counter.ts';

interface IndexDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
}

const everyMs = 5 * 60_000;

const declared = {
  name: 'catalog.tend-search-indexes',
  input: z.object({}),
  // the schedule brings the next run
  attempts: 1,
  // building over millions of entities takes hours
  timeoutMs: 4 * 60 * 60_000,
  // the schedule's own key, so that a requested run and a scheduled one deduplicate
  dedupeBy: () => 'catalog.tend-search-indexes',
} as const;

/** Only enqueues; `searchIndexJobs` declares the job that runs. */
const order = defineJob({ ...declared, run: () => Promise.reject(new Error('This declaration only enqueues')) });

export function searchIndexJobs(deps: IndexDeps): JobDeclaration[] {
  return [
    defineJob({
      ...declared,
      everyMs,
      // harmless twice: an advisory lock admits one run, and existing indexes are not rebuilt
      run: async (_input, { signal }) => void (await maintainSearchIndexes(deps, indexLimits, signal)),
    }),
  ];
}

/** Saves counts. Requests maintenance, at most every 5 minutes, if a much used value has no index. */
export function saveUses({ clock, unitOfWork }: IndexDeps): (uses: readonly Use[]) => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (uses) => {
    const isAsking = await unitOfWork(systemActor(''), async (work) => {
      const most = await addUses(work.tx, uses, work.now);
      const isDue = most >= indexLimits.usesMin && work.now.getTime() - askedAt >= everyMs;
      if (isDue) await work.enqueue(order, {});
      return isDue;
    });
    if (isAsking) askedAt = clock.now().getTime();
  };
}

/** A change of a blueprint may remove values; their indexes are dropped by the next run. */
export async function scheduleIndexMaintenance(work: Work, { orgId, key }: StoredBlueprint): Promise<void> {
  if (await hasUses(work.tx, orgId, key)) await work.enqueue(order, {});
}
