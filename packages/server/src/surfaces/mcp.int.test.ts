import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Transport as LegacyTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { legacy, modern } from '../../test/mcp-official-clients.ts';
import { end, listen } from '../../test/mcp-server.ts';
import { type App, buildApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { createOutgoing } from '../platform/outgoing/outgoing.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: false });
let prepared: TestDatabase;
let app: App;
let client: InstanceType<typeof modern.Client>;
let address: string;
let token: string;
let runId: string;
let planId: string;

beforeAll(async () => {
  prepared = await createTestDatabase();
  app = buildApp(
    {
      masterKey: randomBytes(32).toString('base64'),
      operatorToken: 'operator',
      model: { provider: 'built-in' },
      publicUrl: () => 'http://localhost',
      docsFolder: fileURLToPath(new URL('../../../../docs', import.meta.url)),
    },
    { database: prepared.database, clock: systemClock, log: pino({ level: 'silent' }), outgoing },
  );
  const { credentials } = await app.identity.createOrganization({ name: 'Mill', model: 'blueprints' });
  address = await listen(app.http);
  token = `Bearer ${(await post('/v1/auth/access_token', credentials))['accessToken']}`;
  await post('/v1/blueprints', blueprint);
  await post('/v1/blueprints/service/entities', { identifier: 'cart', title: 'Cart', properties: { language: 'Go' } });
  await seedOrganization();
  client = new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: token };
  await client.connect(
    new modern.StreamableHTTPClientTransport(new URL(`${address}/v1/mcp`), { requestInit: { headers } }),
  );
});

afterAll(async () => {
  await outgoing.close();
  await client.close();
  await end(app.http);
  await app.close();
  await prepared.drop();
});

const blueprint = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { language: { type: 'string', title: 'Language' } }, required: [] },
};

/** Data that the tools outside the catalog read. */
async function seedOrganization(): Promise<void> {
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com/hook', synchronized: false };
  const manual = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  await post('/v1/actions', { identifier: 'make', trigger: manual, invocationMethod, requiredApproval: true });
  const event = { type: 'ENTITY_UPDATED', blueprintIdentifier: 'service' };
  await post('/v1/actions', { identifier: 'watch', trigger: { type: 'automation', event }, invocationMethod });
  const { run } = await post('/v1/actions/make/runs', { properties: {} });
  runId = (run as { id: string }).id;
  await post('/v1/integration', { installationId: 'github', installationAppType: 'github' });
  await post('/v1/sources', {
    type: 'gitea',
    identifier: 'git',
    settings: { url: 'http://127.0.0.1:9' },
    secrets: { token: 'a token' },
    isPaused: true,
  });
  const { sync } = await post('/v1/sources/git/syncs', { mode: 'plan' });
  planId = (sync as { id: string }).id;
  await post('/v1/teams', { name: 'Payments' });
  const ann = {
    identifier: 'ann@example.com',
    title: 'Ann Lee',
    properties: { status: 'Active', port_role: 'Member' },
  };
  await post('/v1/blueprints/_user/entities', ann);
  const list = { type: 'array' };
  const promptProperties = { description: text, template: text, arguments: list };
  await post('/v1/blueprints', { identifier: 'prompt', title: 'Prompt', schema: { properties: promptProperties } });
  const skillProperties = { description: text, instructions: text, references: list, assets: list };
  await post('/v1/blueprints', { identifier: 'skill', title: 'Skill', schema: { properties: skillProperties } });
  await post('/v1/blueprints/prompt/entities', {
    identifier: 'announce',
    properties: {
      description: 'Announces a release',
      template: 'Announce {{ version }} to {{everybody}}.',
      arguments: [{ name: 'version', required: true }],
    },
  });
  await post('/v1/blueprints/skill/entities', {
    identifier: 'release',
    properties: { instructions: 'Follow the list.', references: [{ path: 'checklist.md', content: '- tag' }] },
  });
}

async function post(path: string, body: object) {
  return send('POST', path, body);
}

async function send(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  expect(json).toMatchObject({ ok: true });
  return json;
}

async function call(name: string, given: Record<string, unknown> = {}) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  return { isError: isError ?? false, content: structuredContent as Record<string, unknown> };
}

const text = { type: 'string' };
const quality = { blueprint: 'library', scorecard: 'quality' };

