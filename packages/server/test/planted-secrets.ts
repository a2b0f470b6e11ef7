import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { expect } from 'vitest';
import { systemActor } from '../src/platform/actor.ts';
import { JsonText } from '../src/platform/db/json.ts';
import { createSmtpMailer } from '../src/platform/mail/mailer.ts';
import { createKnownSecrets } from '../src/platform/secrets/known-secrets.ts';
import { maskedDestination } from '../src/platform/secrets/masked-destination.ts';
import { createSecretScope } from '../src/platform/secrets/secret-scope.ts';
import { createSampler } from '../src/platform/telemetry/sampler.ts';
import { createSpanExporter } from '../src/platform/telemetry/span-exporter.ts';
import { createTracing } from '../src/platform/telemetry/tracing.ts';
import { createTestApp, operatorToken, type TestApp } from './build-test-app.ts';
import { type Canaries, createCanaries } from './canaries.ts';
import { createBlueprint, createEntity, unique } from './catalog-fixtures.ts';
import { plantInvitations } from './planted-invitations.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from './receiver.ts';
import { createSealingKeys } from './sealing-keys.ts';
import { readCookie } from './sign-in-fixtures.ts';
import { type SmtpServer, startSmtpServer } from './smtp-server.ts';

let app: TestApp;
let receiver: Receiver;
let smtp: SmtpServer;
const canaries: Canaries = createCanaries();
const logged: string[] = [];
const runIds: string[] = [];
const home = 'http://127.0.0.1:3000';
const secret: Record<string, string> = {};

/** What was planted and done, and what is left of it. */
export interface PlantedSecrets {
  readonly app: TestApp;
  readonly canaries: Canaries;
  readonly receiver: Receiver;
  readonly smtp: SmtpServer;
  readonly logged: readonly string[];
  readonly runIds: readonly string[];
  /** Answers to what was done, but for those that hand a credential out. */
  readonly answers: readonly string[];
  close(): Promise<void>;
}

/**
 * Secrets of every kind are planted, everything that uses them is done, and what is left of it is searched. Whoever is
 * called repeats what they were sent, in every way: as other servers do in their logs and error pages.
 */
export async function plantSecrets(): Promise<PlantedSecrets> {
  receiver = await startReceiver();
  receiver.answer = echo;
  smtp = await startSmtpServer();
  const known = createKnownSecrets();
  const log = pino({ level: 'trace' }, maskedDestination({ write: (line) => logged.push(line) }, known));
  const operators = {
    apiKey: canaries.plant('key of the operator', 'sk-'),
    mail: canaries.plant('password of the mail server'),
    collector: canaries.plant('header of the collector'),
  };
  for (const value of Object.values(operators)) known.keep(value);
  const smtpUrl = `smtp://post:${operators.mail}@${smtp.address}`;
  const spans = createSpanExporter({
    endpoint: `${receiver.url}/otel`,
    headers: { authorization: `Bearer ${operators.collector}` },
    serviceName: 'test',
    log,
  });
  app = await createTestApp({
    log: log as FastifyBaseLogger,
    onSecretOpened: known.note,
    mailer: createSmtpMailer({ url: smtpUrl, from: 'portolan@acme.example', log: log as FastifyBaseLogger }),
    model: { provider: 'openai-compatible', model: 'mock', baseUrl: `${receiver.url}/v1`, apiKey: operators.apiKey },
    ai: { spans },
    tracing: createTracing(spans, createSampler()),
  });
  canaries.add('client secret of the organization', app.organization.clientSecret);
  await keepSecrets();
  await runActions();
  await followWorkflows();
  await callOwnApi();
  await connectServers();
  await connectProviders();
  await receiveWebhooks();
  await sendChanges();
  await signIn();
  await encryptInputs();
  await askApprovers();
  await recordWork();
  await app.app.jobs.drain();
  await spans.close();
  return {
    app,
    canaries,
    receiver,
    smtp,
    logged,
    runIds,
    answers,
    close: async () => {
      await app.close();
      await receiver.close();
      await smtp.close();
    },
  };
}

