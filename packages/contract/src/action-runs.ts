import { z } from 'zod';
import { actionParams, authority } from './actions.ts';
import { operation } from './operation.ts';
import { queryBoolean, queryInteger, queryList, queryText, timestamp } from './wire.ts';

/** The states of a run; the last three are final (api contract §3.6.1, compatibility choices, Drafts). */
export const runStatuses = ['DRAFT', 'WAITING_FOR_APPROVAL', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'DECLINED'] as const;
export type RunStatus = (typeof runStatuses)[number];

const reference = z.object({
  identifier: z.string(),
  title: z.string().optional(),
  icon: z.string().optional(),
  deleted: z.boolean().optional(),
});

/** What a draft is bound to: whoever decides names the hash (compatibility choices, Drafts). */
const draft = z.object({
  inputsHash: z.string(),
  actionVersion: z.string(),
  requester: z.string(),
  invocation: z.string().optional(),
  agent: z.string().optional(),
  reason: z.string().optional(),
  /** Inputs that no tool may fill: a person edits the draft before it can be approved. */
  missing: z.array(z.string()).optional(),
  expiresAt: timestamp,
});
export type RunDraft = z.output<typeof draft>;

/** Where the value of an input stands. */
export const inputOrigin = z.object({
  from: z.enum(['question', 'context', 'agent', 'default', 'closed', 'read', 'model', 'person']),
  tool: z.string().optional(),
  call: z.string().optional(),
  authors: z.array(z.string()).optional(),
});

/** What the call of an assistant was decided by: the rule, the authors of what was read, and where each input comes from. */
export const callDecision = z.object({
  result: z.enum(['execute', 'draft', 'refuse']),
  rule: z.string(),
  reason: z.string().optional(),
  label: z.array(z.string()),
  risk: z.enum(['open', 'standard', 'strict', 'never']),
  origins: z.record(z.string(), inputOrigin),
  /** The standing approval that let it run. */
  standing: z.object({ id: z.string(), givenBy: z.string() }).optional(),
  observed: z.object({ result: z.enum(['draft', 'refuse']), rule: z.string(), reason: z.string() }).optional(),
});

/** Without `version=v2` the action is its identifier alone. */
export const runSchema = z.object({
  id: z.string(),
  status: z.enum(runStatuses),
  statusLabel: z.string().nullable().optional(),
  action: z.union([z.string(), reference]),
  blueprint: z.union([z.string(), reference]).nullable().optional(),
  entity: z.union([z.string(), reference]).nullable().optional(),
  properties: z.record(z.string(), z.json()),
  rawProperties: z.record(z.string(), z.json()).optional(),
  source: z.string(),
  requiredApproval: z.object({ type: z.enum(['ALL', 'ANY']) }),
  approval: z.object({ description: z.string(), userId: z.string().nullable(), state: z.string() }).optional(),
  link: z.array(z.string()),
  summary: z.string().optional(),
  payload: z.record(z.string(), z.json()).optional(),
  response: z.array(z.json()).optional(),
  pendingExecution: z.boolean().optional(),
  claimedUntil: timestamp.nullable().optional(),
  installationId: z.string().optional(),
  externalRunId: z.string().optional(),
  draft: draft.optional(),
  invocation: z.object({ identifier: z.string(), toolCall: z.string(), agent: z.string().optional() }).optional(),
  decision: callDecision.optional(),
  /** The rights it acts with: those its action's last author had when saving; they may have fewer today. */
  authority: authority.optional(),
  endedAt: timestamp.nullable(),
  createdBy: z.string(),
  impersonatedBy: z.string().optional(),
  updatedBy: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ActionRun = z.output<typeof runSchema>;

const runLog = z.object({
  id: z.string(),
  runId: z.string(),
  message: z.string(),
  createdBy: z.string(),
  createdAt: timestamp,
});
export type ActionRunLog = z.output<typeof runLog>;

const runInputs = z.record(z.string(), z.unknown());
/** `entity` names the entity that the action is for. */
const startRunBody = z.strictObject({ properties: runInputs.default({}), entity: z.string().max(3000).nullish() });
export type StartRunBody = z.output<typeof startRunBody>;

/** The body of a report on a run (api contract §3.6.3). */
const reportRunBody = z.strictObject({
  status: z.enum(['SUCCESS', 'FAILURE']).nullish(),
  statusLabel: z.string().max(1000).nullish(),
  link: z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(100)]).nullish(),
  summary: z.string().max(100_000).nullish(),
  externalRunId: z.string().max(1000).nullish(),
  message: z.unknown().optional(),
});
export type ReportRunBody = z.output<typeof reportRunBody>;

