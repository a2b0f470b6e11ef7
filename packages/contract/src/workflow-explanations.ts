import { z } from 'zod';
import { operation } from './operation.ts';

const decided = {
  /** `depends`: on the inputs, on the run, or on what a query finds when it begins to wait. */
  allowed: z.enum(['yes', 'no', 'depends']),
  /** What decided; null where nothing allows it. */
  rule: z.enum(['admin', 'role', 'team', 'user', 'policy', 'query', 'everybody', 'starter']).nullable(),
  why: z.string(),
};
const verdict = z.object(decided);
const verdictAtNode = z.object({ nodeIdentifier: z.string(), title: z.string().nullable(), ...decided });
export type WorkflowVerdict = z.output<typeof verdict>;

const explanation = z
  .object({
    workflow: z.object({ identifier: z.string(), version: z.int() }),
    user: z.object({ identifier: z.string(), roles: z.array(z.string()) }),
    /** Read the workflow. */
    see: verdict,
    /** Save, pause or delete it. */
    change: verdict,
    /** See runs that somebody else started. */
    seeRuns: verdict,
    /** By each form. */
    start: z.array(verdictAtNode),
    /** At each step that asks people. */
    respond: z.array(verdictAtNode),
  })
  .meta({ id: 'WorkflowExplanation' });
export type WorkflowExplanation = z.output<typeof explanation>;

export const explainWorkflow = operation({
  id: 'explainWorkflow',
  method: 'GET',
  path: '/v1/workflows/{identifier}/explain',
  tag: 'Workflows',
  summary: 'Explain who may start a workflow, respond to it and see it, and by which rule',
  description:
    'Of the caller, or of `user` if an administrator asks. By the current version; a run in progress asks the people whom it settled on when it began to wait.',
  access: 'token',
  params: z.object({ identifier: z.string().min(1).max(1000) }),
  query: z.object({ user: z.string().min(1).max(1000).optional() }),
  answer: z.object({ ok: z.literal(true), explanation }),
  errors: ['missing_permissions', 'not_found'],
});

export const workflowExplanationOperations = [explainWorkflow] as const;
