import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { type EachRecord, inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { holdActiveAgent } from './agent-of-draft.ts';
import { storeChangedRun } from './enter-run.ts';
import { type AgentDraft, listAgentDrafts, lockRun } from './run.store.ts';
import { nextStatus } from './run-state.ts';
import type { StartDeps } from './start-run.ts';

const batch = 200;

/**
 * Declines drafts of inactive or deleted agents, to clear them from lists of pending decisions. Approving one is
 * refused even before this job has run.
 */
export function voidDraftsJob(deps: StartDeps): JobDeclaration {
  return defineJob({
    name: 'actions.void-drafts',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 10 * 60_000,
    run: (_input, { each }) => voidDrafts(deps, each),
  });
}

async function voidDrafts(deps: StartDeps, each: EachRecord): Promise<void> {
  const drafts = inBatches(batch, (last: AgentDraft | undefined, limit) =>
    listAgentDrafts(deps.database, last?.id ?? '', limit),
  );
  await each(drafts, ({ orgId, id, agent }) =>
    deps.unitOfWork(systemActor(orgId), async (work) => {
      const run = await lockRun(work.tx, orgId, id);
      const status = run && nextStatus(run.status, 'expire', { needsApproval: run.requiredApproval !== null });
      if (run?.status !== 'DRAFT' || !status || (await holdActiveAgent(work.tx, orgId, agent))) return;
      const statusLabel = `The agent "${agent}" is not active any more`.slice(0, 300);
      await storeChangedRun(work, deps.dispatch, run, { status, statusLabel });
    }),
  );
}
