import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, queryInteger, queryList, queryText, timestamp } from './wire.ts';
import { nodeTypes } from './workflow-nodes.ts';

/** All phases of a node run but its end are `IN_PROGRESS`; `CANCELLING` is of runs alone. */
export const workflowRunStatuses = ['IN_PROGRESS', 'CANCELLING', 'COMPLETED'] as const;
export const workflowResults = ['SUCCESS', 'FAILED', 'CANCELLED'] as const;
/** What a node run waits for; `place` is a free place at its receiver. */
export const waitReasons = ['report', 'response', 'time', 'child', 'place', 'action', 'event'] as const;

const statusLabel = z.object({ text: z.string(), variant: z.enum(['success', 'alert']).optional() });

/** An answer to an `INPUT`. */
const inputResponse = z.object({
  buttonIdentifier: z.string(),
  /** Encrypted inputs are left out. */
  inputs: z.record(z.string(), z.json()),
  submitterInfo: z.object({ submittedBy: z.string() }),
  respondedAt: timestamp,
});

export const nodeRunSchema = z.object({
  identifier: z.string(),
  node: z.object({
    identifier: z.string(),
    /** With `include=nodeConfig`. */
    config: z.record(z.string(), z.json()).optional(),
  }),
  nodeTitle: z.string().nullable(),
  nodeIcon: z.string().nullable(),
  nodeConfigType: z.string(),
  status: z.enum(['IN_PROGRESS', 'COMPLETED']),
  result: z.enum(workflowResults).nullable(),
  output: z.json(),
  statusLabel: statusLabel.nullable(),
  links: z.array(z.string()),
  externalRunId: z.string().nullable(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  updatedAt: timestamp,
  completedAt: timestamp.nullable(),
  workflowRunIdentifier: z.string(),
  /** Position in the run, from 1. */
  step: z.int(),
  /** Taken over from an earlier run by a re-run; `copiedFrom` was carried out. */
  reused: z.boolean(),
  copiedFrom: z.string().nullable(),
  /** The node run that it undoes, or failed to. */
  compensates: z.string().nullable(),
  /** It failed to undo it, and another attempt takes its place. */
  repeated: z.boolean(),
  attempt: z.int(),
  /** How often its call was begun. */
  tries: z.int(),
  waitingFor: z.enum(waitReasons).nullable(),
  /** When it goes on by itself: a wait ends, a try is due, or a deadline passes. */
  dueAt: timestamp.nullable(),
  outlet: z.string().nullable(),
  /** A sentence: why it failed. */
  message: z.string().nullable(),
  /** The rendered request or form, with secrets masked. */
  input: z.json(),
  /** `none`: it reads at most; `ours`: carried out once, here; `outside`: called at least once, with the same key. */
  effect: z.enum(['none', 'ours', 'outside']),
  /** Of an `INPUT`: who may respond, who has, and whether the caller may now. */
  responders: z
    .object({
      users: z.array(z.string()),
      roles: z.array(z.string()),
      teams: z.array(z.string()),
      mayRespond: z.boolean(),
      buttons: z.array(z.object({ identifier: z.string(), needed: z.int(), given: z.int() })),
    })
    .optional(),
  responses: z.array(inputResponse).optional(),
  /** Of a step that begins runs: how far they are, and the first hundred of them in their order. */
  children: z
    .object({
      total: z.int(),
      completed: z.int(),
      failed: z.int(),
      runs: z.array(
        z.object({
          identifier: z.string(),
          /** Place among them, from 0. */
          index: z.int(),
          status: z.enum(workflowRunStatuses),
          result: z.enum(workflowResults).nullable(),
        }),
      ),
    })
    .optional(),
  /** The installation that the node is offered to. */
  installationId: z.string().nullable(),
  acknowledgedAt: timestamp.nullable(),
});
export type NodeRunAnswer = z.input<typeof nodeRunSchema>;

export const workflowRunSchema = z.object({
  identifier: z.string(),
  workflow: z.object({ identifier: z.string(), title: z.string().nullable(), version: z.int() }),
  status: z.enum(workflowRunStatuses),
  result: z.enum(workflowResults).nullable(),
  statusLabel: statusLabel.nullable(),
  /** Why it ended otherwise than by its last node. */
  message: z.string().nullable(),
  trigger: z.object({
    /** The trigger node. */
    identifier: z.string(),
    type: z.string(),
    by: z.object({ id: z.string(), kind: z.enum(['person', 'machine', 'system']) }),
    /** The event, or the run whose change it was, that started it. */
    causedBy: z.string().nullable(),
  }),
  /** What it is about: the entity of its event, or of its form. */
  entity: z.object({ blueprint: z.string(), identifier: z.string() }).nullable(),
  /** The run that it runs again. */
  rerunOf: z.string().nullable(),
  /** The run whose step began it. */
  parent: z.object({ run: z.string(), nodeRun: z.string(), index: z.int() }).nullable(),
  /** The node at which it is. */
  currentNode: z.string().nullable(),
  waitingFor: z.enum(waitReasons).nullable(),
  steps: z.int(),
  createdAt: timestamp,
  createdBy: z.string(),
  impersonatedBy: z.string().nullable(),
  updatedAt: timestamp,
  completedAt: timestamp.nullable(),
  deadlineAt: timestamp,
  cancelledBy: z.string().nullable(),
  /** What it ends as once its steps are compensated; null of a run that compensates nothing. */
  endsAs: z.enum(workflowResults).nullable(),
  /** Who had compensations that failed carried out again, last. */
  repeatedBy: z.string().nullable(),
});
export type WorkflowRunSummary = z.input<typeof workflowRunSchema>;

export const wholeWorkflowRun = workflowRunSchema.extend({
  nodeRuns: z.array(nodeRunSchema),
  variables: z.object({ outputs: z.record(z.string(), z.json()) }),
  /** Whether the caller may cancel it. */
  mayCancel: z.boolean(),
  /** Node runs that failed to undo something and can be repeated, in the order in which they were tried. */
  failedCompensations: z.array(z.string()),
  /** The graph of the run's version, to be drawn; null once that version is gone. */
  graph: z
    .object({
      nodes: z.array(
        z.object({
          identifier: z.string(),
          title: z.string().nullable(),
          icon: z.string().nullable(),
          type: z.string(),
        }),
      ),
      connections: z.array(
        z.object({
          sourceIdentifier: z.string(),
          targetIdentifier: z.string(),
          sourceOutletIdentifier: z.string().nullable(),
          fallback: z.boolean(),
        }),
      ),
    })
    .nullable(),
});
export type WorkflowRunAnswer = z.input<typeof wholeWorkflowRun>;

const runLog = z.object({
  nodeRunIdentifier: z.string(),
  nodeIdentifier: z.string(),
  level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  message: z.string(),
  tags: z.json(),
  createdAt: timestamp,
});
export type WorkflowRunLog = z.input<typeof runLog>;

const tag = 'Workflow runs';
const runParams = z.object({ run_id: z.string().min(1).max(200) });
const inputs = z.record(z.string(), z.unknown());
const oneRun = z.object({ ok: z.literal(true), run: wholeWorkflowRun });

export const startWorkflowRun = operation({
  id: 'startWorkflowRun',
  method: 'POST',
  path: '/v1/workflows/{identifier}/runs',
  tag,
  summary: 'Run a workflow by one of its self-service triggers',
  description:
    'Inputs are checked against the form of the trigger. `nodeIdentifier` names the trigger where there are several. `run_as` runs on behalf of a user and needs the credentials of the organization. The same `Idempotency-Key` starts one run.',
  access: 'token',
  scope: 'execute:actions',
  params: z.object({ identifier: z.string().min(1).max(200) }),
  query: z.object({ run_as: queryText() }),
  body: z.object({ inputs: inputs.default({}), nodeIdentifier: z.string().min(1).max(200).nullish() }),
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'trigger_unpublished', 'trigger_paused', 'idempotency_key_reused'],
});

