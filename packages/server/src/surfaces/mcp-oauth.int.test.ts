import { randomBytes } from 'node:crypto';
import type { Transport as LegacyTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { legacy, modern } from '../../test/mcp-official-clients.ts';
import { end, listen } from '../../test/mcp-server.ts';
import { readCookie } from '../../test/sign-in-fixtures.ts';
import { type App, buildApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { createOutgoing, type Outgoing } from '../platform/outgoing/outgoing.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: false });
const documentUrl = 'https://editor.example/client.json';
const fetched: string[] = [];
/** The document of one app is somewhere; every other address is asked for as always. */
const withDocument: Outgoing = {
  ...outgoing,
  send: async (request) => {
    fetched.push(request.url);
    if (request.url !== documentUrl) return outgoing.send(request);
    const document = { client_id: documentUrl, client_name: 'Editor', redirect_uris: [redirectUrl] };
    return { status: 200, headers: {}, body: JSON.stringify(document) };
  },
};
const redirectUrl = 'http://127.0.0.1:33418/callback';
const password = 'a long sentence nobody guesses';
let prepared: TestDatabase;
let app: App;
let address = '';
let adminToken = '';
let organization = '';

beforeAll(async () => {
  prepared = await createTestDatabase();
  app = buildApp(
    {
      masterKey: randomBytes(32).toString('base64'),
      operatorToken: 'operator',
      model: { provider: 'built-in' },
      publicUrl: () => address,
    },
    { database: prepared.database, clock: systemClock, log: pino({ level: 'silent' }), outgoing: withDocument },
  );
  const made = await app.identity.createOrganization({ name: 'Mill', model: 'blueprints' });
  organization = made.organization.id;
  address = await listen(app.http);
  adminToken = (await send('POST', '/v1/auth/access_token', made.credentials)).json['accessToken'] as string;
  const authorization = { authorization: `Bearer ${adminToken}` };
  await send(
    'POST',
    '/v1/blueprints',
    { identifier: 'service', title: 'Service', schema: { properties: {} } },
    authorization,
  );
  await send('POST', '/v1/blueprints/service/entities', { identifier: 'cart', title: 'Cart' }, authorization);
  const secret = { type: 'string', title: 'Password', encryption: 'aes256-gcm' };
  const trigger = {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { secret }, required: ['secret'] },
  };
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com/hook' };
  await send('POST', '/v1/actions', { identifier: 'make', title: 'Make', trigger, invocationMethod }, authorization);
  const ann = { identifier: 'ann@example.com', properties: { status: 'Active', port_role: 'Admin' } };
  await send('POST', '/v1/blueprints/_user/entities', ann, authorization);
  const link = await send('POST', '/v1/auth/password-links', { email: 'ann@example.com' }, authorization);
  await send('POST', '/v1/auth/password-links/redeem', { token: link.json['token'], password });
});
afterAll(async () => {
  await outgoing.close();
  await end(app.http);
  await app.close();
  await prepared.drop();
});

async function send(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  expect(json, `${method} ${path}`).toMatchObject({ ok: true });
  return { json, headers: answer.headers };
}

/** A person at a browser, who signs in and decides on the page to which an app sent the browser. */
async function decideInBrowser(authorization: URL, scopes: readonly string[]): Promise<URL> {
  const signedIn = await send('POST', '/v1/auth/sign-in', { email: 'ann@example.com', password, organization });
  const own = {
    cookie: readCookie(signedIn.headers.get('set-cookie')),
    'x-csrf-token': String(signedIn.json['csrfToken']),
  };
  const asked = await fetch(authorization, { headers: { ...own, accept: 'text/html' }, redirect: 'manual' });
  expect(asked.status).toBe(302);
  const page = new URL(String(asked.headers.get('location')), address);
  expect(page.pathname).toBe('/connect-app');
  const body = { request: page.hash.slice(1), decision: 'allow', scopes };
  return new URL(String((await send('POST', '/v1/auth/authorizations', body, own)).json['location']));
}

/** What an app keeps, as the official clients ask for it. */
function appMemory(more: object = {}) {
  const kept: Record<string, unknown> = {};
  const keeps = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  const memory = {
    asked: undefined as URL | undefined,
    redirectUrl,
    clientMetadata: { client_name: 'Official client', redirect_uris: [redirectUrl] },
    state: () => 'of the app',
    clientInformation: () => kept['client'],
    saveClientInformation: keeps('client'),
    tokens: () => kept['tokens'],
    saveTokens: keeps('tokens'),
    redirectToAuthorization: (url: URL) => {
      memory.asked = url;
    },
    saveCodeVerifier: keeps('verifier'),
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: keeps('discovery'),
    discoveryState: () => kept['discovery'],
    invalidateCredentials: () => {
      delete kept['tokens'];
    },
    ...more,
  };
  return memory;
}
// biome-ignore lint/suspicious/noExplicitAny: each generation of the client has a type of its own for the same thing
type AnyProvider = any;

const kinds = ['first generation', 'auto', 'legacy'] as const;

function build(kind: (typeof kinds)[number], memory: ReturnType<typeof appMemory>, capabilities = {}) {
  const url = new URL(`${address}/v1/mcp`);
  const authProvider = memory as AnyProvider;
  if (kind === 'first generation') {
    const client = new legacy.Client({ name: 'test', version: '1' });
    const transport = new legacy.StreamableHTTPClientTransport(url, { authProvider });
    return { client, transport, connect: () => client.connect(transport as LegacyTransport) };
  }
  const client = new modern.Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: kind }, capabilities },
  );
  const transport = new modern.StreamableHTTPClientTransport(url, { authProvider });
  return { client, transport, connect: () => client.connect(transport) };
}