/** Everything that a request was, as it came and in the usual encodings. */
function echo({ method, path, headers, body }: ReceivedRequest): { status: number; body: string } {
  const text = JSON.stringify({ method, path, headers, body });
  const authorization = String(headers.authorization ?? '');
  const all = {
    method,
    path,
    headers,
    body,
    text,
    url: encodeURIComponent(text),
    base64: Buffer.from(text).toString('base64'),
    hex: Buffer.from(text).toString('hex'),
    login: Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('latin1'),
    [`key ${path}`]: true,
  };
  if (path.includes('/_apis/build/builds')) {
    const builds = [
      {
        id: 7,
        status: 'completed',
        result: text,
        queueTime: '2100-01-01',
        _links: { web: { href: `https://x/?${all.login}` } },
      },
    ];
    return { status: 200, body: JSON.stringify({ value: builds, ...builds[0] }) };
  }
  const status = Number(/status-(\d+)/.exec(path)?.[1] ?? 200);
  return { status, body: /plain/.test(path) ? `it said ${text}` : JSON.stringify(all) };
}

async function keepSecrets(): Promise<void> {
  secret['TOKEN'] = canaries.plant('secret of the organization');
  secret['SIGNS'] = canaries.plant('secret with signs', 'a/"<&+ ', "?='%\\ö");
  secret['HOOK'] = canaries.plant('address without a scheme', 'hooks.slack.com/services/T000/');
  secret['HOST'] = canaries.plant('secret in a host').toLowerCase();
  secret['LOGIN'] = Buffer.from(`user:${canaries.plant('password of a login')}`).toString('base64');
  secret['GITHUB_TOKEN'] = canaries.plant('token of GitHub', 'ghp_');
  secret['GITHUB_API_URL'] = `${receiver.url}/status-403/plain`;
  secret['GITLAB_URL'] = `${receiver.url}/status-500/plain`;
  secret['shop_web'] = canaries.plant('trigger token of GitLab');
  secret['AZURE_DEVOPS_URL'] = `${receiver.url}/status-200`;
  secret['AZURE_DEVOPS_TOKEN'] = canaries.plant('token of Azure');
  secret['CLIENT_SECRET'] = app.organization.clientSecret;
  secret['API_TOKEN'] = app.organization.token;
  secret['OUR_KEY'] = canaries.plant('key of a model provider', 'sk-');
  secret['MCP_KEY'] = canaries.plant('secret in a header of a server');
  for (const [secretName, secretValue] of Object.entries(secret)) {
    const made = await app.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue } });
    expect(made.status, secretName).toBe(201);
  }
}

