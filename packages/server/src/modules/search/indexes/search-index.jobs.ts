import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { indexLimits, tendSearchIndexes } from './maintain-search-indexes.ts';
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
  // the next comes by itself
  attempts: 1,
  // an index over many millions of entities takes its time
  timeoutMs: 4 * 60 * 60_000,
  // the key a schedule gives its jobs: what is asked for and what is due become one
  dedupeBy: () => 'catalog.tend-search-indexes',
} as const;

/** What is enqueued; the job that runs is `searchIndexJobs`'. */
const order = defineJob({ ...declared, run: () => Promise.reject(new Error('This declaration only enqueues')) });

export function searchIndexJobs(deps: IndexDeps): JobDeclaration[] {
  return [
    defineJob({
      ...declared,
      everyMs,
      // harmless twice: only one tends at a time, and what is there is not made again
      run: async (_input, { signal }) => void (await tendSearchIndexes(deps, indexLimits, signal)),
    }),
  ];
}

/** Saves counts, and has indexes tended at once where a value without one became much used; each 5 minutes at most. */
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

/** After a change of a blueprint, values it no longer has lose their indexes. */
export async function tendAfterChange(work: Work, { orgId, key }: StoredBlueprint): Promise<void> {
  if (await hasUses(work.tx, orgId, key)) await work.enqueue(order, {});
}