const moment = () =>
  queryText()
    .pipe(z.iso.datetime({ offset: true, error: 'must be an ISO date-time' }).optional())
    .transform((text) => (text === undefined ? undefined : new Date(text)))
    .meta({ type: 'string', format: 'date-time' });

const oneOf = (allowed: readonly string[]) =>
  queryList()
    .refine((list) => list === undefined || list.every((each) => allowed.includes(each)), {
      error: `must be of: ${allowed.join(', ')}`,
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...allowed] } });

export const workflowRunsQuery = z.object({
  workflow: queryText(),
  status: oneOf(workflowRunStatuses),
  result: oneOf(workflowResults),
  user_email: queryText(),
  active: queryBoolean(),
  waiting_for_me: queryBoolean(),
  parent: queryText(),
  /** What it waits for. */
  waiting: oneOf(waitReasons),
  /** Kinds of triggers, such as `EVENT_TRIGGER`. */
  trigger: oneOf(nodeTypes.filter((type) => type.endsWith('_TRIGGER'))),
  started_by: oneOf(['person', 'machine', 'system']),
  blueprint: queryText(),
  entity: queryText(),
  rerun_of: queryText(),
  from: moment(),
  to: moment(),
  limit: queryInteger({ min: 1, max: 1000, default: 100 }),
  cursor: queryText(),
});
export type WorkflowRunsQuery = z.output<typeof workflowRunsQuery>;