async function run(invocationMethod: object, more: object = {}, properties: object = {}, inputs: object = {}) {
  const identifier = unique('act');
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: inputs } };
  const created = await app.request('POST', '/v1/actions', {
    body: { identifier, trigger, invocationMethod, ...more },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const started = await app.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  runIds.push(started.body.run.id);
  return { identifier, id: started.body.run.id as string };
}

const get = async (id: string) => (await app.request('GET', `/v1/actions/runs/${id}?version=v2`)).body.run;

const templates = {
  headers: {
    authorization: 'Basic {{ .secrets.LOGIN }}',
    'x-token': 'Bearer {{ .secrets.TOKEN }}',
    'x-encoded': '{{ .secrets.SIGNS | @base64 }}',
  },
  body: { token: '{{ .secrets.TOKEN }}', signs: 'x {{ .secrets.SIGNS }} y', nested: '{{ .secrets.SIGNS | tojson }}' },
};

async function runActions(): Promise<void> {
  const hook = (path: string, more: object = {}) => ({
    type: 'WEBHOOK',
    url: `${receiver.url}/${path}?q={{ .secrets.SIGNS | @uri }}&t={{ .secrets.TOKEN }}`,
    synchronized: true,
    ...templates,
    ...more,
  });
  for (const path of ['ok', 'ok/plain', 'status-500', 'status-500/plain', 'status-302', 'status-400']) {
    await run(hook(path));
    await run(hook(path, { synchronized: false, method: 'PUT' }));
  }
  for (const url of [
    '{{ .secrets.HOOK }}',
    'https://{{ .secrets.HOOK }}\n',
    'http://{{ .secrets.HOST }}.invalid/{{ .secrets.TOKEN }}',
    'http://127.0.0.1:1/{{ .secrets.TOKEN }}',
    'http://user:{{ .secrets.TOKEN }}@127.0.0.1:1/',
    'http://{{ .secrets.TOKEN }}@[::1',
    '{{ .secrets.TOKEN }}',
    '{{ .secrets.TOKEN | tonumber }}',
    '{{ error(.secrets.TOKEN) }}',
    '{{ .secrets.TOKEN[4:24] | error }}',
    '{{ .secrets }}',
  ]) {
    await run({ type: 'WEBHOOK', url, synchronized: true, ...templates });
  }
  await run({ type: 'WEBHOOK', url: '{{ .secrets.TOKEN', synchronized: true }).catch(() => undefined);
  await run({ type: 'WEBHOOK', url: receiver.url, synchronized: true, method: '{{ .secrets.TOKEN }}' });
  await run({ type: 'KAFKA', payload: templates.body });
  const blueprint = await createBlueprint(app.request, 'thing', { properties: { text: { type: 'string' } } });
  const mapping = { identifier: 'made', title: '{{ .secrets.TOKEN }}', properties: { text: 'x{{ .secrets.SIGNS }}' } };
  await run({ type: 'UPSERT_ENTITY', blueprintIdentifier: blueprint, mapping });
  await run({ type: 'UPSERT_ENTITY', blueprintIdentifier: '{{ .secrets.TOKEN }}', mapping });
  const url = `${home}/v1/blueprints/${blueprint}/entities`;
  await run({ type: 'WEBHOOK', url, synchronized: true, body: { ...mapping, identifier: 'posted' } });
  await run({ type: 'WEBHOOK', url, synchronized: true, body: { identifier: '{{ .secrets.SIGNS }}' } });
  await run({ type: 'WEBHOOK', url: `${url}/{{ .secrets.TOKEN }}`, method: 'PUT', synchronized: true, body: {} });
  await run({ type: 'WEBHOOK', url: `${url}/{{ .secrets.TOKEN }}`, method: 'DELETE', synchronized: true });
  const headers = { authorization: 'Bearer {{ .secrets.API_TOKEN }}', 'user-agent': '{{ .secrets.TOKEN }}' };
  const posted = { ...mapping, identifier: 'posted-with-a-token' };
  await run({ type: 'WEBHOOK', url, synchronized: true, headers, body: posted });
  await run({ type: 'WEBHOOK', url: `${home}/v1/nothing/{{ .secrets.TOKEN }}`, synchronized: true });
  await runReported(hook('ok', { synchronized: false }));
  app.clock.advance(3_600_000);
  await app.app.jobs.drain();
}

/** Whoever executes a run repeats what they were sent when they report. */
async function runReported(invocationMethod: object): Promise<void> {
  const { id } = await run(invocationMethod);
  const path = `/v1/actions/runs/${id}`;
  const said = `sent ${secret['TOKEN']} and ${Buffer.from(secret['SIGNS'] as string).toString('base64')}`;
  const report = { statusLabel: said, summary: said, link: `https://ci.example.com/?t=${secret['TOKEN']}` };
  expect((await app.request('PATCH', path, { body: report })).status).toBe(200);
  expect((await app.request('POST', `${path}/response`, { body: { response: { said } } })).status).toBeLessThan(300);
  const end = { message: said, terminationStatus: 'FAILURE', statusLabel: said };
  expect((await app.request('POST', `${path}/logs`, { body: end })).status).toBeLessThan(300);
}

async function followWorkflows(): Promise<void> {
  const github = { type: 'GITHUB', org: 'acme', repo: 'shop', workflow: 'deploy.yml', workflowInputs: {} };
  await run(github);
  await run({ ...github, workflowInputs: { token: '{{ .secrets.TOKEN }}' } });
  await run({ type: 'GITLAB', groupName: 'shop', projectName: 'web', pipelineVariables: templates.body });
  const azure = { type: 'AZURE_DEVOPS', org: 'acme', webhook: 'go', payload: templates.body };
  await run({ ...azure, reportWorkflowStatus: true, project: 'shop' });
  app.clock.advance(60_000);
  await app.app.jobs.drain();
}

/** What our own API hands out once goes to whoever asked, and a run that many may read cannot ask. */
async function callOwnApi(): Promise<void> {
  const email = 'rita@example.com';
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: email, properties });
  const { id } = (await app.request('POST', '/v1/apps', { body: { name: 'rotated' } })).body.app;
  const security = { secret: '{{ .secrets.TOKEN }}' };
  const login = { clientId: app.organization.clientId, clientSecret: '{{ .secrets.CLIENT_SECRET }}' };
  for (const [path, body] of [
    ['/v1/apps', { name: 'made by a run' }],
    [`/v1/apps/${id}/rotate-secret`, {}],
    ['/v1/auth/password-links', { email }],
    ['/v1/invitations', { email: 'new@example.com' }],
    [`/v1/invitations/${email}/renew`, {}],
    ['/v1/webhooks', { identifier: unique('own'), title: 'Own', security }],
    ['/v1/auth/access_token', login],
  ] as const) {
    const ended = await get((await run({ type: 'WEBHOOK', url: `${home}${path}`, synchronized: true, body })).id);
    expect([path, ended.status, ended.response]).toEqual([path, 'FAILURE', undefined]);
  }
}

