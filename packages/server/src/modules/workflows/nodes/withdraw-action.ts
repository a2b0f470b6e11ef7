import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { withdrawActionRun } from '../../actions/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import type { NodesDeps } from './nodes.deps.ts';

const declared = {
  name: 'workflows.withdraw-action',
  input: z.object({ actionRun: z.string(), workflowRun: z.string() }),
  attempts: 20,
  timeoutMs: 60_000,
} as const;

/** Only enqueues; `withdrawActionJob` runs the job. */
export const withdrawAction = defineJob({
  ...declared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});

/** Takes the run of an action back whose step was cancelled, unless it has begun. Twice is harmless. */
export function withdrawActionJob(deps: Pick<NodesDeps, 'database' | 'unitOfWork' | 'dispatch'>): JobDeclaration {
  const job = defineJob({
    ...declared,
    run: async ({ actionRun, workflowRun }, { orgId }) => {
      const organization = await findOrganization(deps.database, orgId);
      const actor = { ...systemActor(orgId, organization?.model), runId: workflowRun };
      await withdrawActionRun(deps, actor, actionRun, `Withdrawn: the workflow run ${workflowRun} was cancelled`);
    },
  });
  return job as unknown as JobDeclaration;
}
