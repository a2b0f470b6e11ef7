import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { retentionJob } from '../../../platform/jobs/retention-job.ts';
import { advanceRun } from './advance-run.ts';
import { dispatchNode } from './dispatch-node.ts';
import { carryOutOrGiveUp } from './give-up.ts';
import { unexpectedMax } from './lasting-failure.ts';
import { listDueTriggers } from './listening.store.ts';
import { listDueOrganizations } from './node-run.store.ts';
import { deleteWorkflowRunsBefore, listOrganizationsWithEnded } from './run.store.ts';
import * as heads from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';
import { stopOpenChildren } from './stop-run.ts';
import { sweepRuns } from './sweep-runs.ts';
import { takeEventBatch } from './take-events.ts';
import { dueSchedules, tickSchedule } from './tick-schedules.ts';
import { wakeDue } from './wake-due.ts';

const deletedAtOnce = 500;

export function runJobs(deps: RunsDeps): JobDeclaration[] {
  const advance = defineJob({
    ...heads.advance,
    run: ({ runId }, context) =>
      carryOutOrGiveUp(deps, { runId }, context, (isLastTry) => advanceRun(deps, { ...context, runId, isLastTry })),
  });
  const dispatch = defineJob({
    ...heads.dispatchNode,
    run: ({ nodeRunId }, context) =>
      carryOutOrGiveUp(deps, { nodeRunId }, context, (isLastTry) =>
        dispatchNode(deps, { ...context, nodeRunId, isLastTry }),
      ),
  });
  const stop = defineJob({
    ...heads.stopChildren,
    run: ({ nodeRunId }, { orgId, signal }) => stopOpenChildren(deps, { orgId, nodeRunId, signal }),
  });
  const takeEvents = defineJob({
    ...heads.takeEvents,
    run: async (_input, { orgId, attempt, signal }) => {
      const isLastTry = attempt >= unexpectedMax;
      while (await takeEventBatch(deps, orgId, { isLastTry, signal })) signal.throwIfAborted();
    },
  });
  const wake = defineJob({
    name: 'workflows.wake-due',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 1_000,
    hasWork: async (reader, now) =>
      (await listDueOrganizations(reader, now)).length > 0 || (await listDueTriggers(reader, now, 1)).length > 0,
    // harmless twice: what was taken is not due any more
    run: async (_input, { each }) => {
      await wakeDue(deps, each);
      await each(dueSchedules(deps), (due) => tickSchedule(deps, due));
    },
  });
  const sweep = defineJob({
    name: 'workflows.sweep',
    input: z.object({}),
    attempts: 1,
    timeoutMs: 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: each job that it leaves looks at its run first
    run: (_input, { each }) => sweepRuns(deps, each),
  });
  const deleteOld = retentionJob(deps, {
    name: 'workflows.delete-old-runs',
    keptDays: deps.keptDays,
    batchSize: deletedAtOnce,
    organizations: listOrganizationsWithEnded,
    removeBatch: (tx, orgId, before) => deleteWorkflowRunsBefore(tx, orgId, before, deletedAtOnce),
  });
  return [advance, dispatch, stop, takeEvents, wake, sweep, deleteOld] as unknown as JobDeclaration[];
}
