import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { retentionJob } from '../../../platform/jobs/retention-job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { holdActiveAgent } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import {
  deleteAskedBefore,
  type ListedDraft,
  listAllDrafts,
  listOrganizationsWithAsked,
  lockAskedRun,
} from './asked-run.store.ts';
import type { AskedRun } from './asked-run.ts';
import { declineDraft } from './store-asked-run.ts';

const batch = 200;
const deletedAtOnce = 500;

export function draftJobs(deps: DefinitionsDeps & { readonly keptDays: number }): JobDeclaration[] {
  return [
    // approving one of these is refused even before this job has run; it clears them from lists
    defineJob({
      name: 'workflows.void-drafts',
      input: z.object({}),
      attempts: 1,
      timeoutMs: 60_000,
      everyMs: 10 * 60_000,
      // harmless twice: a declined draft is none any more
      run: async (_input, { each }) => {
        const drafts = inBatches(batch, (last: ListedDraft | undefined, limit) =>
          listAllDrafts(deps.database, last?.id ?? '', limit),
        );
        await each(drafts, ({ orgId, id }) =>
          deps.unitOfWork(systemActor(orgId), async (work) => {
            const asked = await lockAskedRun(work.tx, orgId, id);
            const comment = asked?.state === 'DRAFT' ? await whyVoid(work, asked) : undefined;
            if (asked && comment !== undefined) await declineDraft(work, asked, { by: work.actor.id, comment });
          }),
        );
      },
    }),
    retentionJob(deps, {
      name: 'workflows.delete-old-drafts',
      keptDays: deps.keptDays,
      batchSize: deletedAtOnce,
      organizations: listOrganizationsWithAsked,
      removeBatch: (tx, orgId, before) => deleteAskedBefore(tx, orgId, before, deletedAtOnce),
    }),
  ] as unknown as JobDeclaration[];
}

async function whyVoid({ tx, actor, now }: Work, asked: AskedRun): Promise<string | undefined> {
  if (asked.expiresAt !== null && asked.expiresAt <= now) return 'Expired';
  const workflow = await findCurrentByKey(tx, actor.orgId, asked.workflowKey);
  if (workflow?.version !== asked.version) return 'The workflow was changed or deleted';
  const agent = asked.draft?.agent;
  if (agent === undefined || (await holdActiveAgent(tx, actor.orgId, agent))) return undefined;
  return `The agent "${agent}" is not active any more`;
}
