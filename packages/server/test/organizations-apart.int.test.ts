import { notBuiltOperations } from '@portolan/contract/not-built';
import { operations } from '@portolan/contract/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from './build-test-app.ts';
import { blueprintBody, createEntity, type Entity } from './catalog-fixtures.ts';

let app: TestApp;
let theirs: TestOrganization;
/** What the other organization has that is not named by people. */
const foreign = {
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
};
beforeAll(async () => {
  app = await createTestApp();
  theirs = await app.createOrganization();
  await theirs.request('POST', '/v1/blueprints', { body: blueprintBody('secret') });
  for (const { request } of [theirs, app.organization]) {
    await request('POST', '/v1/blueprints', {
      body: blueprintBody('shared', { relations: { to: { target: '_team' } } }),
    });
  }
  await createEntity(theirs.request, 'secret', { identifier: 'thing', title: 'Thing' });
  await createEntity(theirs.request, 'shared', { identifier: 'thing', title: 'Thing' });
  await createEntity(theirs.request, '_team', { identifier: 'crew', title: 'Crew' });
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(theirs.request, '_user', { identifier: foreign.user, properties });
  const secretBody = { secretName: foreign.secret, secretValue: 'x' };
  await theirs.request('POST', '/v1/organization/secrets', { body: secretBody });
  await theirs.request('POST', '/v1/pages', { body: { identifier: foreign.page, ...page } });
  await theirs.request('POST', '/v1/sidebars/catalog/folders', { body: { identifier: foreign.folder } });
  await theirs.request('POST', '/v1/actions', { body: { identifier: foreign.action, ...action } });
  const integration = { installationId: foreign.integration };
  foreign.ingest = (await theirs.request('POST', '/v1/integration', { body: integration })).body.integration._id;
  for (const { request } of [theirs, app.organization]) {
    const hook = await request('POST', '/v1/webhooks', { body: { identifier: 'both', title: 'Both' } });
    const sent = await request('POST', new URL(hook.body.integration.url).pathname, { token: null, body: {} });
    if (request === theirs.request) foreign.delivery = sent.body.deliveryId;
  }
  await theirs.request('POST', '/v1/webhooks', { body: { identifier: foreign.webhook, title: 'Theirs' } });
  const run = await theirs.request('POST', `/v1/actions/${foreign.action}/runs`, { body: { properties: {} } });
  foreign.run = run.body.run.id;
  const sink = { type: 'WEBHOOK', url: 'http://example.com', enabled: false };
  const made = await theirs.request('POST', '/v1/organization/changelog-destinations', { body: sink });
  foreign.destination = made.body.destination.id;
  const connected = { identifier: foreign.server, url: 'https://example.com/mcp' };
  await theirs.request('POST', '/v1/mcp/servers', { body: connected });
  foreign.app = (await theirs.request('POST', '/v1/apps', { body: { name: 'theirs' } })).body.app.id;
  foreign.token = (await theirs.request('POST', '/v1/users/me/tokens', { body: { name: 't' } })).body.token.id;
  const config = { baseUrl: 'https://models.example.com', models: ['x'] };
  await theirs.request('POST', '/v1/llm-providers', { body: { provider: foreign.provider, config } });
  await createEntity(theirs.request, '_team', { identifier: 'theirs', title: 'secret' });
  await createEntity(theirs.request, '_user', { identifier: 'secret@acme.dev' });
});
afterAll(() => app.close());

const page = { type: 'dashboard', widgets: [{ id: 'w', type: 'markdown' }] };
const action = {
  trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
  invocationMethod: { type: 'WEBHOOK', url: 'http://example.com' },
};
const firstForm = {
  identifier: 'x',
  title: 'X',
  trigger: 'CREATE',
  userInputs: { properties: {} },
  invocationMethod: { type: 'WEBHOOK', url: 'http://example.com' },
};
const query = { combinator: 'and', rules: [] };
const body = { identifier: 'x', title: 'X' };