export const listWorkflowRuns = operation({
  id: 'listWorkflowRuns',
  method: 'GET',
  path: '/v1/workflows/runs',
  tag,
  summary: 'List runs of workflows that the caller may see, newest first; filters are joined by "and"',
  description:
    '`active=true` lists those that have not ended, `waiting_for_me=true` those with a form that the caller may answer now. `entity` and `blueprint` find runs by the entity of their event or of their form, `rerun_of` those that run another one again. `nextCursor` is the `cursor` of the next page.',
  access: 'token',
  scope: 'read:runs',
  query: workflowRunsQuery,
  answer: z.object({ ok: z.literal(true), runs: z.array(workflowRunSchema), nextCursor: z.string().optional() }),
  errors: [],
});

export const getWorkflowRun = operation({
  id: 'getWorkflowRun',
  method: 'GET',
  path: '/v1/workflows/runs/{run_id}',
  tag,
  summary: 'Read a run of a workflow with its steps',
  access: 'token',
  scope: 'read:runs',
  params: runParams,
  query: z.object({ include: queryList() }),
  answer: oneRun,
  errors: ['not_found'],
});

export const getWorkflowRunLogs = operation({
  id: 'getWorkflowRunLogs',
  method: 'GET',
  path: '/v1/workflows/runs/{run_id}/logs',
  tag,
  summary: 'Read the log of a run of a workflow, oldest first',
  access: 'token',
  scope: 'read:runs',
  params: runParams,
  query: z.object({ limit: queryInteger({ min: 1, max: 1000, default: 1000 }), cursor: queryText() }),
  answer: z.object({ ok: z.literal(true), logs: z.array(runLog), nextCursor: z.string().optional() }),
  errors: ['not_found'],
});

export const cancelWorkflowRun = operation({
  id: 'cancelWorkflowRun',
  method: 'POST',
  path: '/v1/workflows/runs/{run_id}/cancel',
  tag,
  summary: 'Cancel a run of a workflow',
  description:
    'Waits end at once, and a call that has begun may finish. `force=true` does not wait for it: the run fails, and the receiver may have acted.',
  access: 'token',
  scope: 'update:runs',
  params: runParams,
  query: z.object({ force: queryBoolean() }),
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'workflow_run_ended'],
});

export const respondToNodeRun = operation({
  id: 'respondToNodeRun',
  method: 'POST',
  path: '/v1/workflows/nodes/runs/{node_run_id}/responses',
  tag,
  summary: 'Answer the form of an `INPUT` node and press one of its buttons',
  access: 'token',
  scope: 'update:runs',
  params: z.object({ node_run_id: z.string().min(1).max(200) }),
  body: z
    .object({
      buttonIdentifier: z.string().min(1).max(200).optional(),
      button: z.string().min(1).max(200).optional(),
      outletIdentifier: z.string().min(1).max(200).optional(),
      inputs: inputs.default({}),
    })
    .refine((body) => (body.buttonIdentifier ?? body.button ?? body.outletIdentifier) !== undefined, {
      path: ['buttonIdentifier'],
      error: 'names the button that is pressed',
    }),
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'node_run_ended', 'already_responded'],
});

/** Fixed names come before `{run_id}`. */
export const workflowRunOperations = [
  startWorkflowRun,
  listWorkflowRuns,
  getWorkflowRun,
  getWorkflowRunLogs,
  cancelWorkflowRun,
  respondToNodeRun,
] as const;