/** Goes the whole way of a client that was given nothing but the address. */
async function connect(
  kind: (typeof kinds)[number],
  scopes: readonly string[],
  capabilities = {},
  memory = appMemory(),
) {
  const first = build(kind, memory, capabilities);
  await expect(first.connect()).rejects.toThrow();
  const back = await decideInBrowser(memory.asked as URL, scopes);
  expect([back.searchParams.get('iss'), back.searchParams.get('state')]).toEqual([address, 'of the app']);
  const code = back.searchParams.get('code') as string;
  if (kind === 'first generation') await first.transport.finishAuth(code);
  else
    await (first.transport as InstanceType<typeof modern.StreamableHTTPClientTransport>).finishAuth(back.searchParams);
  const { client, connect: again } = build(kind, memory, capabilities);
  await again();
  return { client, memory };
}

describe.each(kinds)('the official client, %s,', (kind) => {
  test('finds out where to ask, registers, is let in, lists and calls tools', async () => {
    const { client } = await connect(kind, ['mcp:read']);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('get_entity');
    expect(names).not.toContain('upsert_entity');
    const arguments_ = { blueprint: 'service', identifier: 'cart' };
    const { structuredContent } = await client.callTool({ name: 'get_entity', arguments: arguments_ });
    expect(structuredContent).toMatchObject({ entity: { title: 'Cart' } });
    await client.close();
  });

  test('goes on with its refresh token when its access token is refused', async () => {
    const { client, memory } = await connect(kind, ['mcp:read']);
    const before = memory.tokens() as { access_token: string };
    memory.saveTokens({ ...before, access_token: `${before.access_token.slice(0, -2)}zz` });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect((memory.tokens() as { access_token: string }).access_token).not.toBe(before.access_token);
    await client.close();
  });

  test('is refused in mid-session once the person shuts it out', async () => {
    const { client } = await connect(kind, ['mcp:read']);
    await client.listTools();
    const signedIn = await send('POST', '/v1/auth/sign-in', { email: 'ann@example.com', password, organization });
    const own = {
      cookie: readCookie(signedIn.headers.get('set-cookie')),
      'x-csrf-token': String(signedIn.json['csrfToken']),
    };
    const { apps } = (await send('GET', '/v1/auth/connected-apps', undefined, own)).json as { apps: { id: string }[] };
    for (const { id } of apps) await send('DELETE', `/v1/auth/connected-apps/${id}`, undefined, own);
    await expect(client.listTools()).rejects.toThrow();
    await client.close();
  });
});

