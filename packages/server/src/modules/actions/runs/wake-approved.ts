import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { findOrganization } from '../../organizations/index.ts';
import { holdAction } from '../action.store.ts';
import { approversNow, findRequesters, haveAllApproved } from './approvers.ts';
import { readStanding } from './decision-standing.ts';
import { storeChangedRun } from './enter-run.ts';
import { approvedBy, findRun, listPartlyApproved, lockRun, noteOnRun, type RunName } from './run.store.ts';
import { nextStatus } from './run-state.ts';
import type { StartDeps } from './start-run.ts';

const batch = 200;

/**
 * Resumes runs that need everyone's approval once the missing approvers are deleted, disabled or no longer approvers,
 * because no request would. Safe to repeat: a resumed run does not wait.
 */
export function wakeApprovedJob(deps: StartDeps): JobDeclaration {
  return defineJob({
    name: 'actions.wake-approved',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 60_000,
    run: async (_input, { each }) => {
      const waiting = inBatches(batch, (last: RunName | undefined, limit) =>
        listPartlyApproved(deps.database, last?.id ?? '', limit),
      );
      await each(waiting, (run) => wake(deps, run));
    },
  });
}

async function wake(deps: StartDeps, { orgId, id }: RunName): Promise<void> {
  const seen = await findRun(deps.database, orgId, id);
  const organization = await findOrganization(deps.database, orgId);
  if (!seen || !organization) return;
  const system = systemActor(orgId, organization.model);
  const { action, answered, requesterMay } = await readStanding(deps, system, seen);
  if (!action || !requesterMay) return;
  await deps.unitOfWork(system, async (work) => {
    const run = await lockRun(work.tx, orgId, id);
    const held = await holdAction(work.tx, orgId, action.key);
    if (run?.status !== 'WAITING_FOR_APPROVAL' || held?.version !== action.version) return;
    const requesters = await findRequesters(work.tx, orgId, run);
    const approvers = await approversNow(work.tx, orgId, held, answered, requesters);
    if (!haveAllApproved(approvers, await approvedBy(work.tx, orgId, id))) return;
    const status = nextStatus(run.status, 'approve', { needsApproval: true });
    if (!status) return;
    const message = 'Everybody who may still approve the run has approved it';
    await noteOnRun(work.tx, orgId, id, { message, createdBy: work.actor.id, at: work.now });
    await storeChangedRun(work, deps.dispatch, run, { status });
  });
}
