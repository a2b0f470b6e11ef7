import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTestApp, type Request, type TestApp, type TestOrganization } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';
import { readCookie } from './sign-in-fixtures.ts';

export const publicUrl = 'http://127.0.0.1:3000';
export const resource = `${publicUrl}/v1/mcp`;
export const redirectUri = 'https://app.example/callback';
const password = 'a long sentence nobody guesses';

/** An answer of the authorization server, which speaks the words of OAuth. */
export interface OauthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly body: any;
}

/** A browser of a person, and what an app does, in one organization. */
export interface ConnectingApp {
  readonly clientId: string;
  readonly verifier: string;
  /** The query of `/oauth/authorize`; null leaves a parameter out. */
  query(changes?: Readonly<Record<string, string | null>>): string;
  decide(request: string, body?: object): Promise<OauthAnswer>;
  /** Lets the app in and answers its code. */
  letIn(scopes: readonly string[], days?: number): Promise<string>;
  exchange(form: Readonly<Record<string, string | null>>): Promise<OauthAnswer>;
  /** Lets the app in and answers its tokens. */
  connect(scopes: readonly string[], days?: number): Promise<{ access_token: string; refresh_token: string }>;
  refresh(token: string, changes?: Readonly<Record<string, string | null>>): Promise<OauthAnswer>;
}

export interface Browser {
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
  send(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<OauthAnswer>;
}

/** The administrator with a token of now, for tests in which days go by. */
export async function freshAdmin({ clientId, clientSecret, request }: TestOrganization): Promise<Request> {
  const made = await request('POST', '/v1/auth/access_token', { token: null, body: { clientId, clientSecret } });
  const token = made.body.accessToken as string;
  return (method, path, options) => request(method, path, { token, ...options });
}

/** Makes a user who is signed in. */
export async function signedInBrowser(
  app: TestApp,
  email: string,
  role: 'Admin' | 'Member',
  organization: TestOrganization = app.organization,
): Promise<Browser> {
  const admin = await freshAdmin(organization);
  const properties = { status: 'Active', port_role: role };
  await createEntity(admin, '_user', { identifier: email, properties });
  const made = await admin('POST', '/v1/auth/password-links', { body: { email } });
  const redeemed = await admin('POST', '/v1/auth/password-links/redeem', {
    token: null,
    body: { token: made.body.token, password },
  });
  expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(200);
  const headers = {
    cookie: readCookie(redeemed.headers['set-cookie']),
    'x-csrf-token': redeemed.body.csrfToken as string,
  };
  const send: Browser['send'] = (method, path, body, more = {}) =>
    ask(app, method, path, { body, headers: { ...headers, ...more } });
  return { email, headers, send };
}

interface Asked {
  readonly body?: object | undefined;
  readonly form?: Readonly<Record<string, string | null>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks past the envelope of the API, which OAuth does not have. */
export async function ask(
  { app }: TestApp,
  method: string,
  path: string,
  { body, form, headers = {} }: Asked = {},
): Promise<OauthAnswer> {
  const payload = form ? new URLSearchParams(given(form)).toString() : body && JSON.stringify(body);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const answer = await app.http.inject({
    method: method as 'GET',
    url: path,
    headers: { ...(payload === undefined ? {} : { 'content-type': type }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body };
}

function given(values: Readonly<Record<string, string | null>>): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]));
}

/** Registers an app and gives it the browser of a person. */
export async function connectingApp(app: TestApp, browser: Browser, name = 'Helper'): Promise<ConnectingApp> {
  const body = { client_name: name, redirect_uris: [redirectUri] };
  const registered = await ask(app, 'POST', '/oauth/register', { body });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const clientId = registered.body.client_id as string;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const self: ConnectingApp = {
    clientId,
    verifier,
    query: (changes = {}) =>
      new URLSearchParams(
        given({
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_challenge: challenge,
          code_challenge_method: 'S256',
          state: 'of the app',
          scope: 'mcp:read mcp:act mcp:build',
          resource,
          ...changes,
        }),
      ).toString(),
    decide: (request, decided = { decision: 'allow', scopes: ['mcp:read'] }) =>
      browser.send('POST', '/v1/auth/authorizations', { request, ...decided }),
    letIn: async (scopes, days = 30) => {
      const answer = await self.decide(self.query(), { decision: 'allow', scopes, days });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return new URL(answer.body.location).searchParams.get('code') as string;
    },
    exchange: (form) =>
      ask(app, 'POST', '/oauth/token', {
        form: {
          grant_type: 'authorization_code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          resource,
          ...form,
        },
      }),
    connect: async (scopes, days) => {
      const answer = await self.exchange({ code: await self.letIn(scopes, days) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    },
    refresh: (token, changes = {}) =>
      ask(app, 'POST', '/oauth/token', {
        form: { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...changes },
      }),
  };
  return self;
}

/** Sends a message of MCP with a token. */
export function rpc(app: TestApp, token: string, method: string, params: object = {}): Promise<OauthAnswer> {
  const headers = { authorization: `Bearer ${token}` };
  return ask(app, 'POST', '/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method, params }, headers });
}

/** A server with an entity that tools find, and an action that they can run. */
export async function createAppWithTools(): Promise<TestApp> {
  const app = await createTestApp();
  await app.request('POST', '/v1/blueprints', { body: blueprintBody('service') });
  await createEntity(app.request, 'service', { identifier: 'cart' });
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com/hook' };
  await app.request('POST', '/v1/actions', { body: { identifier: 'make', trigger, invocationMethod } });
  return app;
}

/** The apps that somebody let in. */
export async function listGrants(browser: Browser) {
  return (await browser.send('GET', '/v1/auth/connected-apps')).body.apps;
}