const runLogBody = z.strictObject({
  message: z.string().max(100_000),
  terminationStatus: z.enum(['SUCCESS', 'FAILURE']).nullish(),
  statusLabel: z.string().max(1000).nullish(),
});
export type RunLogBody = z.output<typeof runLogBody>;

const approvalBody = z.strictObject({
  status: z.enum(['APPROVE', 'DECLINE']),
  description: z.string().max(5000).nullish(),
  inputsHash: z.string().max(200).nullish(),
});
export type ApprovalBody = z.output<typeof approvalBody>;

const draftBody = z.strictObject({ properties: runInputs.optional(), entity: z.string().max(3000).nullish() });
export type DraftBody = z.output<typeof draftBody>;

const tag = 'Action runs';
const runParams = z.object({ run_id: z.string().min(1).max(200) });
const version = { version: queryText() };
const oneRun = z.object({ ok: z.literal(true), run: runSchema });

export const startRun = operation({
  id: 'startRun',
  method: 'POST',
  path: '/v1/actions/{action_identifier}/runs',
  tag,
  summary: 'Run an action, or with `draft=true` prepare a run that a person decides on',
  description:
    'Inputs are checked against the form, with its conditions evaluated here. `run_as` runs on behalf of a user and needs the credentials of the organization.',
  access: 'token',
  scope: 'execute:actions',
  status: 202,
  params: actionParams,
  query: z.object({ run_as: queryText(), draft: queryBoolean(), ...version }),
  body: startRunBody,
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found'],
});

export const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: '/v1/actions/runs',
  tag,
  summary: 'List runs the caller may see, newest first; filters are joined by "and"',
  description:
    'Drafts are listed with `status=DRAFT` alone. `decidable=true` lists the drafts and runs that wait for a decision which the caller may take.',
  access: 'token',
  query: z.object({
    entity: queryText(),
    blueprint: queryText(),
    active: queryText(),
    user_email: queryText(),
    user_id: queryText(),
    external_run_id: queryText(),
    action: queryText(),
    status: queryText(),
    source: queryList(),
    decidable: queryBoolean(),
    exclude: queryList(),
    limit: queryInteger({ min: 1, max: 1000, default: 100 }),
    ...version,
  }),
  answer: z.object({ ok: z.literal(true), runs: z.array(runSchema.partial()) }),
  errors: [],
});

export const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: '/v1/actions/runs/{run_id}',
  tag,
  summary: 'Read a run',
  access: 'token',
  params: runParams,
  query: z.object(version),
  answer: oneRun,
  errors: ['not_found'],
});

export const reportRun = operation({
  id: 'reportRun',
  method: 'PATCH',
  path: '/v1/actions/runs/{run_id}',
  tag,
  summary: 'Report what became of a run; a final status cannot be changed',
  access: 'token',
  params: runParams,
  query: z.object(version),
  body: reportRunBody,
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'run_ended'],
});

export const decideRun = operation({
  id: 'decideRun',
  method: 'PATCH',
  path: '/v1/actions/runs/{run_id}/approval',
  tag,
  summary: 'Approve or decline a run that waits, or a draft by the hash of its inputs',
  access: 'token',
  status: 201,
  params: runParams,
  query: z.object(version),
  body: approvalBody,
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'run_ended', 'draft_changed', 'draft_expired'],
});

export const editDraft = operation({
  id: 'editDraft',
  method: 'PATCH',
  path: '/v1/actions/runs/{run_id}/draft',
  tag,
  summary: 'Change the inputs of a draft; it gets another hash',
  access: 'token',
  params: runParams,
  query: z.object(version),
  body: draftBody,
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found', 'run_ended', 'draft_changed', 'draft_expired'],
});

const approver = z.object({ userId: z.string(), state: z.string(), description: z.string().nullable() });
export const listApprovers = operation({
  id: 'listApprovers',
  method: 'GET',
  path: '/v1/actions/runs/{run_id}/approvers',
  tag,
  summary: 'List who decided on a run, and with `include_pending_approvers=true` who may',
  access: 'token',
  params: runParams,
  query: z.object({ include_pending_approvers: queryBoolean() }),
  answer: z.object({ ok: z.literal(true), approvers: z.array(approver) }),
  errors: ['not_found'],
});