/** Arguments with which each tool succeeds, ordered so that each finds the data it needs. */
const calls: Record<string, Record<string, unknown>> = {
  upsert_blueprint: { blueprint: { ...blueprint, identifier: 'library' } },
  update_blueprint_permissions: { identifier: 'library', permissions: { entities: { read: { roles: ['Member'] } } } },
  get_blueprint_permissions: { identifier: 'library' },
  search_knowledge_sources: { query: 'connect an MCP client' },
  upsert_entity: { blueprint: 'library', entity: { identifier: 'left-pad', properties: { language: 'JS' } } },
  upsert_scorecard: { blueprint: 'library', scorecard: { identifier: 'quality', title: 'Quality', rules: [] } },
  get_scorecard: { blueprint: 'library', identifier: 'quality' },
  list_scorecards: {},
  upsert_campaign: {
    campaign: {
      title: 'Gold',
      blueprint: 'library',
      scorecard: 'quality',
      target: { level: 'Gold' },
      dueDate: '2027-01-31',
    },
  },
  get_campaign: { blueprint: 'library' },
  list_campaigns: {},
  exempt_entities: { ...quality, entities: ['left-pad'], reason: 'Read only', until: '2027-01-31' },
  list_exemptions: quality,
  end_exemption: {},
  delete_campaign: {},
  upsert_action: {
    action: {
      identifier: 'restart',
      title: 'Restart',
      trigger: {
        type: 'self-service',
        operation: 'DAY-2',
        blueprintIdentifier: 'service',
        userInputs: { properties: {} },
      },
      invocationMethod: { type: 'WEBHOOK', url: 'https://example.com/restart' },
    },
  },
  update_action_permissions: { identifier: 'restart', permissions: { execute: { roles: ['Member'] } } },
  get_action: { identifier: 'restart' },
  get_action_permissions: { identifier: 'restart' },
  list_actions: { triggerType: 'self-service' },
  list_action_runs: { action: 'restart' },
  upsert_page: { page: { identifier: 'overview', title: 'Overview', type: 'dashboard', widgets: [] } },
  update_page_permissions: { identifier: 'overview', permissions: { read: { roles: ['Member'] } } },
  get_page: { identifier: 'overview' },
  get_page_permissions: { identifier: 'overview' },
  list_pages: {},
  list_integrations: {},
  get_integration: { identifier: 'github' },
  list_source_types: { query: 'git' },
  check_source: { source: 'git' },
  plan_source_run: { source: 'git' },
  get_integration_sync_metrics: { identifier: 'github' },
  get_integration_event_logs: { identifier: 'github' },
  get_integration_kinds_with_examples: { identifier: 'github' },
  test_integration_mapping: {
    mapping: {
      kind: 'repository',
      selector: { query: 'true' },
      port: {
        entity: { mappings: { identifier: '.name', blueprint: '"service"', properties: { language: '.lang' } } },
      },
    },
    examples: [{ name: 'till', lang: 'Go' }],
  },
  test_automation: { identifier: 'watch', event: { action: 'UPDATE', resourceType: 'entity', context: {} } },
  run_make: {},
  list_users: {},
  list_teams: {},
  get_user: { email: 'ann@example.com' },
  get_team: { name: 'Payments' },
  search_audit_log: { blueprint: 'service' },
  list_skills: {},
  load_skill: { name: 'release', resource: 'checklist.md' },
  count_entities: { blueprint: 'service' },
  get_figures: { blueprint: 'service', by: { property: 'language' } },
  describe_user_details: {},
  get_blueprint: { identifier: 'service' },
  get_entities_by_identifiers: { blueprint: 'service', identifiers: ['cart'] },
  get_entity: { blueprint: 'service', identifier: 'cart' },
  list_blueprints: {},
  list_entities: { blueprint: 'service' },
  search_entities: { blueprint: 'service', text: 'car' },
  track_action_run: {},
  upsert_workflow: {
    workflow: {
      identifier: 'greet',
      nodes: [
        { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { name: text } } } },
        { identifier: 'greeting', config: { type: 'TRANSFORM', expression: '"Hello " + .outputs.trigger.name' } },
      ],
      connections: [{ sourceIdentifier: 'form', targetIdentifier: 'greeting' }],
    },
  },
  get_workflow: { identifier: 'greet' },
  list_workflows: {},
  list_self_service_triggers: {},
  trigger_run: { workflowIdentifier: 'greet', inputs: { name: 'Ann' } },
  get_workflow_run: {},
  explain_run: {},
  propose_workflow: {
    goal: 'Say goodbye',
    workflow: {
      identifier: 'part',
      nodes: [
        { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
        { identifier: 'words', config: { type: 'TRANSFORM', expression: '"Goodbye"' } },
      ],
      connections: [{ sourceIdentifier: 'form', targetIdentifier: 'words' }],
    },
  },
  delete_workflow: { identifier: 'greet' },
  delete_page: { identifier: 'overview' },
  delete_action: { identifier: 'restart' },
  delete_scorecard: { blueprint: 'library', identifier: 'quality' },
  delete_entity: { blueprint: 'library', identifier: 'left-pad' },
  delete_blueprint: { identifier: 'library' },
};

