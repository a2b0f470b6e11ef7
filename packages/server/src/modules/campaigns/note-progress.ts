import { z } from 'zod';
import { systemActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { dayMs, toDay } from './days.ts';
import { daysMax, deleteDays, listActive, saveDay } from './history.store.ts';
import { readReach } from './read-campaigns.ts';

const hourMs = 3_600_000;

/** Notes how far each active campaign is. Harmless twice: a day keeps its last count. */
export function noteProgressJob(deps: Pick<CatalogDeps, 'database' | 'clock' | 'unitOfWork'>): JobDeclaration {
  return defineJob({
    name: 'campaigns.note-progress',
    input: z.object({}),
    attempts: 3,
    timeoutMs: hourMs,
    everyMs: 6 * hourMs,
    run: async (_input, { each, signal }) => {
      await each(await listActive(deps.database), async ({ orgId, model, campaign }) => {
        signal.throwIfAborted();
        const actor = systemActor(orgId, model);
        const reach = await readReach(deps, actor, campaign).catch(whenGone);
        if (!reach) return;
        await deps.unitOfWork(actor, async ({ tx, now }) => {
          await saveDay(tx, orgId, campaign, { day: toDay(now), ...reach });
          await deleteDays(tx, orgId, campaign, toDay(new Date(now.getTime() - daysMax * dayMs)));
        });
      });
    },
  });
}

/** Deleted since the list was read. */
function whenGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined;
  throw error;
}
