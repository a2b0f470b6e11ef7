type Asked = readonly [method: string, path: (known: string) => string, body?: unknown];

const flow = {
  identifier: 'x',
  nodes: [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }],
  connections: [],
};

/** What `asked-of-others.ts` asks of workflows by name. */
const askedOfDefinitions: Record<string, Asked> = {
  getWorkflow: ['GET', (known) => `/v1/workflows/${known}`],
  replaceWorkflow: ['PUT', (known) => `/v1/workflows/${known}`, flow],
  deleteWorkflow: ['DELETE', (known) => `/v1/workflows/${known}`],
  listWorkflowVersions: ['GET', (known) => `/v1/workflows/${known}/versions`],
  getWorkflowVersion: ['GET', (known) => `/v1/workflows/${known}/versions/1`],
  getWorkflowNode: ['GET', (known) => `/v1/workflows/${known}/nodes/form`],
  explainWorkflow: ['GET', (known) => `/v1/workflows/${known}/explain`],
  getTriggerAddress: ['GET', (known) => `/v1/workflows/${known}/nodes/form/address`],
  rotateTriggerAddress: ['POST', (known) => `/v1/workflows/${known}/nodes/form/address`],
  evaluateTriggerForm: ['POST', (known) => `/v1/workflows/${known}/nodes/form/form`, { inputs: {} }],
  getNodePermissions: ['GET', (known) => `/v1/workflows/${known}/nodes/form/permissions`],
  setNodePermissions: ['POST', (known) => `/v1/workflows/${known}/nodes/form/permissions`, {}],
  changeNodePermissions: ['PATCH', (known) => `/v1/workflows/${known}/nodes/form/permissions`, {}],
  deleteNodePermissions: ['DELETE', (known) => `/v1/workflows/${known}/nodes/form/permissions`],
  pauseWorkflow: ['POST', (known) => `/v1/workflows/${known}/pause`, {}],
  resumeWorkflow: ['POST', (known) => `/v1/workflows/${known}/resume`, {}],
  startWorkflowRun: ['POST', (known) => `/v1/workflows/${known}/runs`, { inputs: {} }],
};

const askedOfRuns: Record<string, Asked> = {
  getWorkflowRun: ['GET', (known) => `/v1/workflows/runs/${known}`],
  getWorkflowRunLogs: ['GET', (known) => `/v1/workflows/runs/${known}/logs`],
  getRerunPlan: ['GET', (known) => `/v1/workflows/runs/${known}/rerun-plan`],
  rerunWorkflowRun: ['POST', (known) => `/v1/workflows/runs/${known}/rerun`, {}],
  repeatCompensations: ['POST', (known) => `/v1/workflows/runs/${known}/repeat-compensations`, {}],
  streamWorkflowRunEvents: ['GET', (known) => `/v1/workflows/runs/${known}/events`],
  cancelWorkflowRun: ['POST', (known) => `/v1/workflows/runs/${known}/cancel`],
};

const askedOfDrafts: Record<string, Asked> = {
  getWorkflowDraft: ['GET', (known) => `/v1/workflows/runs/drafts/${known}`],
  decideWorkflowDraft: [
    'POST',
    (known) => `/v1/workflows/runs/drafts/${known}/decision`,
    { status: 'APPROVE', inputsHash: 'sha256:0' },
  ],
};

const askedOfProposals: Record<string, Asked> = {
  getWorkflowProposal: ['GET', (known) => `/v1/workflow-proposals/${known}`],
  acceptWorkflowProposal: ['POST', (known) => `/v1/workflow-proposals/${known}/accept`, {}],
  dismissWorkflowProposal: ['POST', (known) => `/v1/workflow-proposals/${known}/dismiss`, {}],
};

const askedOfNotices: Record<string, Asked> = {
  readNotice: ['POST', (known) => `/v1/me/notices/${known}/read`],
  dismissNotice: ['POST', (known) => `/v1/me/notices/${known}/dismiss`],
};

const askedOfNodeRuns: Record<string, Asked> = {
  respondToNodeRun: ['POST', (known) => `/v1/workflows/nodes/runs/${known}/responses`, { buttonIdentifier: 'yes' }],
  reportNodeRun: ['PATCH', (known) => `/v1/workflows/nodes/runs/${known}`, { status: 'IN_PROGRESS' }],
  addNodeRunLogs: ['POST', (known) => `/v1/workflows/nodes/runs/${known}/logs`, { logs: [{ message: 'x' }] }],
  getNodeRunLogs: ['GET', (known) => `/v1/workflows/nodes/runs/${known}/logs`],
};

export const askedOfWorkflows: Record<string, Asked> = {
  ...askedOfDefinitions,
  ...askedOfRuns,
  ...askedOfDrafts,
  ...askedOfProposals,
  ...askedOfNotices,
  ...askedOfNodeRuns,
};

/** Which name of the other organization each is asked with. */
export const namedOfWorkflows: Record<string, 'workflow' | 'workflowRun' | 'proposal' | 'notice' | 'nodeRun'> = {
  ...Object.fromEntries(Object.keys(askedOfDefinitions).map((id) => [id, 'workflow' as const])),
  ...Object.fromEntries(
    [...Object.keys(askedOfRuns), ...Object.keys(askedOfDrafts)].map((id) => [id, 'workflowRun' as const]),
  ),
  ...Object.fromEntries(Object.keys(askedOfProposals).map((id) => [id, 'proposal' as const])),
  ...Object.fromEntries(Object.keys(askedOfNotices).map((id) => [id, 'notice' as const])),
  ...Object.fromEntries(Object.keys(askedOfNodeRuns).map((id) => [id, 'nodeRun' as const])),
};

/** Operations without a name of something in their path. */
export const namelessOfWorkflows = [
  'callWorkflowTrigger',
  'listWorkflows',
  'createWorkflow',
  'validateWorkflow',
  'pauseWorkflows',
  'resumeWorkflows',
  'testWorkflow',
  'listSelfServiceTriggers',
  'listWorkflowRuns',
  'listWorkflowDrafts',
  'listWorkflowProposals',
  'listNotices',
  'readNotices',
  'claimNodeRuns',
  'acknowledgeNodeRun',
  'listNodeRuns',
] as const;

/** A workflow whose form waits, made by requests alone but for the step, which no job is run for. */
export const waitingWorkflow = {
  identifier: 'theirs',
  nodes: [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    { identifier: 'call', config: { type: 'WEBHOOK', url: 'http://example.com' } },
  ],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'call' }],
};
