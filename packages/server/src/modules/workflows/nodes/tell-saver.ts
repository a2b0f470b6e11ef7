import { z } from 'zod';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { MailFailure } from '../../../platform/mail/mailer.ts';
import { onOneLine } from '../../../platform/mail/on-one-line.ts';
import { listNamedUsers } from '../../accounts/index.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import type { NodesDeps } from './nodes.deps.ts';

const declared = {
  name: 'workflows.tell-saver',
  input: z.object({ workflowKey: z.number(), node: z.string(), reason: z.string() }),
  attempts: 4,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** Only enqueues; `tellSaverJob` runs the job. */
export const tellSaver = defineJob({
  ...declared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});

/** Mails whoever saved a workflow that one of its triggers was paused. May tell twice; mail clients show it once. */
export function tellSaverJob(deps: Pick<NodesDeps, 'database' | 'mailer' | 'publicUrl'>): JobDeclaration {
  const job = defineJob({
    ...declared,
    run: async ({ workflowKey, node, reason }, { orgId }) => {
      const workflow = await findCurrentByKey(deps.database, orgId, workflowKey);
      if (!workflow || !deps.mailer) return;
      const to = await listNamedUsers(deps.database, orgId, { users: [workflow.authority.by.id] });
      if (to.length === 0) return;
      const title = onOneLine(workflow.definition.title || workflow.identifier);
      const url = `${deps.publicUrl().replace(/\/+$/, '')}/workflows/${encodeURIComponent(workflow.identifier)}/edit`;
      const text = [
        `The trigger "${onOneLine(node)}" of the workflow "${title}", which you saved last, was paused.`,
        onOneLine(reason, 500),
        '',
        `Look at it and resume it there: ${url}`,
        '',
      ].join('\n');
      try {
        await deps.mailer.send({ to, about: `${workflow.id}.${node}`, subject: `Paused: ${title}`, text });
      } catch (error) {
        if (!(error instanceof MailFailure) || error.canRetry) throw error;
      }
    },
  });
  return job as unknown as JobDeclaration;
}
