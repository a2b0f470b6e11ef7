import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { storeChangedRun } from './enter-run.ts';
import { listExpiredDrafts, lockRun, type RunName } from './run.store.ts';
import { nextStatus } from './run-state.ts';
import type { StartDeps } from './start-run.ts';

const batch = 200;

/** Declines undecided drafts after their expiry. Safe to repeat: a declined run is no draft. */
export function expireDraftsJob(deps: StartDeps): JobDeclaration {
  return defineJob({
    name: 'actions.expire-drafts',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 10 * 60_000,
    run: async (_input, { each }) => {
      const now = deps.clock.now();
      const expired = inBatches(batch, (last: RunName | undefined, limit) =>
        listExpiredDrafts(deps.database, { now, after: last?.id ?? '', limit }),
      );
      await each(expired, ({ orgId, id }) =>
        deps.unitOfWork(systemActor(orgId), async (work) => {
          const run = await lockRun(work.tx, orgId, id);
          const status = run && nextStatus(run.status, 'expire', { needsApproval: run.requiredApproval !== null });
          if (run && status) await storeChangedRun(work, deps.dispatch, run, { status, statusLabel: 'Expired' });
        }),
      );
    },
  });
}
