import { checklistItemIds } from '@portolan/contract/checklist';
import { z } from 'zod';
import { systemActor } from '../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { ChecklistDeps } from './checklist.deps.ts';
import { insertMilestones, listUnfinished } from './checklist.store.ts';
import { findDone } from './checklist-items.ts';
import type { MilestoneMetrics } from './milestone-metrics.ts';
import { readFindings } from './read-checklist.ts';

const minuteMs = 60_000;

/** Notes when each organization first had what the checklist asks for. Harmless twice: the first moment stays. */
export function milestoneJob(deps: ChecklistDeps, metrics: Pick<MilestoneMetrics, 'reached'>): JobDeclaration {
  const { database, unitOfWork } = deps;
  return defineJob({
    name: 'checklist.note-milestones',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 5 * minuteMs,
    everyMs: 5 * minuteMs,
    run: async (_input, { each }) => {
      await each(await listUnfinished(database, checklistItemIds.length), async ({ orgId, model, enteredAt }) => {
        const done = findDone(await readFindings(deps, orgId));
        const reached = checklistItemIds.filter((item) => done[item]);
        if (reached.length === 0) return;
        const { fresh, at } = await unitOfWork(systemActor(orgId, model), async ({ tx, now }) => {
          return { fresh: await insertMilestones(tx, orgId, reached, now), at: now };
        });
        for (const milestone of fresh) metrics.reached(milestone, (at.getTime() - enteredAt.getTime()) / 1_000);
      });
    },
  });
}