test.each(kinds)('the official client, %s, is known by its document, without a registration', async (kind) => {
  const { client, memory } = await connect(kind, ['mcp:read'], {}, appMemory({ clientMetadataUrl: documentUrl }));
  expect(memory.asked?.searchParams.get('client_id')).toBe(documentUrl);
  expect(memory.clientInformation()).toMatchObject({ client_id: documentUrl });
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const before = memory.tokens() as { access_token: string };
  memory.saveTokens({ ...before, access_token: `${before.access_token.slice(0, -2)}zz` });
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  await client.close();
});

test('nobody but a person who is signed in makes the server fetch a document, and no address inside of it', async () => {
  const signedIn = await send('POST', '/v1/auth/sign-in', { email: 'ann@example.com', password, organization });
  const own = {
    cookie: readCookie(signedIn.headers.get('set-cookie')),
    'x-csrf-token': String(signedIn.json['csrfToken']),
  };
  fetched.length = 0;
  for (const inside of ['https://127.0.0.1:1/client.json', 'https://169.254.169.254/latest/meta-data']) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: inside,
      redirect_uri: redirectUrl,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const asked = await fetch(`${address}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([asked.status, fetched]).toEqual([302, []]);
    const described = await fetch(`${address}/v1/auth/authorizations/describe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...own },
      body: JSON.stringify({ request: query.toString() }),
    });
    expect(described.status).toBe(422);
    expect(JSON.stringify(await described.json())).toContain('client_id');
    expect(fetched.splice(0)).toEqual([inside]);
  }
});

test('the client takes no code from a server that it did not ask', async () => {
  const memory = appMemory();
  const { transport, connect: begin } = build('auto', memory);
  await expect(begin()).rejects.toThrow();
  const back = await decideInBrowser(memory.asked as URL, ['mcp:read']);
  back.searchParams.set('iss', 'https://evil.example');
  const official = transport as InstanceType<typeof modern.StreamableHTTPClientTransport>;
  await expect(official.finishAuth(back.searchParams)).rejects.toThrow(/iss/i);
  expect(memory.tokens()).toBeUndefined();
});

// the first generation refreshes its token in answer to the challenge, and gives up
test.each(['auto', 'legacy'] as const)('the client asks its person for more when a tool needs it, %s', async (kind) => {
  const { client, memory } = await connect(kind, ['mcp:read']);
  memory.asked = undefined;
  const call = { name: 'delete_entity', arguments: { blueprint: 'service', identifier: 'cart' } };
  await expect(client.callTool(call)).rejects.toThrow();
  expect((memory.asked as URL | undefined)?.searchParams.get('scope')).toBe('mcp:read mcp:build');
  await client.close();
});

describe('a call that needs a person', () => {
  const call = { name: 'run_make', arguments: {} };

  test('asks to open the draft where the client can, and answers what became of it, with one draft', async () => {
    const { client } = await connect('auto', ['mcp:read', 'mcp:act'], { elicitation: { url: {} } });
    const asked: { mode?: string; url?: string }[] = [];
    (client as InstanceType<typeof modern.Client>).setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params as { mode?: string; url?: string });
      return { action: 'accept' };
    });
    const drafts = async (): Promise<number> => {
      const arguments_ = { status: 'DRAFT', limit: 100 };
      const { structuredContent } = await client.callTool({ name: 'list_action_runs', arguments: arguments_ });
      return (structuredContent as { runs: unknown[] }).runs.length;
    };
    const before = await drafts();
    const { structuredContent } = await client.callTool(call);
    expect(asked).toMatchObject([{ mode: 'url', url: expect.stringContaining(`${address}/runs/`) }]);
    expect(structuredContent).toMatchObject({ mode: 'draft', url: asked[0]?.url });
    expect(await drafts()).toBe(before + 1);
    await client.close();
  });

  test.each(['auto', 'legacy', 'first generation'] as const)(
    'gives the link to a client that cannot, %s',
    async (kind) => {
      const { client } = await connect(kind, ['mcp:read', 'mcp:act']);
      const { structuredContent } = await client.callTool(call);
      expect(structuredContent).toMatchObject({ mode: 'draft', url: expect.stringContaining(`${address}/runs/`) });
      await client.close();
    },
  );
});