/** The official clients and their modes. */
const clients = ['sdk of the first generation', 'auto', 'legacy'] as const;

async function connectClient(kind: (typeof clients)[number]) {
  const url = new URL(`${address}/v1/mcp`);
  const init = { requestInit: { headers: { authorization: token } } };
  if (kind === 'sdk of the first generation') {
    const made = new legacy.Client({ name: 'test', version: '1' });
    await made.connect(new legacy.StreamableHTTPClientTransport(url, init) as LegacyTransport);
    return made;
  }
  const made = new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: kind } });
  await made.connect(new modern.StreamableHTTPClientTransport(url, init));
  return made;
}

describe.each(clients)('the official client, %s,', (kind) => {
  test('lists every tool of the product and is answered by each', async () => {
    const official = await connectClient(kind);
    const { tools } = await official.listTools();
    const names = tools.map(({ name }) => name);
    // and the one action that the caller may run
    expect(names).toEqual([...app.tools.tools.map(({ declaration }) => declaration.name), 'run_make'].sort());
    expect(Object.keys(calls).sort()).toEqual(names);
    calls['track_action_run'] = { runId };
    calls['plan_source_run'] = { source: 'git', sync: planId };
    for (const [name, given] of Object.entries(calls)) {
      const { isError = false, structuredContent } = await official.callTool({ name, arguments: given });
      expect({ name, isError, structuredContent }).toMatchObject({ name, isError: false });
      if (name === 'upsert_campaign') {
        const { id } = (structuredContent as { campaign: { id: string } }).campaign;
        for (const each of ['get_campaign', 'delete_campaign']) Object.assign(calls[each] ?? {}, { id });
      }
      if (name === 'trigger_run') {
        const started = { runId: (structuredContent as { runId: string }).runId };
        for (const each of ['get_workflow_run', 'explain_run']) Object.assign(calls[each] ?? {}, started);
      }
      if (name === 'exempt_entities') {
        const { exemptions } = structuredContent as { exemptions: { id: string }[] };
        Object.assign(calls['end_exemption'] ?? {}, { ...quality, id: exemptions[0]?.id });
      }
    }
    await official.close();
  });

  test('lists and gets prompts', async () => {
    const official = await connectClient(kind);
    const { prompts } = await official.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['troubleshoot_integration', 'announce']);
    const values = { name: 'announce', arguments: { version: '{{secret}}' } };
    const got = await official.getPrompt(values);
    expect(got.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Announce {{secret}} to {{everybody}}.' } },
    ]);
    await expect(official.getPrompt({ name: 'announce' })).rejects.toMatchObject({ code: -32602 });
    await expect(official.getPrompt({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
    await official.close();
  });
});

test('whoever may not read them sees neither prompts nor skills of the organization', async () => {
  await send('PATCH', '/v1/blueprints/prompt/permissions', { entities: { read: { roles: ['Admin'] } } });
  const { accessToken } = await post('/v1/users/me/tokens', { name: 'narrow', scopes: ['read:blueprints'] });
  const rpc = async (method: string, params = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
    return (await fetch(`${address}/v1/mcp`, { method: 'POST', headers, body })).json();
  };
  expect(await rpc('prompts/list')).toMatchObject({ result: { prompts: [] } });
  expect(await rpc('prompts/get', { name: 'announce' })).toMatchObject({ error: { code: -32602 } });
});

test('a refused client is told where it finds out how to be let in', async () => {
  for (const path of ['/v1/mcp', '/mcp']) {
    const refused = await fetch(`${address}${path}`, { method: 'POST' });
    expect(refused.status).toBe(401);
    const named = /resource_metadata="http:\/\/localhost(\/[^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '');
    const metadata = await fetch(`${address}${named?.[1]}`);
    expect(await metadata.json()).toMatchObject({
      resource: `http://localhost${path}`,
      bearer_methods_supported: ['header'],
    });
  }
  const headers = { authorization: token, 'content-type': 'application/json' };
  const let_ = await fetch(`${address}/mcp`, { method: 'POST', headers, body: '{}' });
  expect(let_.headers.get('www-authenticate')).toBeNull();
});

test('a tool gives what the API gives', async () => {
  const { content } = await call('get_entity', { blueprint: 'service', identifier: 'cart' });
  const answer = await fetch(`${address}/v1/blueprints/service/entities/cart`, { headers: { authorization: token } });
  expect(content['entity']).toEqual(((await answer.json()) as { entity: object }).entity);
});

test('a tool refuses in the words of the API', async () => {
  expect(await call('get_entity', { blueprint: 'service', identifier: 'nope' })).toMatchObject({
    isError: true,
    content: { error: 'not_found' },
  });
});
