import { z } from 'zod';
import { callDecision } from './action-runs.ts';
import { operation } from './operation.ts';
import { queryBoolean, queryInteger, timestamp } from './wire.ts';

export const workflowDraftStates = ['DRAFT', 'STARTED', 'DECLINED'] as const;

/** A run that a call of a tool asked for, and that begins only once a person has approved exactly this. */
const workflowDraft = z
  .object({
    /** `wfr_…`: the id of its run, once it has begun. */
    identifier: z.string(),
    state: z.enum(workflowDraftStates),
    workflow: z.object({ identifier: z.string(), title: z.string().nullable(), version: z.int() }),
    nodeIdentifier: z.string(),
    /** The form of the trigger in that version. */
    userInputs: z.record(z.string(), z.json()),
    /** Encrypted ones are hidden. */
    inputs: z.record(z.string(), z.json()),
    /** Covers workflow, version, trigger, inputs and requester; a decision names it. */
    inputsHash: z.string(),
    /** Why a person decides. */
    reason: z.string().nullable(),
    agent: z.string().nullable(),
    invocation: z.string().nullable(),
    /** What the call was decided by, and where the value of each input stands. */
    decision: callDecision.optional(),
    createdAt: timestamp,
    createdBy: z.string(),
    expiresAt: timestamp,
    decidedAt: timestamp.nullable(),
    decidedBy: z.string().nullable(),
    comment: z.string().nullable(),
    /** Whether the caller may decide on it now. */
    mayDecide: z.boolean(),
    /** Why it cannot be approved any more. */
    obstacle: z.string().optional(),
  })
  .meta({ id: 'WorkflowRunDraft' });
export type WorkflowRunDraft = z.output<typeof workflowDraft>;

const decision = z.object({
  status: z.enum(['APPROVE', 'DECLINE']),
  /** Of what was decided on. */
  inputsHash: z.string().min(1).max(200),
  description: z.string().max(5000).optional(),
});
export type WorkflowDraftDecision = z.output<typeof decision>;

const tag = 'Workflow runs';
const path = '/v1/workflows/runs/drafts';
const params = z.object({ run_id: z.string().min(1).max(200) });

export const listWorkflowDrafts = operation({
  id: 'listWorkflowDrafts',
  method: 'GET',
  path,
  tag,
  summary: 'List runs of workflows that wait for a person to approve them, newest first',
  description:
    'Tools of models make them, where a run may not begin by itself. `waiting_for_me=true` lists those that the caller may decide on.',
  access: 'token',
  scope: 'read:runs',
  query: z.object({
    waiting_for_me: queryBoolean(),
    limit: queryInteger({ min: 1, max: 200, default: 100 }),
  }),
  answer: z.object({ ok: z.literal(true), drafts: z.array(workflowDraft) }),
  errors: [],
});

export const getWorkflowDraft = operation({
  id: 'getWorkflowDraft',
  method: 'GET',
  path: `${path}/{run_id}`,
  tag,
  summary: 'Read a run that a tool asked for, before and after the decision on it',
  access: 'token',
  scope: 'read:runs',
  params,
  answer: z.object({ ok: z.literal(true), draft: workflowDraft }),
  errors: ['not_found'],
});

export const decideWorkflowDraft = operation({
  id: 'decideWorkflowDraft',
  method: 'POST',
  path: `${path}/{run_id}/decision`,
  tag,
  summary: 'Approve or decline a run that a tool asked for',
  description:
    'Whoever may start the workflow with these inputs decides. What is approved is what runs, once: another version of the workflow, other inputs, an agent that is off or a requester without the right refuse it. Tools, agents and automations do not decide.',
  access: 'token',
  scope: 'execute:actions',
  params,
  body: decision,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), draft: workflowDraft }),
  errors: ['missing_permissions', 'not_found', 'draft_changed', 'draft_expired', 'run_ended', 'trigger_paused'],
});

/** Before `{run_id}` of runs. */
export const workflowDraftOperations = [listWorkflowDrafts, getWorkflowDraft, decideWorkflowDraft] as const;
