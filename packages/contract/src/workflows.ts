import { z } from 'zod';
import { formDescription } from './action-forms.ts';
import { operation } from './operation.ts';
import { queryInteger, queryText, strictQueryBoolean, timestamp } from './wire.ts';
import { nodePermissions, workflowIdentifierText, workflowNode } from './workflow-nodes.ts';
import { workflowPause, workflowTriggerState } from './workflow-pauses.ts';

/** Addresses of their own below `/v1/workflows`. */
const reserved: readonly string[] = ['runs', 'nodes', 'validate', 'self-service-triggers'];

export const workflowIdentifier = workflowIdentifierText.refine(
  (identifier) => !reserved.includes(identifier),
  'is the name of an address of its own',
);

/** Most nodes of one workflow. */
export const workflowNodesMax = 100;

export const workflowConnection = z.looseObject({
  sourceIdentifier: z.string().min(1).max(60),
  targetIdentifier: z.string().min(1).max(60),
  description: z.string().max(5000).nullish(),
  /** Required of `CONDITION` and `INPUT`, refused of all others. */
  sourceOutletIdentifier: z.string().max(60).nullish(),
  /** The way of a `CONDITION` none of whose outlets is true. */
  fallback: z.boolean().nullish(),
});

/** A workflow as it is written: a graph without cycles in which a run is at one node at a time. */
export const workflowBody = z.looseObject({
  identifier: workflowIdentifier,
  title: z.string().max(100).nullish(),
  icon: z.string().max(200).nullish(),
  description: z.string().max(1100).nullish(),
  category: z.string().max(40).nullish(),
  allowAnyoneToViewRuns: z.boolean().nullish(),
  nodes: z.array(workflowNode).max(workflowNodesMax),
  connections: z.array(workflowConnection).max(1000).nullish(),
});
export type WorkflowBody = z.output<typeof workflowBody>;