async function connectServers(): Promise<void> {
  const headers = {
    authorization: `Bearer ${canaries.plant('header of a server')}`,
    'x-key': '{{ .secrets.MCP_KEY }}',
    'x-other': canaries.plant('other header of a server'),
  };
  for (const path of ['mcp', 'mcp/status-500', 'mcp/status-401/plain', 'mcp/status-302']) {
    const identifier = unique('server').toLowerCase();
    const body = { identifier, url: `${receiver.url}/${path}`, headers };
    expect((await app.request('POST', '/v1/mcp/servers', { body })).status).toBe(201);
    keep(await app.request('POST', `/v1/mcp/servers/${identifier}/refresh`));
    keep(await app.request('POST', `/v1/mcp/servers/${identifier}/test`));
    keep(await app.request('GET', `/v1/mcp/servers/${identifier}`));
  }
  receiver.answer = (request) => answerMcp(request);
  const identifier = 'echoes';
  const body = { identifier, url: `${receiver.url}/mcp`, headers };
  expect((await app.request('POST', '/v1/mcp/servers', { body })).status).toBe(201);
  const refreshed = await app.request('POST', `/v1/mcp/servers/${identifier}/refresh`);
  expect(refreshed.body.tools).toHaveLength(1);
  const decisions = refreshed.body.tools.map(({ name, hash }: { name: string; hash: string }) => ({
    name,
    hash,
    decision: 'approve',
    readOnly: true,
  }));
  keep(await app.request('PATCH', `/v1/mcp/servers/${identifier}/tools`, { body: { decisions } }));
  for (const failing of [false, true]) {
    const params = { name: 'mcp_echoes__repeat', arguments: { failing } };
    const called = await app.request('POST', '/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers: { accept: 'application/json, text/event-stream' },
    });
    keep(called);
    expect(JSON.stringify(called.body)).toContain('******');
  }
  receiver.answer = echo;
}

/** A server of MCP that tells in its tools, results and errors what it was sent. */
function answerMcp(request: ReceivedRequest): { status: number; body: string } {
  const { id, method, params } = JSON.parse(request.body);
  const said = echo(request).body;
  const result = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': {
      tools: [
        {
          name: 'repeat',
          description: `Repeats ${request.headers['x-key']}`,
          inputSchema: { type: 'object', properties: {} },
        },
      ],
    },
    'tools/call': { content: [{ type: 'text', text: said }], isError: params?.arguments?.failing === true },
  }[method as string];
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }) };
}

