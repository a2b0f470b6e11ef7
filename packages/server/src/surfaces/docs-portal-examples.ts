/** Examples on people, rights, actions, integrations and pages; like the others, they create their own data. */
const person = 'sam.porter@halyardfreight.example';
const guest = 'noor.haddad@halyardfreight.example';
const team = { team_name: 'Lighthouse' };
const page = { page_identifier: 'lighthouse' };
const mcpServer = { server_identifier: 'issue-tracker' };
const greeting = {
  identifier: 'greet',
  title: 'Greet',
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
  },
  invocationMethod: { type: 'WEBHOOK', url: 'https://example.com/greet', body: { greeted: '{{ .inputs.name }}' } },
};
const greetingWorkflow = {
  identifier: 'greet-later',
  title: 'Greet later',
  nodes: [
    {
      identifier: 'form',
      config: {
        type: 'SELF_SERVE_TRIGGER',
        userInputs: { properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
        permissions: { roles: ['Member'] },
      },
    },
    { identifier: 'wait', config: { type: 'DELAY', seconds: 3600 } },
    {
      identifier: 'greet',
      config: {
        type: 'WEBHOOK',
        url: 'https://example.com/greet',
        body: { greeted: '{{ .outputs.trigger.name }}' },
      },
    },
  ],
  connections: [
    { sourceIdentifier: 'form', targetIdentifier: 'wait' },
    { sourceIdentifier: 'wait', targetIdentifier: 'greet' },
  ],
};
const workflow = { identifier: 'greet-later' };
const workflowForm = { ...workflow, node: 'form' };
const notes = { id: 'notes', type: 'markdown', title: 'Notes', markdown: '# Read me first' };
const asked = { user: 'aisha.bello@halyardfreight.example', operation: 'update' };

export const portalExamples = {
  getPortalBootstrap: { query: { path: '/' } },
  createTeam: { body: { name: 'Lighthouse', description: 'Looks after the lights' } },
  getTeam: { path: team },
  replaceTeam: { path: team, body: { name: 'Lighthouse', description: 'Keeps the lights on', users: [] } },
  patchTeam: { path: team, body: { description: 'Keeps every light on' } },
  deleteTeam: { path: team },
  inviteUser: { body: { invitee: { email: person, roles: ['Member'], teams: [] } } },
  createInvitation: { body: { email: guest, roles: ['Member'] } },
  renewInvitation: { path: { user_email: guest }, body: {} },
  revokeInvitation: { path: { user_email: guest } },
  getUser: { path: { user_email: person } },
  patchUser: { path: { user_email: person }, body: { roles: ['Member'] } },
  deleteUser: { path: { user_email: person } },
  explainPermission: { body: { ...asked, entity: 'route-planner' } },
  simulatePermissions: { body: { ...asked, show: 'all', limit: 20 } },
  createAction: { body: greeting },
  getAction: { path: { action_identifier: 'greet' } },
  replaceAction: { path: { action_identifier: 'greet' }, body: { ...greeting, description: 'Says hello' } },
  deleteAction: { path: { action_identifier: 'greet' } },
  getActionPermissions: { path: { action_identifier: 'greet' } },
  patchActionPermissions: { path: { action_identifier: 'greet' }, body: { execute: { roles: ['Admin', 'Member'] } } },
  startRun: { path: { action_identifier: 'greet' }, body: { properties: { name: 'Ada' } } },
  evaluateForm: { path: { action_identifier: 'greet' }, body: { properties: { name: 'Ada' }, withApprovers: true } },
  testForm: { body: { action: greeting, properties: { name: 'Ada' } } },
  listRuns: { query: { action: 'greet', version: 'v2' } },
  acknowledgeRun: { body: { runId: 'r_1' } },
  reportRun: { body: { statusLabel: 'Said hello', link: 'https://example.com/greetings/1' } },
  addRunLog: { body: { message: 'Hello, Ada' } },
  addRunResponse: { body: { response: { greeted: 'Ada' } } },
  claimRuns: { body: { installationId: 'my-exporter', limit: 5 } },
  createWorkflow: { body: greetingWorkflow },
  validateWorkflow: { body: greetingWorkflow },
  testWorkflow: { body: { definition: greetingWorkflow, sample: { name: 'Ada' } } },
  getWorkflow: { path: workflow },
  replaceWorkflow: { path: workflow, body: { ...greetingWorkflow, description: 'Says hello after an hour' } },
  listWorkflowVersions: { path: workflow },
  getWorkflowVersion: { path: { ...workflow, version: '1' } },
  getWorkflowNode: { path: workflowForm },
  explainWorkflow: { path: workflow },
  evaluateTriggerForm: { path: workflowForm, body: { inputs: { name: 'Ada' } } },
  getNodePermissions: { path: workflowForm },
  setNodePermissions: { path: workflowForm, body: { roles: ['Member'] } },
  changeNodePermissions: { path: workflowForm, body: { teams: ['platform'] } },
  deleteNodePermissions: { path: workflowForm },
  pauseWorkflow: { path: workflow, body: { reason: 'The mail server is being moved' } },
  resumeWorkflow: { path: workflow, body: {} },
  pauseWorkflows: { body: { reason: 'The database is being moved' } },
  resumeWorkflows: { body: {} },
  startWorkflowRun: { path: workflow, body: { inputs: { name: 'Ada' } } },
  respondToNodeRun: { body: { buttonIdentifier: 'approve' } },
  deleteWorkflow: { path: workflow },
  createPage: { body: { identifier: 'lighthouse', type: 'dashboard', title: 'Lighthouse', widgets: [notes] } },
  getPage: { path: page },
  replacePage: { path: page, body: { type: 'dashboard', title: 'The lighthouse', widgets: [notes] } },
  addWidget: { path: page, body: { id: 'people', type: 'users-table', title: 'People' } },
  patchWidget: { path: { ...page, widget_id: 'notes' }, body: { title: 'Read me' } },
  deleteWidget: { path: { ...page, widget_id: 'people' } },
  deletePage: { path: page },
  getPagePermissions: { path: page },
  patchPagePermissions: { path: page, body: { read: { roles: ['Admin', 'Member'] } } },
  putFavorites: { body: { favorites: [{ kind: 'entity', blueprint: 'service', identifier: 'route-planner' }] } },
  createIntegration: { body: { installationId: 'my-exporter', title: 'My exporter', installationAppType: 'Custom' } },
  patchIntegration: { body: { title: 'The exporter' } },
  replaceIntegrationConfig: { body: { config: { resources: [] } } },
  reportResyncState: { body: { status: 'running' } },
  addKindExamples: { body: { examples: [{ name: 'route-planner', stars: 3 }] } },
  createWebhook: { body: { identifier: 'builds', title: 'Builds', enabled: true, mappings: [], security: {} } },
  replaceWebhook: { body: { identifier: 'builds', title: 'All builds', enabled: true, mappings: [], security: {} } },
  patchWebhook: { body: { title: 'Builds of all branches' } },
  testMapping: {
    body: {
      mapping: {
        blueprint: 'service',
        filter: '.headers["x-event"] == "created"',
        entity: { identifier: '.body.name', properties: { url: '.body.link' } },
      },
      examples: [
        { body: { name: 'cart', link: 'https://example.com' }, headers: { 'x-event': 'created' }, queryParams: {} },
      ],
    },
  },
  testAutomation: { path: { action_identifier: 'greet' }, body: { eventId: 'event_of_the_audit_log' } },
  createChangelogDestination: { body: { type: 'WEBHOOK', url: 'https://example.com/changes', enabled: false } },
  replaceChangelogDestination: { body: { type: 'WEBHOOK', url: 'https://example.com/all-changes', enabled: false } },
  createFolder: { body: { identifier: 'harbour', title: 'Harbour' } },
  patchFolder: { path: { folder_identifier: 'harbour' }, body: { title: 'The harbour' } },
  deleteFolder: { path: { folder_identifier: 'harbour' } },
  createMcpServer: { body: { identifier: 'issue-tracker', url: 'https://tracker.example.com/mcp', enabled: false } },
  getMcpServer: { path: mcpServer },
  patchMcpServer: { path: mcpServer, body: { title: 'Issue tracker', permissions: { roles: ['Member'] } } },
  deleteMcpServer: { path: mcpServer },
  testMcpServer: { path: mcpServer },
  refreshMcpServer: { path: mcpServer },
  listMcpServerTools: { path: mcpServer },
  reviewMcpServerTools: {
    path: mcpServer,
    body: { decisions: [{ name: 'find_issues', hash: 'hash_of_what_was_read', decision: 'approve', readOnly: true }] },
  },
};
