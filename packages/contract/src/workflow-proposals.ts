import { z } from 'zod';
import { operation } from './operation.ts';
import { queryInteger, timestamp } from './wire.ts';
import { workflowTestResult } from './workflow-test.ts';
import { workflowIssue } from './workflows.ts';

export const workflowProposalStates = ['OPEN', 'ACCEPTED', 'DISMISSED', 'EXPIRED'] as const;

const listed = z.object({
  /** `wfp_…` */
  identifier: z.string(),
  state: z.enum(workflowProposalStates),
  /** What it is for, in the words of whoever proposed it. */
  goal: z.string(),
  /** Of the workflow that it would become. */
  workflow: z.object({ identifier: z.string(), title: z.string().nullable() }),
  /** The version that it would change; null for a new workflow. */
  baseVersion: z.int().nullable(),
  createdAt: timestamp,
  createdBy: z.string(),
  agent: z.string().nullable(),
  expiresAt: timestamp,
});

/** A workflow that a tool call drew up, and that nothing comes of until a person accepts it. */
const workflowProposal = listed
  .extend({
    /** As it would be saved: triggers that are not published yet stay unpublished. */
    definition: z.record(z.string(), z.json()),
    /** What the validation noticed when it was made. */
    warnings: z.array(workflowIssue),
    /** How a test with a sample went when it was made; null where whoever proposed it may not test workflows. */
    test: workflowTestResult.nullable(),
    /** What a person has to answer before it works. */
    questions: z.array(z.string()),
    invocation: z.string().nullable(),
    /** Whose texts led to it, beside whoever asked. */
    textAuthors: z.array(z.string()),
    decidedAt: timestamp.nullable(),
    decidedBy: z.string().nullable(),
    comment: z.string().nullable(),
    /** Whether the caller may accept it now. */
    mayAccept: z.boolean(),
    /** Why it cannot be accepted as it is. */
    obstacle: z.string().optional(),
  })
  .meta({ id: 'WorkflowProposal' });
export type WorkflowProposal = z.output<typeof workflowProposal>;
export type ListedWorkflowProposal = z.output<typeof listed>;

const acceptance = z.object({
  /** As changed by whoever accepts it; the proposed one if left out. */
  definition: z.record(z.string(), z.json()).optional(),
  /** The version that `definition` follows on; the one that was proposed for if left out. */
  expectedVersion: z.int().min(1).optional(),
  note: z.string().max(500).optional(),
});
export type WorkflowProposalAcceptance = z.output<typeof acceptance>;

const dismissal = z.object({ comment: z.string().max(1000).optional() });

const tag = 'Workflows';
const path = '/v1/workflow-proposals';
const params = z.object({ proposal: z.string().min(1).max(200) });
const one = z.object({ ok: z.literal(true), proposal: workflowProposal });

export const listWorkflowProposals = operation({
  id: 'listWorkflowProposals',
  method: 'GET',
  path,
  tag,
  summary: 'List workflows that tools have proposed and nobody has decided on, newest first',
  description: 'Administrators see all, everybody else their own.',
  access: 'token',
  scope: 'read:actions',
  query: z.object({ limit: queryInteger({ min: 1, max: 200, default: 100 }) }),
  answer: z.object({ ok: z.literal(true), proposals: z.array(listed) }),
  errors: [],
});

export const getWorkflowProposal = operation({
  id: 'getWorkflowProposal',
  method: 'GET',
  path: `${path}/{proposal}`,
  tag,
  summary: 'Read a proposed workflow, with how its validation and its test went',
  access: 'token',
  scope: 'read:actions',
  params,
  answer: one,
  errors: ['not_found'],
});

export const acceptWorkflowProposal = operation({
  id: 'acceptWorkflowProposal',
  method: 'POST',
  path: `${path}/{proposal}/accept`,
  tag,
  summary: 'Save a proposed workflow, as it is or as you changed it',
  description:
    'Becomes a workflow, or a new version of the one that it changes, saved by you. Triggers that were not published before are not published by it. Where the workflow has another version by now, send the definition as it should be. Tools, agents and automations accept nothing.',
  access: 'admin',
  scope: 'create:actions',
  params,
  body: acceptance,
  unknownFields: 'closed',
  answer: one.extend({ warnings: z.array(workflowIssue) }),
  errors: [
    'missing_permissions',
    'not_found',
    'draft_changed',
    'draft_expired',
    'identifier_taken',
    'invalid_workflow',
    'limit_reached',
    'version_changed',
  ],
});

export const dismissWorkflowProposal = operation({
  id: 'dismissWorkflowProposal',
  method: 'POST',
  path: `${path}/{proposal}/dismiss`,
  tag,
  summary: 'Dismiss a proposed workflow',
  description: 'Administrators dismiss any, everybody else their own.',
  access: 'token',
  scope: 'create:actions',
  params,
  body: dismissal,
  unknownFields: 'closed',
  answer: one,
  errors: ['missing_permissions', 'not_found', 'draft_changed'],
});

export const workflowProposalOperations = [
  listWorkflowProposals,
  getWorkflowProposal,
  acceptWorkflowProposal,
  dismissWorkflowProposal,
] as const;
