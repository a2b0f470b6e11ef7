import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../../test/assistant-harness.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';

let harness: AssistantHarness;
let organization: TestOrganization;
let own: MockModelServer;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  own = await startMockModelServer();
  organization = await harness.organization();
  harness.model.respondWith(() => ({ text: 'The operator’s.' }));
  own.respondWith(() => ({ text: 'Our own.' }));
});
afterEach(() => own.close());

const path = '/v1/llm-providers';
const key = 'sk-our-own-key-123456';

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
async function call(method: string, at: string, body?: unknown): Promise<{ status: number; body: any }> {
  const answer = await organization.call(method, at, body);
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function keepSecret(secretName = 'OUR_KEY'): Promise<void> {
  expect((await call('POST', '/v1/organization/secrets', { secretName, secretValue: key })).status).toBe(201);
}

const compatible = (more: object = {}) => ({
  provider: 'openai-compatible',
  config: { baseUrl: own.url, apiKeySecretName: 'OUR_KEY', models: ['llama'] },
  ...more,
});

async function ask(body: object = {}) {
  const events = await readEvents(await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'Hi', ...body }));
  const id = events[0]?.data as string;
  const entity = (await call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`)).body.entity;
  const result = (await call('GET', `/v1/ai/invoke/${id}`)).body.result;
  return { events, properties: entity.properties, result };
}

test('names secrets only for whoever may have them sent', async () => {
  await keepSecret();
  const scopes = ['create:llm-providers', 'update:llm-providers'];
  const made = await call('POST', '/v1/users/me/tokens', { name: 'few', scopes });
  const sendAs = async (method: string, at: string, body: object) => {
    const answer = await send(harness.url, made.body.accessToken, method, at, body);
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  const refused = [403, 'insufficient_scope'];
  expect(await sendAs('POST', path, compatible())).toEqual(refused);
  expect((await call('POST', path, compatible())).status).toBe(201);
  const at = `${path}/openai-compatible`;
  expect(
    await sendAs('PUT', at, compatible({ config: { ...compatible().config, baseUrl: 'https://x.example' } })),
  ).toEqual(refused);
  expect(await sendAs('PUT', at, { enabled: false })).toEqual([200, undefined]);
});

test('a model that repeats its key, in what it says or calls, is masked wherever that is kept or shown', async () => {
  await keepSecret();
  expect((await call('POST', path, compatible())).status).toBe(201);
  const repeating = { name: 'list_blueprints', arguments: { note: `the key is ${key}` } };
  own.respondWith((_request, index) =>
    index === 0 ? { text: [...`I was given ${key}. `], calls: [repeating] } : { text: `Once more: ${key}` },
  );
  const asked = await ask({ provider: 'openai-compatible', model: 'llama' });
  expect(JSON.stringify(asked.events)).toContain('I was given ******');
  expect(JSON.stringify(asked)).not.toContain(key);
  const rows = await harness.database.rows(
    sql`select events::text from invocation_events where org_id = ${organization.id}`,
  );
  expect(JSON.stringify(rows)).not.toContain(key);
});

describe('without one of their own, an organization', () => {
  test('has the models of the operator, under the name that clients know', async () => {
    expect((await call('GET', path)).body.result).toEqual([
      {
        provider: 'port',
        enabled: true,
        effectiveModels: { mock: { enabled: true }, 'mock-large': { enabled: true } },
      },
    ]);
    expect((await call('GET', `${path}/defaults`)).body.result).toEqual({ provider: 'port', model: 'mock' });
    expect((await call('GET', `${path}/openai`)).body).toMatchObject({ error: 'LLMProviderNotFoundError' });
  });

  test('may switch single ones off, and all of them', async () => {
    const put = (body: object) => call('PUT', `${path}/port`, body);
    expect((await put({ overrides: { models: { 'mock-large': { enabled: false } } } })).status).toBe(200);
    expect((await ask({ provider: 'port', model: 'mock-large' })).properties.model).toBe('mock');
    expect((await put({ enabled: false })).status).toBe(200);
    const refused = await call('POST', '/v1/ai/invoke', { userPrompt: 'Hi' });
    expect([refused.status, refused.body.error]).toEqual([400, 'LLMProviderModelNotEnabledError']);
    expect((await call('GET', '/v1/quota/ai-invocations')).body.monthlyQuotaUsage).toMatchObject({
      remainingQuota: 19_999,
    });
    expect((await put({ overrides: { models: { 'gpt-99': { enabled: true } } } })).body.error).toBe(
      'LLMProviderInvalidConfigError',
    );
    expect((await call('DELETE', `${path}/port`)).status).toBe(400);
  });
});

describe('a provider of the organization', () => {
  test('answers whoever names it, with its key, and nobody is shown the key', async () => {
    await keepSecret();
    const created = await call('POST', path, compatible());
    expect([created.status, created.body.result.effectiveModels]).toEqual([201, { llama: { enabled: true } }]);

    const asked = await ask({ provider: 'openai-compatible', model: 'llama' });
    expect(asked.properties).toMatchObject({ provider: 'openai-compatible', model: 'llama', response: 'Our own.' });
    expect(own.requests[0]?.headers['authorization']).toBe(`Bearer ${key}`);
    expect((await ask()).properties.response).toBe('The operator’s.');

    const rows = await harness.database.rows<{ text: string }>(sql`
      select p::text as text from llm_providers p where p.org_id = ${organization.id}
      union all select j::text from journal j where j.org_id = ${organization.id}`);
    const everything = JSON.stringify([created.body, (await call('GET', path)).body, rows, asked]);
    expect(everything).toContain('OUR_KEY');
    expect(everything).not.toContain(key);
    const { audits } = (await call('GET', '/v1/audit-log?resources=llm-provider')).body;
    expect(audits[0]).toMatchObject({
      action: 'CREATE',
      diff: { after: { config: { baseUrl: new URL(own.url).origin } } },
    });
  });

  test.each([
    ['openai', { apiKeySecretName: 'OUR_KEY' }, 'gpt-5'],
    ['anthropic', { apiKeySecretName: 'OUR_KEY' }, 'claude-sonnet-4-20250514'],
    ['google', { apiKeySecretName: 'OUR_KEY' }, 'gemini-2.5-pro'],
    ['azure-openai', { apiKeySecretName: 'OUR_KEY', resourceName: 'ours', deploymentId: 'prod' }, 'prod'],
    [
      'bedrock',
      { accessKeyIdSecretName: 'OUR_KEY', secretAccessKeySecretName: 'OUR_KEY', region: 'eu-west-1' },
      'claude-sonnet-4-20250514',
    ],
  ])('of kind %s is reached where it is, also for a test of the connection', async (provider, config, model) => {
    await keepSecret();
    const body = { provider, config: { ...config, baseUrl: own.url } };
    expect(await call('POST', `${path}?validate_connection=true`, body)).toMatchObject({ status: 201 });
    expect(own.requests.length).toBeGreaterThan(0);
    const { properties } = await ask({ provider, model });
    expect(properties).toMatchObject({ provider, response: 'Our own.', status: 'Completed' });
    expect(harness.model.requests.filter(({ headers }) => JSON.stringify(headers).includes(key))).toEqual([]);
  });

  test('is not stored if a model does not pass the test', async () => {
    await keepSecret();
    own.respondWith(({ body }) => (body.model === 'broken' ? { status: 401 } : { text: 'OK' }));
    const body = compatible({ config: { baseUrl: own.url, models: ['llama', 'broken'] } });
    const refused = await call('POST', `${path}?validate_connection=true`, body);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: 'LLMProviderModelTestError',
        details: { testedModels: { llama: { isValid: true }, broken: { isValid: false } } },
      },
    });
    expect((await call('GET', `${path}/openai-compatible`)).status).toBe(404);
    const off = { ...body, overrides: { models: { broken: { enabled: false } } } };
    expect((await call('POST', `${path}?validate_connection=true`, off)).status).toBe(201);
    // connection tests create no invocations
    expect((await call('GET', '/v1/ai/invocations')).body.invocations).toEqual([]);
  });

  test('is the default where it was made that, until it goes', async () => {
    await keepSecret();
    const defaults = { provider: 'openai-compatible', model: 'llama' };
    expect((await call('PUT', `${path}/defaults`, defaults)).body.error).toBe('LLMProviderNotFoundError');
    await call('POST', path, compatible());
    expect((await call('PUT', `${path}/defaults`, { ...defaults, model: 'qwen' })).body.error).toBe(
      'LLMProviderModelNotEnabledError',
    );
    expect((await call('PUT', `${path}/defaults`, defaults)).status).toBe(200);
    expect((await ask()).properties.response).toBe('Our own.');
    const gone = await call('DELETE', `${path}/openai-compatible`);
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect((await ask()).properties.response).toBe('The operator’s.');
    expect((await call('DELETE', `${path}/openai-compatible`)).status).toBe(404);
  });

  test('is changed as a whole, and keeps its configuration where none is sent', async () => {
    await keepSecret();
    await call('POST', path, compatible());
    const put = (body: object) => call('PUT', `${path}/openai-compatible`, body);
    expect((await put({ enabled: false })).body.result).toMatchObject({
      enabled: false,
      config: compatible().config,
    });
    expect((await ask({ model: 'llama' })).properties.response).toBe('The operator’s.');
    expect((await put({ provider: 'openai', enabled: true })).body.error).toBe('invalid_request');
    expect((await call('PUT', `${path}/anthropic`, {})).body.error).toBe('LLMProviderNotFoundError');
    expect((await call('POST', path, compatible())).body.error).toBe('identifier_taken');
  });

  test('whose secret is gone fails the run with a sentence that names it', async () => {
    await keepSecret();
    await call('POST', path, compatible());
    await call('DELETE', '/v1/organization/secrets/OUR_KEY');
    const { properties, events } = await ask({ model: 'llama' });
    expect(properties.error).toContain('OUR_KEY');
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
  });

  test('that fails is not replaced by the operator’s', async () => {
    await keepSecret();
    own.respondWith(() => ({ status: 401 }));
    await call('POST', path, compatible());
    const asked = harness.model.requests.length;
    const { properties } = await ask({ model: 'llama' });
    expect(properties).toMatchObject({ status: 'Failed', provider: 'openai-compatible' });
    expect(JSON.stringify(properties)).not.toContain(key);
    expect(harness.model.requests.length).toBe(asked);
  });
});

describe('what does not fit is refused with its path:', () => {
  test.each<[unknown, string, string]>([
    [{ provider: 'nobody' }, 'invalid_request', '/provider'],
    [{ provider: 'port' }, 'invalid_request', '/provider'],
    [{ provider: 'openai', enabled: 'yes', config: {} }, 'invalid_request', '/enabled'],
    [{ provider: 'openai', extra: 1 }, 'invalid_request', '/extra'],
    [[], 'invalid_request', ''],
    [{ provider: 'openai' }, 'LLMProviderInvalidConfigError', '/config/apiKeySecretName'],
    [{ provider: 'openai', config: 'x' }, 'LLMProviderInvalidConfigError', '/config'],
    [{ provider: 'openai', config: { apiKey: 'sk-1' } }, 'LLMProviderInvalidConfigError', '/config/apiKeySecretName'],
    [
      { provider: 'openai', config: { apiKeySecretName: 'NOT_THERE' } },
      'LLMProviderInvalidConfigError',
      '/config/apiKeySecretName',
    ],
    [
      {
        provider: 'azure-openai',
        config: { apiKeySecretName: 'OUR_KEY', resourceName: 'a.evil.com/', deploymentId: 'x' },
      },
      'LLMProviderInvalidConfigError',
      '/config/resourceName',
    ],
    [
      {
        provider: 'bedrock',
        config: { accessKeyIdSecretName: 'OUR_KEY', secretAccessKeySecretName: 'OUR_KEY', region: 'evil.com#' },
      },
      'LLMProviderInvalidConfigError',
      '/config/region',
    ],
    [
      { provider: 'openai-compatible', config: { baseUrl: 'http://me:pass@example.com', models: ['x'] } },
      'LLMProviderInvalidConfigError',
      '/config/baseUrl',
    ],
    [
      { provider: 'openai-compatible', config: { baseUrl: 'file:///etc/passwd', models: ['x'] } },
      'LLMProviderInvalidConfigError',
      '/config/baseUrl',
    ],
    [
      { provider: 'openai-compatible', config: { baseUrl: 'http://example.com', models: ['a b'] } },
      'LLMProviderInvalidConfigError',
      '/config/models/0',
    ],
    [
      { provider: 'openai', config: {}, overrides: { models: { '../x y': {} } } },
      'invalid_request',
      '/overrides/models/..~1x y',
    ],
  ])('%j', async (body, code, at) => {
    await keepSecret();
    const answer = await call('POST', path, body);
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.details.map((issue: { path: string }) => issue.path)).toContain(at);
    expect((await call('GET', path)).body.result).toHaveLength(1);
  });
});

test('members read, and only administrators change, before their body is looked at', async () => {
  await keepSecret();
  await call('POST', path, compatible());
  const member = await organization.member();
  const as = (method: string, at: string, body?: unknown) => send(harness.url, member, method, at, body);
  expect((await as('GET', `${path}/openai-compatible`)).status).toBe(200);
  for (const [method, at] of [
    ['POST', path],
    ['PUT', `${path}/openai-compatible`],
    ['PUT', `${path}/port`],
    ['DELETE', `${path}/openai-compatible`],
    ['PUT', `${path}/defaults`],
  ] as const) {
    const refused = await as(method, at, method === 'DELETE' ? undefined : { not: 'valid' });
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: 'llm_provider_manage_forbidden' }]);
  }
  const other = await harness.organization();
  expect((await other.call('GET', `${path}/openai-compatible`)).status).toBe(404);
  expect((await other.call('DELETE', `${path}/openai-compatible`)).status).toBe(404);
  expect((await call('GET', `${path}/openai-compatible`)).status).toBe(200);
});

test('two who connect it at once: one is told', async () => {
  await keepSecret();
  const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, compatible())));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const puts = await Promise.all([1, 2, 3].map(() => call('PUT', `${path}/port`, { enabled: true })));
  expect(puts.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(puts.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
});

describe('an address that people choose', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ allowsPrivateNetwork: false });
  });
  afterAll(() => app.close());

  test.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://169.254.169.254', 'http://localhost:8080'])(
    'is never %s',
    async (baseUrl) => {
      const body = { provider: 'openai-compatible', config: { baseUrl, models: ['x'] } };
      const refused = await app.request('POST', `${path}?validate_connection=true`, { body });
      expect(refused.body).toMatchObject({
        error: 'LLMProviderModelTestError',
        details: { testedModels: { x: { message: expect.stringContaining('not on the public internet') } } },
      });
    },
  );

  test('is not reached by a run either', async () => {
    const body = { provider: 'openai-compatible', config: { baseUrl: own.url, models: ['x'] } };
    expect((await app.request('POST', path, { body })).status).toBe(201);
    const headers = { prefer: 'respond-async' };
    const asked = await app.request('POST', '/v1/ai/invoke', { body: { userPrompt: 'Hi', model: 'x' }, headers });
    const read = async () =>
      (await app.request('GET', `/v1/ai/invoke/${asked.body.invocation.identifier}`)).body.result;
    await expect.poll(read, { timeout: 10_000 }).toMatchObject({ status: 'Failed', error: 'llm_provider_refused' });
    expect(own.requests).toEqual([]);
    await app.request('DELETE', `${path}/openai-compatible`);
  });
});

test.each(['POST /v1/ai/entities-auto-discovery'])('%s says that it is not built', async (operation) => {
  const [method = '', at = ''] = operation.split(' ');
  const answer = await call(method, at, method === 'GET' ? undefined : {});
  expect([answer.status, answer.body.error]).toEqual([501, 'not_implemented']);
});