/** As written, key by key and in the author's order; the last six are added. */
const workflowSchema = z
  .looseObject({
    identifier: z.string(),
    title: z.string().nullish(),
    icon: z.string().nullish(),
    description: z.string().nullish(),
    category: z.string().nullish(),
    allowAnyoneToViewRuns: z.boolean().nullish(),
    nodes: z.array(z.record(z.string(), z.json())),
    connections: z.array(z.record(z.string(), z.json())),
    id: z.string(),
    version: z.int(),
    versionIdentifier: z.string(),
    createdAt: timestamp,
    createdBy: z.string(),
    updatedAt: timestamp,
    updatedBy: z.string(),
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.output<typeof workflowSchema>;

/** What is wrong with a workflow, and by which rule. */
export const workflowIssue = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type WorkflowIssue = z.output<typeof workflowIssue>;

const version = z.object({
  version: z.int(),
  /** `wfv_…` */
  identifier: z.string(),
  isCurrent: z.boolean(),
  note: z.string().nullable(),
  savedAt: timestamp,
  savedBy: z.string(),
});
export type WorkflowVersion = z.output<typeof version>;

/** A way to start a workflow by hand, with its form. */
const selfServiceTrigger = z.object({
  workflowIdentifier: z.string(),
  nodeIdentifier: z.string(),
  workflow: z.object({
    identifier: z.string(),
    title: z.string().nullish(),
    icon: z.string().nullish(),
    description: z.string().nullish(),
    category: z.string().nullish(),
    version: z.int(),
  }),
  title: z.string().nullish(),
  icon: z.string().nullish(),
  description: z.string().nullish(),
  userInputs: z.record(z.string(), z.json()),
  contexts: z.array(z.record(z.string(), z.json())),
  variant: z.string().nullish(),
  actionCardButtonText: z.string().nullish(),
  executeActionButtonText: z.string().nullish(),
});
export type SelfServiceWorkflowTrigger = z.output<typeof selfServiceTrigger>;

const formState = z.object({
  /** What was sent, completed by defaults. */
  values: z.record(z.string(), z.json()),
  ...formDescription,
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  mayRun: z.boolean(),
});
export type WorkflowFormState = z.output<typeof formState>;

const tag = 'Workflows';
const path = '/v1/workflows';
const params = z.object({ identifier: z.string().min(1).max(1000) });
const nodeParams = params.extend({ node: z.string().min(1).max(1000) });
const warnings = z.array(workflowIssue);
const oneWorkflow = z.object({ ok: z.literal(true), workflow: workflowSchema });
const written = oneWorkflow.extend({ warnings });
const permissions = z.object({ ok: z.literal(true), permissions: nodePermissions });
const saving = { note: queryText(), strict: strictQueryBoolean() };
const faults =
  'Every fault is told at once: `details` is a list of `{path, code, message}` with JSON pointers. What a static text names and nobody has (a blueprint, an agent, a secret, a user or a team) is a warning, and a fault with `strict=true`.';

export const listWorkflows = operation({
  id: 'listWorkflows',
  method: 'GET',
  path,
  tag,
  summary: 'List the workflows that the caller may run or change',
  access: 'token',
  answer: z.object({
    ok: z.literal(true),
    workflows: z.array(workflowSchema),
    /** Of the workflows listed. */
    triggers: z.array(workflowTriggerState),
    /** All triggers of the organization. */
    paused: workflowPause.nullable(),
  }),
  errors: [],
});

export const createWorkflow = operation({
  id: 'createWorkflow',
  method: 'POST',
  path,
  tag,
  summary: 'Create a workflow',
  description: `Kept as written: nothing is filled in, and unknown keys stay. ${faults}`,
  access: 'admin',
  query: z.object(saving),
  body: workflowBody,
  readsRawBody: true,
  answer: written,
  errors: ['identifier_taken', 'invalid_workflow', 'limit_reached'],
});

export const validateWorkflow = operation({
  id: 'validateWorkflow',
  method: 'POST',
  isReadOnly: true,
  path: `${path}/validate`,
  tag,
  summary: 'Check a workflow without saving it',
  access: 'admin',
  scope: 'create:actions',
  body: workflowBody,
  readsRawBody: true,
  answer: z.object({ ok: z.literal(true), isValid: z.boolean(), issues: z.array(workflowIssue), warnings }),
  errors: [],
});

export const getWorkflow = operation({
  id: 'getWorkflow',
  method: 'GET',
  path: `${path}/{identifier}`,
  tag,
  summary: 'Read a workflow as it was written',
  access: 'token',
  params,
  answer: oneWorkflow.extend({ triggers: z.array(workflowTriggerState) }),
  errors: ['not_found'],
});

export const replaceWorkflow = operation({
  id: 'replaceWorkflow',
  method: 'PUT',
  path: `${path}/{identifier}`,
  tag,
  summary: 'Save a new version of a workflow; another identifier renames it',
  description: `An equal workflow makes no new version. Runs in progress keep theirs. \`If-Match: "3"\`, or \`expectedVersion\`, refuses a workflow that is not at that version any more. ${faults}`,
  access: 'admin',
  params,
  query: z.object({ ...saving, expectedVersion: queryText() }),
  body: workflowBody,
  readsRawBody: true,
  answer: written,
  errors: ['identifier_taken', 'invalid_workflow', 'not_found', 'version_changed'],
});

export const deleteWorkflow = operation({
  id: 'deleteWorkflow',
  method: 'DELETE',
  path: `${path}/{identifier}`,
  tag,
  summary: 'Delete a workflow; it starts no more runs, and those in progress end by themselves',
  access: 'admin',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const listWorkflowVersions = operation({
  id: 'listWorkflowVersions',
  method: 'GET',
  path: `${path}/{identifier}/versions`,
  tag,
  summary: 'List the versions of a workflow, newest first',
  access: 'token',
  params,
  query: z.object({ limit: queryInteger({ min: 1, max: 1000, default: 100 }) }),
  answer: z.object({ ok: z.literal(true), versions: z.array(version) }),
  errors: ['not_found'],
});

export const getWorkflowVersion = operation({
  id: 'getWorkflowVersion',
  method: 'GET',
  path: `${path}/{identifier}/versions/{version}`,
  tag,
  summary: 'Read a version of a workflow',
  access: 'token',
  params: params.extend({ version: z.coerce.number<string>({ error: 'must be a number' }).int().min(1).max(1e9) }),
  answer: oneWorkflow,
  errors: ['not_found'],
});

export const getWorkflowNode = operation({
  id: 'getWorkflowNode',
  method: 'GET',
  path: `${path}/{identifier}/nodes/{node}`,
  tag,
  summary: 'Read a node of a workflow',
  access: 'token',
  params: nodeParams,
  answer: z.object({ ok: z.literal(true), node: z.record(z.string(), z.json()) }),
  errors: ['not_found'],
});

export const listSelfServiceTriggers = operation({
  id: 'listSelfServiceTriggers',
  method: 'GET',
  path: `${path}/self-service-triggers`,
  tag,
  summary: 'List the forms by which the caller may start a workflow',
  access: 'token',
  answer: z.object({ ok: z.literal(true), triggers: z.array(selfServiceTrigger) }),
  errors: [],
});

const hookAnswer = z.object({
  ok: z.literal(true),
  /** Who knows it and the secret starts runs. */
  address: z.string(),
});

export const getTriggerAddress = operation({
  id: 'getTriggerAddress',
  method: 'GET',
  path: `${path}/{identifier}/nodes/{node}/address`,
  tag,
  summary: 'Read the address at which others call a webhook trigger',
  access: 'admin',
  params: nodeParams,
  answer: hookAnswer,
  errors: ['not_found'],
});

export const rotateTriggerAddress = operation({
  id: 'rotateTriggerAddress',
  method: 'POST',
  path: `${path}/{identifier}/nodes/{node}/address`,
  tag,
  summary: 'Give a webhook trigger another address; the old one answers nobody any more',
  access: 'admin',
  params: nodeParams,
  answer: hookAnswer,
  errors: ['not_found'],
});

export const callWorkflowTrigger = operation({
  id: 'callWorkflowTrigger',
  method: 'POST',
  path: '/v1/workflow-triggers/{name}',
  tag,
  summary: 'Start a run by calling the address of a webhook trigger',
  description:
    'Takes JSON, a form or text of up to 512 KiB. Needs no token: the address and the proof that its trigger asks for are enough. A call that names a delivery starts one run however often it comes.',
  access: 'public',
  status: 202,
  params: z.object({ name: z.string().min(1).max(200) }),
  rawBodyBytesMax: 512 * 1024,
  answer: z.object({
    ok: z.literal(true),
    state: z.enum(['started', 'dropped']),
    runIdentifier: z.string().nullable(),
  }),
  errors: ['unauthorized', 'not_found', 'payload_too_large', 'invalid_json', 'invalid_request', 'too_many_requests'],
});

export const evaluateTriggerForm = operation({
  id: 'evaluateTriggerForm',
  method: 'POST',
  isReadOnly: true,
  path: `${path}/{identifier}/nodes/{node}/form`,
  tag,
  summary: 'Evaluate the form of a trigger while it is filled: what shows, defaults, choices, and what is wrong',
  access: 'token',
  params: nodeParams,
  body: z.strictObject({ inputs: z.record(z.string(), z.unknown()).default({}) }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), form: formState }),
  errors: ['not_found'],
});

const nodePermissionsPath = `${path}/{identifier}/nodes/{node}/permissions` as const;

export const getNodePermissions = operation({
  id: 'getNodePermissions',
  method: 'GET',
  path: nodePermissionsPath,
  tag,
  summary: 'Read who may start a workflow by a form; an empty answer means administrators',
  access: 'token',
  params: nodeParams,
  answer: permissions,
  errors: ['not_found'],
});

export const setNodePermissions = operation({
  id: 'setNodePermissions',
  method: 'POST',
  path: nodePermissionsPath,
  tag,
  summary: 'Say who may start a workflow by a form, in a new version',
  access: 'admin',
  scope: 'update:actions',
  params: nodeParams,
  body: nodePermissions,
  answer: permissions,
  errors: ['not_found', 'invalid_workflow'],
});

export const changeNodePermissions = operation({
  id: 'changeNodePermissions',
  method: 'PATCH',
  path: nodePermissionsPath,
  tag,
  summary: 'Change who may start a workflow by a form, in a new version; what is left out stays, null removes',
  access: 'admin',
  params: nodeParams,
  body: nodePermissions,
  answer: permissions,
  errors: ['not_found', 'invalid_workflow'],
});

export const deleteNodePermissions = operation({
  id: 'deleteNodePermissions',
  method: 'DELETE',
  path: nodePermissionsPath,
  tag,
  summary: 'Let administrators alone start a workflow by a form, in a new version',
  access: 'admin',
  params: nodeParams,
  answer: permissions,
  errors: ['not_found', 'invalid_workflow'],
});

export const workflowOperations = [
  listWorkflows,
  createWorkflow,
  validateWorkflow,
  listSelfServiceTriggers,
  getWorkflow,
  replaceWorkflow,
  deleteWorkflow,
  listWorkflowVersions,
  getWorkflowVersion,
  getWorkflowNode,
  getTriggerAddress,
  rotateTriggerAddress,
  callWorkflowTrigger,
  evaluateTriggerForm,
  getNodePermissions,
  setNodePermissions,
  changeNodePermissions,
  deleteNodePermissions,
] as const;
