/** What the other organization has that is not named by people. */
export const foreign = {
  token: '',
  app: '',
  secret: 'their-secret',
  user: 'theirs@example.com',
  page: 'theirs',
  folder: 'theirs',
  action: 'theirs',
  run: '',
  integration: 'theirs',
  ingest: '',
  webhook: 'theirs',
  delivery: '',
  destination: '',
  server: 'theirs',
  provider: 'openai-compatible',
  source: 'theirs',
  import: '',
  install: '',
  campaign: '',
  exemption: '',
  workflow: 'theirs',
  workflowRun: '',
  proposal: 'wfp_theirs',
  notice: 'ntc_theirs',
  nodeRun: 'wfnr_theirs',
};

export const page = { type: 'dashboard', widgets: [{ id: 'w', type: 'markdown' }] };
export const action = {
  trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
  invocationMethod: { type: 'WEBHOOK', url: 'http://example.com' },
};
export const firstForm = {
  identifier: 'x',
  title: 'X',
  trigger: 'CREATE',
  userInputs: { properties: {} },
  invocationMethod: { type: 'WEBHOOK', url: 'http://example.com' },
};
export const query = { combinator: 'and', rules: [] };
export const body = { identifier: 'x', title: 'X' };

export const scorecard = {
  identifier: 's',
  title: 'S',
  rules: [
    {
      identifier: 'r',
      title: 'R',
      level: 'Bronze',
      query: { combinator: 'and', conditions: [{ property: '$title', operator: 'isNotEmpty' }] },
    },
  ],
};

export const exemption = { entities: ['thing'], reason: 'R', until: '2027-01-31' };

export const campaign = {
  title: 'C',
  blueprint: 'shared',
  scorecard: 's',
  target: { level: 'Gold' },
  dueDate: '2027-01-31',
  status: 'active',
};