const scorecard = {
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

/** Each operation on something of another organization, and the same on something that nobody has. */
const asked: Record<string, readonly [method: string, path: (known: string) => string, body?: unknown]> = {
  getBlueprint: ['GET', (known) => `/v1/blueprints/${known}`],
  replaceBlueprint: ['PUT', (known) => `/v1/blueprints/${known}`, blueprintBody('x')],
  patchBlueprint: ['PATCH', (known) => `/v1/blueprints/${known}`, { title: 'X' }],
  deleteBlueprint: ['DELETE', (known) => `/v1/blueprints/${known}`],
  getSystemBlueprintStructure: ['GET', (known) => `/v1/blueprints/system/${known}/structure`],
  createEntity: ['POST', (known) => `/v1/blueprints/${known}/entities?upsert=true`, body],
  bulkUpsertEntities: ['POST', (known) => `/v1/blueprints/${known}/entities/bulk`, { entities: [body] }],
  listEntities: ['GET', (known) => `/v1/blueprints/${known}/entities`],
  countEntities: ['GET', (known) => `/v1/blueprints/${known}/entities-count`],
  listUnknownProperties: ['GET', (known) => `/v1/blueprints/${known}/unknown-properties`],
  searchBlueprintEntities: ['POST', (known) => `/v1/blueprints/${known}/entities/search`, { query }],
  bulkDeleteEntities: ['POST', (known) => `/v1/blueprints/${known}/bulk/entities/delete`, { entities: ['thing'] }],
  renameProperty: ['PATCH', (known) => `/v1/blueprints/${known}/properties/a/rename`, { newPropertyName: 'b' }],
  renameMirror: ['PATCH', (known) => `/v1/blueprints/${known}/mirror/a/rename`, { newMirrorName: 'b' }],
  renameRelation: ['PATCH', (known) => `/v1/blueprints/${known}/relations/a/rename`, { newRelationIdentifier: 'b' }],
  getBlueprintPermissions: ['GET', (known) => `/v1/blueprints/${known}/permissions`],
  patchBlueprintPermissions: ['PATCH', (known) => `/v1/blueprints/${known}/permissions`, { entities: {} }],
  explainPermission: [
    'POST',
    (known) => `/v1/blueprints/${known}/permissions/explain`,
    { user: 'nobody@example.com', operation: 'read', entity: 'thing' },
  ],
  simulatePermissions: [
    'POST',
    (known) => `/v1/blueprints/${known}/permissions/simulate`,
    { user: 'nobody@example.com', operation: 'read' },
  ],
  deleteAllEntities: ['DELETE', (known) => `/v1/blueprints/${known}/all-entities`],
  groupBlueprintEntities: ['POST', (known) => `/v1/blueprints/${known}/entities/group`, { groupBy: '$team' }],
  listScorecards: ['GET', (known) => `/v1/blueprints/${known}/scorecards`],
  createScorecard: ['POST', (known) => `/v1/blueprints/${known}/scorecards`, scorecard],
  replaceScorecards: ['PUT', (known) => `/v1/blueprints/${known}/scorecards`, [scorecard]],
  getScorecard: ['GET', (known) => `/v1/blueprints/${known}/scorecards/s`],
  replaceScorecard: ['PUT', (known) => `/v1/blueprints/${known}/scorecards/s`, scorecard],
  deleteScorecard: ['DELETE', (known) => `/v1/blueprints/${known}/scorecards/s`],
  getTeam: ['GET', (known) => `/v1/teams/${known}`],
  replaceTeam: ['PUT', (known) => `/v1/teams/${known}`, { name: 'xx' }],
  patchTeam: ['PATCH', (known) => `/v1/teams/${known}`, { name: 'xx' }],
  deleteTeam: ['DELETE', (known) => `/v1/teams/${known}`],
  getUser: ['GET', (known) => `/v1/users/${known}@acme.dev`],
  patchUser: ['PATCH', (known) => `/v1/users/${known}@acme.dev`, { roles: ['Admin'] }],
  getLlmProvider: ['GET', (known) => `/v1/llm-providers/${known}`],
  replaceLlmProvider: ['PUT', (known) => `/v1/llm-providers/${known}`, {}],
  deleteLlmProvider: ['DELETE', (known) => `/v1/llm-providers/${known}`],
  deleteUser: ['DELETE', (known) => `/v1/users/${known}@acme.dev`],
  getEntity: ['GET', (known) => `/v1/blueprints/shared/entities/${known}`],
  replaceEntity: ['PUT', (known) => `/v1/blueprints/shared/entities/${known}`, {}],
  patchEntity: ['PATCH', (known) => `/v1/blueprints/shared/entities/${known}`, {}],
  deleteEntity: ['DELETE', (known) => `/v1/blueprints/shared/entities/${known}?delete_dependents=true`],
  rotateApiToken: ['POST', (known) => `/v1/users/me/tokens/${known}/rotate`],
  revokeApiToken: ['DELETE', (known) => `/v1/users/me/tokens/${known}`],
  revokeOrganizationToken: ['DELETE', (known) => `/v1/organization/tokens/${known}`],
  renameApp: ['PUT', (known) => `/v1/apps/${known}`, { name: 'mine' }],
  rotateAppSecret: ['POST', (known) => `/v1/apps/${known}/rotate-secret`],
  setAppPermissions: ['POST', (known) => `/v1/apps/${known}/permissions`, { permissions: ['*'] }],
  deleteApp: ['DELETE', (known) => `/v1/apps/${known}`],
  rotateCredentials: ['POST', (known) => `/v1/rotate-credentials/${known}`],
  getSecret: ['GET', (known) => `/v1/organization/secrets/${known}`],
  patchSecret: ['PATCH', (known) => `/v1/organization/secrets/${known}`, { description: 'mine' }],
  deleteSecret: ['DELETE', (known) => `/v1/organization/secrets/${known}`],
  getAction: ['GET', (known) => `/v1/actions/${known}`],
  replaceAction: ['PUT', (known) => `/v1/actions/${known}`, { identifier: 'x', ...action }],
  deleteAction: ['DELETE', (known) => `/v1/actions/${known}`],
  testAutomation: ['POST', (known) => `/v1/actions/${known}/test`, { eventId: 'event_x' }],
  replaceChangelogDestination: [
    'PUT',
    (known) => `/v1/organization/changelog-destinations/${known}`,
    { type: 'WEBHOOK', url: 'http://example.com' },
  ],
  deleteChangelogDestination: ['DELETE', (known) => `/v1/organization/changelog-destinations/${known}`],
  getActionPermissions: ['GET', (known) => `/v1/actions/${known}/permissions`],
  patchActionPermissions: ['PATCH', (known) => `/v1/actions/${known}/permissions`, { execute: {} }],
  startRun: ['POST', (known) => `/v1/actions/${known}/runs`, { properties: {} }],
  getRun: ['GET', (known) => `/v1/actions/runs/${known}`],
  reportRun: ['PATCH', (known) => `/v1/actions/runs/${known}`, { status: 'SUCCESS' }],
  decideRun: ['PATCH', (known) => `/v1/actions/runs/${known}/approval`, { status: 'APPROVE' }],
  editDraft: ['PATCH', (known) => `/v1/actions/runs/${known}/draft`, { properties: {} }],
  getRunDecision: ['GET', (known) => `/v1/actions/runs/${known}/decision`],
  evaluateForm: ['POST', (known) => `/v1/actions/${known}/form`, {}],
  listApprovers: ['GET', (known) => `/v1/actions/runs/${known}/approvers`],
  addRunLog: ['POST', (known) => `/v1/actions/runs/${known}/logs`, { message: 'x' }],
  listRunLogs: ['GET', (known) => `/v1/actions/runs/${known}/logs`],
  addRunResponse: ['POST', (known) => `/v1/actions/runs/${known}/response`, { response: {} }],
  getIntegration: ['GET', (known) => `/v1/integration/${known}`],
  patchIntegration: ['PATCH', (known) => `/v1/integration/${known}`, {}],
  deleteIntegration: ['DELETE', (known) => `/v1/integration/${known}`],
  replaceIntegrationConfig: ['PATCH', (known) => `/v1/integration/${known}/config`, { config: {} }],
  getResyncRequest: ['GET', (known) => `/v1/integration/${known}/resync-request`],
  reportResyncState: ['PATCH', (known) => `/v1/integration/${known}/resync-state`, {}],
  listIntegrationLogs: ['GET', (known) => `/v1/integration/${known}/logs`],
  listSyncMetrics: ['GET', (known) => `/v1/integration/${known}/syncMetrics`],
  listSyncs: ['GET', (known) => `/v1/integration/${known}/syncsMetadata`],
  addKindExamples: ['POST', (known) => `/v1/integration/${known}/kinds/k/examples`, { examples: [{}] }],
  listKinds: ['GET', (known) => `/v1/integration/${known}/kinds`],
  getSyncCursor: ['GET', (known) => `/v1/integration/${known}/cursor`],
  putSyncCursor: ['PUT', (known) => `/v1/integration/${known}/cursor`, { primary: 'x' }],
  createSyncCursor: ['POST', (known) => `/v1/integration/${known}/cursor`, { primary: 'x' }],
  ingestIntegrationLogs: ['POST', (known) => `/v1/ingest/logs/${known}`, { logs: [] }],
  addSyncMetrics: ['POST', (known) => `/v1/ingest/metrics/${known}/syncMetrics`, { syncKindsMetrics: [] }],
  putSyncMetrics: [
    'PUT',
    (known) => `/v1/ingest/metrics/${known}/syncMetrics/resync/e/kind/k`,
    { syncKindMetrics: {} },
  ],
  beatSync: ['POST', (known) => `/v1/ingest/metrics/${known}/heartbeat`, {}],
  getDeleteGuard: ['GET', (known) => `/v1/integration/${known}/delete-guard`],
  putDeleteGuard: ['PUT', (known) => `/v1/integration/${known}/delete-guard`, { threshold: 1 }],
  decideDeletion: [
    'POST',
    (known) => `/v1/integration/${known}/delete-guard/decision`,
    { questionId: 'q', decision: 'confirm' },
  ],
  getWebhook: ['GET', (known) => `/v1/webhooks/${known}`],
  replaceWebhook: ['PUT', (known) => `/v1/webhooks/${known}`, { title: 'T' }],
  patchWebhook: ['PATCH', (known) => `/v1/webhooks/${known}`, { title: 'T' }],
  deleteWebhook: ['DELETE', (known) => `/v1/webhooks/${known}`],
  listWebhookDeliveries: ['GET', (known) => `/v1/webhooks/${known}/deliveries`],
  getWebhookDelivery: ['GET', (known) => `/v1/webhooks/both/deliveries/${known}`],
  replayWebhookDelivery: ['POST', (known) => `/v1/webhooks/both/deliveries/${known}/replay`],
  rerunRun: ['POST', (known) => `/v1/actions/runs/${known}/rerun`],
  listAffectedEntities: ['GET', (known) => `/v1/actions/runs/${known}/affected-entities`],
  createBlueprintAction: ['POST', (known) => `/v1/blueprints/${known}/actions`, firstForm],
  replaceBlueprintActions: ['PUT', (known) => `/v1/blueprints/${known}/actions`, [firstForm]],
  listBlueprintActions: ['GET', (known) => `/v1/blueprints/${known}/actions`],
  replaceBlueprintAction: ['PUT', (known) => `/v1/blueprints/${known}/actions/x`, firstForm],
  getBlueprintAction: ['GET', (known) => `/v1/blueprints/${known}/actions/x`],
  deleteBlueprintAction: ['DELETE', (known) => `/v1/blueprints/${known}/actions/x`],
  getPage: ['GET', (known) => `/v1/pages/${known}`],
  replacePage: ['PUT', (known) => `/v1/pages/${known}`, page],
  deletePage: ['DELETE', (known) => `/v1/pages/${known}`],
  addWidget: ['POST', (known) => `/v1/pages/${known}/widgets`, { type: 'markdown' }],
  patchWidget: ['PATCH', (known) => `/v1/pages/${known}/widgets/w`, { title: 'X' }],
  deleteWidget: ['DELETE', (known) => `/v1/pages/${known}/widgets/w`],
  getPagePermissions: ['GET', (known) => `/v1/pages/${known}/permissions`],
  patchPagePermissions: ['PATCH', (known) => `/v1/pages/${known}/permissions`, { read: { roles: [] } }],
  patchFolder: ['PATCH', (known) => `/v1/sidebars/catalog/folders/${known}`, {}],
  deleteFolder: ['DELETE', (known) => `/v1/sidebars/catalog/folders/${known}`],
  getMcpServer: ['GET', (known) => `/v1/mcp/servers/${known}`],
  patchMcpServer: ['PATCH', (known) => `/v1/mcp/servers/${known}`, { title: 'X' }],
  deleteMcpServer: ['DELETE', (known) => `/v1/mcp/servers/${known}`],
  testMcpServer: ['POST', (known) => `/v1/mcp/servers/${known}/test`],
  refreshMcpServer: ['POST', (known) => `/v1/mcp/servers/${known}/refresh`],
  listMcpServerTools: ['GET', (known) => `/v1/mcp/servers/${known}/tools`],
  reviewMcpServerTools: [
    'PATCH',
    (known) => `/v1/mcp/servers/${known}/tools`,
    { decisions: [{ name: 'x', hash: 'x', decision: 'approve' }] },
  ],
};
/** Operations whose names are not those of a blueprint or entity. */
const named: Record<string, keyof typeof foreign> = {
  rotateApiToken: 'token',
  revokeApiToken: 'token',
  revokeOrganizationToken: 'token',
  renameApp: 'app',
  rotateAppSecret: 'app',
  setAppPermissions: 'app',
  deleteApp: 'app',
  rotateCredentials: 'user',
  getSecret: 'secret',
  patchSecret: 'secret',
  deleteSecret: 'secret',
  getAction: 'action',
  replaceAction: 'action',
  deleteAction: 'action',
  testAutomation: 'action',
  replaceChangelogDestination: 'destination',
  deleteChangelogDestination: 'destination',
  getActionPermissions: 'action',
  patchActionPermissions: 'action',
  startRun: 'action',
  rerunRun: 'run',
  listAffectedEntities: 'run',
  getRun: 'run',
  reportRun: 'run',
  decideRun: 'run',
  editDraft: 'run',
  listApprovers: 'run',
  addRunLog: 'run',
  listRunLogs: 'run',
  addRunResponse: 'run',
  getIntegration: 'integration',
  patchIntegration: 'integration',
  deleteIntegration: 'integration',
  replaceIntegrationConfig: 'integration',
  getResyncRequest: 'integration',
  reportResyncState: 'integration',
  listIntegrationLogs: 'integration',
  listSyncMetrics: 'ingest',
  listSyncs: 'ingest',
  addKindExamples: 'integration',
  listKinds: 'integration',
  getSyncCursor: 'integration',
  putSyncCursor: 'integration',
  createSyncCursor: 'integration',
  ingestIntegrationLogs: 'ingest',
  addSyncMetrics: 'ingest',
  putSyncMetrics: 'ingest',
  beatSync: 'ingest',
  getDeleteGuard: 'integration',
  putDeleteGuard: 'integration',
  decideDeletion: 'integration',
  getWebhook: 'webhook',
  replaceWebhook: 'webhook',
  patchWebhook: 'webhook',
  deleteWebhook: 'webhook',
  listWebhookDeliveries: 'webhook',
  getWebhookDelivery: 'delivery',
  replayWebhookDelivery: 'delivery',
  getPage: 'page',
  replacePage: 'page',
  deletePage: 'page',
  addWidget: 'page',
  patchWidget: 'page',
  deleteWidget: 'page',
  getPagePermissions: 'page',
  patchPagePermissions: 'page',
  patchFolder: 'folder',
  deleteFolder: 'folder',
  getMcpServer: 'server',
  patchMcpServer: 'server',
  deleteMcpServer: 'server',
  testMcpServer: 'server',
  refreshMcpServer: 'server',
  listMcpServerTools: 'server',
  reviewMcpServerTools: 'server',
  getLlmProvider: 'provider',
  replaceLlmProvider: 'provider',
  deleteLlmProvider: 'provider',
};
const ofEntities = new Set(['getEntity', 'replaceEntity', 'patchEntity', 'deleteEntity']);
/** Without a name of a thing in the path: tests of their own show that they stay within the organization. */
const unnamed = [
  'listMcpServers',
  'createMcpServer',
  'getSignInOptions',
  'signIn',
  'signOut',
  'getOwnIdentity',
  'listSessions',
  'revokeSession',
  'revokeSessions',
  'changePassword',
  'createPasswordLink',
  'redeemPasswordLink',
  'startSso',
  'finishSso',
  'getSsoConnection',
  'putSsoConnection',
  'deleteSsoConnection',
  'listBlueprints',
  'createBlueprint',
  'searchEntities',
  'createAccessToken',
  'searchByDatasource',
  'topSearch',
  'aggregateEntities',
  'aggregateOverTime',
  'getPropertiesHistory',
  'listAllScorecards',
  'getAuditLog',
  'followChanges',
  'getAiLimits',
  'rehearseCutover',
  'listDataMigrations',
  'startDataMigration',
  'getDataMigration',
  'cancelDataMigration',
  'listDataMigrationErrors',
  'rerunDataMigration',
  'undoDataMigration',
  'startUsersAndTeams',
  'getUsersAndTeams',
  'planUsersAndTeams',
  'chooseForUsersAndTeams',
  'acceptUsersAndTeamsSuggestions',
  'rehearseUsersAndTeams',
  'verifyUsersAndTeams',
  'applyUsersAndTeamsSuggestion',
  'revertUsersAndTeamsSuggestion',
  'undoUsersAndTeams',
  'getPermissions',
  'createApiToken',
  'listApiTokens',
  'listOrganizationTokens',
  'listApps',
  'createApp',
  'getOwnOrganization',
  'replaceOwnOrganization',
  'patchOwnOrganization',
  'listSecrets',
  'createSecret',
  'listTeams',
  'createTeam',
  'listUsers',
  'inviteUser',
  'listActions',
  'listChangelogDestinations',
  'createChangelogDestination',
  'createAction',
  'listRuns',
  'claimRuns',
  'acknowledgeRun',
  'listIntegrations',
  'listIntegrationMetadata',
  'listProvisionEnabled',
  'createIntegration',
  'testForm',
  'testMapping',
  'getKafkaCredentials',
  ...notBuiltOperations.map(({ id }) => id),
  'listWebhooks',
  'listWebhookMetadata',
  'createWebhook',
  'ingestWebhook',
  'listPages',
  'createPage',
  'getSidebar',
  'createFolder',
  'listLlmProviders',
  'createLlmProvider',
  'getLlmDefaults',
  'putLlmDefaults',
];

describe('what another organization has answers as what nobody has', () => {
  test.each(Object.keys(asked))('%s', async (id) => {
    const [method, path, sent] = asked[id] as (typeof asked)[string];
    const kind = named[id];
    const name = kind ? foreign[kind] : ofEntities.has(id) ? 'thing' : 'secret';
    const theirsAnswer = await app.request(method, path(name), { body: sent });
    const missing = await app.request(method, path('nobody'), { body: sent });
    expect(theirsAnswer.status).toBe(404);
    expect(JSON.stringify(theirsAnswer.body).replaceAll(name, '*')).toBe(
      JSON.stringify(missing.body).replaceAll('nobody', '*'),
    );
  });

  test('every operation with a path of its own is asked', () => {
    const covered = new Set([...Object.keys(asked), ...unnamed]);
    const left = operations.filter(
      ({ id, access, tag }) => access !== 'operator' && tag !== 'AI assistant' && !covered.has(id),
    );
    expect(left.map(({ id }) => id)).toEqual([]);
  });
});

test('lists and searches show nothing of another organization', async () => {
  const { body: listed } = await app.request('GET', '/v1/blueprints');
  expect(listed.blueprints.map(({ identifier }: Entity) => identifier)).not.toContain('secret');
  const { body: found } = await app.request('POST', '/v1/entities/search', { body: query });
  expect(found).toEqual({ ok: true, entities: [], matchingBlueprints: [] });
  const named = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'secret' }] };
  expect((await app.request('POST', '/v1/entities/search', { body: named })).body.entities).toEqual([]);
});