export const addRunLog = operation({
  id: 'addRunLog',
  method: 'POST',
  path: '/v1/actions/runs/{run_id}/logs',
  tag,
  summary: 'Add a line to the log of a run; `terminationStatus` ends the run',
  access: 'token',
  status: 201,
  params: runParams,
  body: runLogBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), runLog }),
  errors: ['missing_permissions', 'not_found', 'run_ended'],
});

export const listRunLogs = operation({
  id: 'listRunLogs',
  method: 'GET',
  path: '/v1/actions/runs/{run_id}/logs',
  tag,
  summary: 'Read the log of a run, oldest first',
  access: 'token',
  params: runParams,
  query: z.object({
    limit: queryInteger({ min: 1, max: 50, default: 50 }),
    offset: queryInteger({ min: 0, max: 1_000_000, default: 0 }),
  }),
  answer: z.object({ ok: z.literal(true), runLogs: z.array(runLog) }),
  errors: ['not_found'],
});

export const addRunResponse = operation({
  id: 'addRunResponse',
  method: 'POST',
  path: '/v1/actions/runs/{run_id}/response',
  tag,
  summary: 'Keep what the backend of a run answered',
  access: 'token',
  params: runParams,
  query: z.object(version),
  body: z.strictObject({ response: z.unknown() }),
  unknownFields: 'closed',
  answer: oneRun,
  errors: ['missing_permissions', 'not_found'],
});

export const rerunRun = operation({
  id: 'rerunRun',
  method: 'POST',
  path: '/v1/actions/runs/{run_id}/rerun',
  tag,
  summary: 'Run an action once more with the inputs and the entity of a run',
  description:
    'A new run of the action as it is now, for whoever asks; inputs and rights are checked as for any other.',
  access: 'token',
  scope: 'execute:actions',
  status: 202,
  params: runParams,
  query: z.object(version),
  answer: oneRun,
  errors: ['missing_permissions', 'not_found'],
});

export const affectedEntity = z.object({
  identifier: z.string(),
  blueprint: z.string(),
  action: z.string(),
  at: timestamp,
});
export const listAffectedEntities = operation({
  id: 'listAffectedEntities',
  method: 'GET',
  path: '/v1/actions/runs/{run_id}/affected-entities',
  tag,
  summary: 'List the entities that were written for a run (`run_id`), with the last thing that was done to each',
  access: 'token',
  params: runParams,
  answer: z.object({ ok: z.literal(true), entities: z.array(affectedEntity) }),
  errors: ['not_found'],
});

export const claimRuns = operation({
  id: 'claimRuns',
  method: 'POST',
  path: '/v1/actions/runs/claim-pending',
  tag,
  summary: 'Claim runs that wait for an installed integration; a claim ends by itself unless it is acknowledged',
  access: 'token',
  body: z.object({
    installationId: z.string().min(1).max(1000),
    limit: z.number().int().min(1).max(1000).default(10),
    visibilityTimeoutMs: z.number().int().min(1).max(600_000).default(60_000),
    exclude: z.array(z.string()).max(1000).nullish(),
    invocationMethod: z.string().nullish(),
  }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), runs: z.array(runSchema) }),
  errors: ['missing_permissions'],
});

export const acknowledgeRun = operation({
  id: 'acknowledgeRun',
  method: 'PATCH',
  path: '/v1/actions/runs/ack',
  tag,
  summary: 'Acknowledge claimed runs; the first to do so executes them',
  description:
    '`runId` names one, and is refused if another was first. Of several `runIds`, `ackedCount` says how many the caller was the first to acknowledge.',
  access: 'token',
  body: z
    .object({
      runId: z.string().min(1).max(200).optional(),
      runIds: z.array(z.string().max(200)).max(1000).optional(),
    })
    .refine(({ runId, runIds }) => (runId === undefined) !== (runIds === undefined), {
      path: ['runId'],
      error: 'name either runId or runIds',
    }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), ackedCount: z.int().optional() }),
  errors: ['missing_permissions', 'not_found', 'run_acknowledged'],
});

/** Fixed names come before `{run_id}`. */
export const actionRunOperations = [
  startRun,
  listRuns,
  claimRuns,
  acknowledgeRun,
  getRun,
  reportRun,
  decideRun,
  editDraft,
  listApprovers,
  addRunLog,
  listRunLogs,
  addRunResponse,
  rerunRun,
  listAffectedEntities,
] as const;
