import { z } from 'zod';
import { systemActor } from '../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { toDay } from './days.ts';
import { deleteExpired, listExpired } from './exemption.store.ts';
import { recordExemption } from './exemptions.ts';

/**
 * Deletes exemptions whose last day has passed, and says so in the audit log; what reads them looks at the day, so that
 * none waits for this. Harmless twice: one that is gone is not told of again.
 */
export function endExemptionsJob({
  database,
  clock,
  unitOfWork,
}: Pick<CatalogDeps, 'database' | 'clock' | 'unitOfWork'>): JobDeclaration {
  return defineJob({
    name: 'campaigns.end-exemptions',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 3_600_000,
    everyMs: 3_600_000,
    run: async (_input, { each, signal }) => {
      const today = toDay(clock.now());
      await each(await listExpired(database, today), async ({ orgId, model, ...exemption }) => {
        signal.throwIfAborted();
        await unitOfWork(systemActor(orgId, model), async (work) => {
          if ((await deleteExpired(work.tx, orgId, exemption.id, today)) === 0) return;
          recordExemption(work, exemption, undefined, `It ended after ${exemption.until}`);
        });
      });
    },
  });
}