test('relations, targets and teams do not reach another organization', async () => {
  const target = await app.request('POST', '/v1/blueprints', {
    body: blueprintBody('y', { relations: { to: { target: 'secret' } } }),
  });
  expect(target.status).toBe(404);
  const related = await app.request('POST', '/v1/blueprints/shared/entities', {
    body: { identifier: 'r', relations: { to: 'crew' } },
  });
  expect([related.status, related.body.error]).toEqual([404, 'not_found']);
  const owned = await app.request('POST', '/v1/blueprints/shared/entities', {
    body: { identifier: 'o', team: ['crew'] },
  });
  expect(owned.headers['warning']).toContain('crew');
  await app.request('DELETE', '/v1/blueprints/shared/entities/o');
});

test('the same names live side by side', async () => {
  const mine = await createEntity(app.request, 'shared', { identifier: 'thing', title: 'Mine' });
  expect(mine.title).toBe('Mine');
  expect((await theirs.request('GET', '/v1/blueprints/shared/entities/thing')).body.entity.title).toBe('Thing');
  expect((await app.request('DELETE', '/v1/blueprints/shared/entities/thing')).status).toBe(200);
  expect((await theirs.request('GET', '/v1/blueprints/shared/entities/thing')).status).toBe(200);
});

test('a page of one is no page of the other', async () => {
  await theirs.request('POST', '/v1/blueprints/secret/entities', { body: { identifier: 'second' } });
  const page = await theirs.request('POST', '/v1/blueprints/secret/entities/search', { body: { limit: 1 } });
  const answer = await app.request('POST', '/v1/blueprints/shared/entities/search', { body: { from: page.body.next } });
  expect(answer.body.entities.every(({ title }: Entity) => title !== 'Thing')).toBe(true);
});