async function connectProviders(): Promise<void> {
  for (const path of ['v1/status-401', 'v1/status-500', 'v1/plain', 'v1/status-302']) {
    const config = { baseUrl: `${receiver.url}/${path}`, apiKeySecretName: 'OUR_KEY', models: ['llama'] };
    const body = { provider: 'openai-compatible', config };
    keep(await app.request('POST', '/v1/llm-providers?validate_connection=true', { body }));
  }
  keep(await inject('POST', '/v1/ai/invoke', app.organization.token, { userPrompt: 'Hi' }));
  const config = { baseUrl: `${receiver.url}/v1/status-401`, apiKeySecretName: 'OUR_KEY', models: ['llama'] };
  await app.request('POST', '/v1/llm-providers', { body: { provider: 'openai-compatible', config } });
  const asked = { userPrompt: 'Hi', provider: 'openai-compatible', model: 'llama' };
  keep(await inject('POST', '/v1/ai/invoke', app.organization.token, asked));
  const url = `${home}/v1/ai/invoke`;
  await run({ type: 'WEBHOOK', url, synchronized: true, body: { userPrompt: 'Say {{ .secrets.TOKEN }}' } });
}

async function receiveWebhooks(): Promise<void> {
  const own = canaries.plant('secret of a webhook');
  for (const [name, signs] of [
    [own, own],
    ['TOKEN', secret['TOKEN'] as string],
  ] as const) {
    const security = { secret: name, signatureHeaderName: 'x-hook-token', signatureAlgorithm: 'plain' };
    const mappings = [
      { blueprint: '_team', filter: 'true', entity: { identifier: '.body.missing.x', title: '.headers' } },
    ];
    const body = { identifier: unique('hook'), title: 'Hook', enabled: true, security, mappings };
    const created = await app.request('POST', '/v1/webhooks', { body });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { pathname } = new URL(created.body.integration.url);
    const headers = { 'x-hook-token': signs, 'x-copy': `copy of ${signs}` };
    const path = `${pathname}?token=${signs}`;
    keep(await app.request('POST', path, { token: null, body: { a: 1 }, headers }));
    keep(await app.request('POST', path, { token: null, body: { a: 1 }, headers: { 'x-hook-token': 'wrong' } }));
    await app.app.jobs.drain();
    keep(await app.request('GET', `/v1/webhooks/${body.identifier}/deliveries`));
  }
}

/** Addresses of receivers hold passwords, and are shown to administrators as they were written. */
async function sendChanges(): Promise<void> {
  const password = canaries.plant('address of a changelog destination');
  for (const url of [
    `${receiver.url}/status-500/plain/${password}`,
    `http://127.0.0.1:1/${password}?key=${password}`,
  ]) {
    const made = await app.request('POST', '/v1/organization/changelog-destinations', {
      body: { type: 'WEBHOOK', url },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  await createEntity(app.request, '_team', { identifier: unique('team'), title: 'Team' });
  await app.app.jobs.drain();
}

async function signIn(): Promise<void> {
  const email = 'sina@example.com';
  await createEntity(app.request, '_user', {
    identifier: email,
    properties: { status: 'Active', port_role: 'Member' },
  });
  const link = await app.request('POST', '/v1/auth/password-links', { body: { email } });
  const token = canaries.add('password link', link.body.token);
  await plantInvitations({ app, canaries, keep });
  const password = canaries.plant('password');
  const redeem = { token, password };
  keep(
    await app.request('POST', '/v1/auth/password-links/redeem', { token: null, body: { ...redeem, password: 'x' } }),
  );
  const redeemed = await app.request('POST', '/v1/auth/password-links/redeem', { token: null, body: redeem });
  expect(redeemed.status).toBe(200);
  keep(await app.request('POST', '/v1/auth/password-links/redeem', { token: null, body: redeem }));
  const account = { email, password, organization: app.organization.id };
  keep(await app.request('POST', '/v1/auth/sign-in', { token: null, body: { ...account, password: `${password}x` } }));
  const signedIn = await app.request('POST', '/v1/auth/sign-in', { token: null, body: account });
  const cookie = readCookie(signedIn.headers['set-cookie']);
  canaries.add('session cookie', cookie.slice(cookie.indexOf('=') + 1));
  const csrf = canaries.add('CSRF token', signedIn.body.csrfToken);
  const changed = { currentPassword: password, newPassword: canaries.plant('new password') };
  const headers = { cookie, 'x-csrf-token': csrf };
  keep(
    await app.request('PUT', '/v1/auth/password', { token: null, headers, body: { ...changed, currentPassword: 'x' } }),
  );
  await app.request('PUT', '/v1/auth/password', { token: null, headers, body: changed });
  const made = await app.request('POST', '/v1/apps', { body: { name: 'theirs' } });
  canaries.add('client secret of an app', made.body.app.secret);
  const apiToken = (await app.request('POST', '/v1/users/me/tokens', { body: { name: 'scim' } })).body.accessToken;
  canaries.add('API token', apiToken);
  keep(await inject('GET', '/scim/v2/Users', apiToken));
  keep(await app.request('GET', '/v1/blueprints', { token: `${apiToken}x` }));
  canaries.add('token of the operator', operatorToken);
  canaries.add('access token', app.organization.token);
  const clientSecret = canaries.plant('client secret at the identity provider');
  for (const path of ['status-500/plain', 'plain', 'status-302']) {
    const body = { issuer: `${receiver.url}/${path}`, clientId: 'portolan', clientSecret };
    keep(await app.request('PUT', '/v1/auth/sso', { body }));
  }
}

async function encryptInputs(): Promise<void> {
  const key = canaries.plant('encrypted input');
  const token = canaries.plant('input for the holder of a key');
  const forHolder = { algorithm: 'client-side', key: createSealingKeys().pem };
  const inputs = {
    key: { type: 'string', encryption: 'aes256-gcm' },
    token: { type: 'string', encryption: forHolder },
    bag: { type: 'object', encryption: forHolder },
    who: { type: 'string', minLength: 2 },
  };
  const secrets = { key, token, bag: { token } };
  const invocationMethod = { type: 'WEBHOOK', url: `${receiver.url}/ok`, synchronized: true, body: '{{ .inputs }}' };
  const { id, identifier } = await run(invocationMethod, {}, { ...secrets, who: 'me' }, inputs);
  const again = await app.request('POST', `/v1/actions/runs/${id}/rerun`, { body: {} });
  keep(again);
  const wrong = { properties: { ...secrets, who: 'x' } };
  keep(await app.request('POST', `/v1/actions/${identifier}/runs`, { body: wrong }));
  await app.app.jobs.drain();
}

async function askApprovers(): Promise<void> {
  const approver = 'ines@example.com';
  await createEntity(app.request, '_user', {
    identifier: approver,
    properties: { status: 'Active', port_role: 'Admin' },
  });
  smtp.answer = (command) => (/^AUTH/.test(command) ? `535 not with ${command}` : undefined);
  const method = { type: 'WEBHOOK', url: `${receiver.url}/ok`, synchronized: true, ...templates };
  await run(method, { requiredApproval: true });
  smtp.answer = () => undefined;
  await run(method, { requiredApproval: true });
  const url = `${receiver.url}/status-500/plain`;
  await run(method, { requiredApproval: true, approvalNotification: { type: 'webhook', url } });
}

/** For streams and for other protocols, whose answers have no envelope. */
function inject(method: 'GET' | 'POST', url: string, token: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  return app.app.http.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

/** What a use case of any module could note of its work. */
async function recordWork(): Promise<void> {
  const opened = createSecretScope();
  const text = canaries.plant('secret that a record holds');
  opened.add(text);
  const record = { event: 'thing.happened', action: 'OTHER', resourceType: 'entity', identifier: text } as const;
  await app.app.unitOfWork({ ...systemActor(app.organization.id), opened }, async (work) => {
    work.record({
      ...record,
      context: { text },
      message: `it was ${text}`,
      before: { text },
      after: new JsonText(JSON.stringify([text])),
    });
  });
}

const answers: string[] = [];
function keep(answer: { readonly body: unknown; readonly headers: object }): void {
  answers.push(JSON.stringify([answer.body, answer.headers]));
}
