import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Request, TestApp } from '../../../test/build-test-app.ts';
import {
  ask,
  type Browser,
  type ConnectingApp,
  connectingApp,
  createAppWithTools,
  freshAdmin,
  listGrants,
  publicUrl,
  redirectUri,
  resource,
  rpc,
  signedInBrowser,
} from '../../../test/connecting-app.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let app: TestApp;
let ann: Browser;
let bob: Browser;
let helper: ConnectingApp;
let admin: Request;

beforeAll(async () => {
  app = await createAppWithTools();
});
afterAll(() => app.close());
beforeEach(async () => {
  // what a test before has used up of the limits comes back
  app.clock.advance(10 * minuteMs);
  count += 1;
  admin = await freshAdmin(app.organization);
  ann = await signedInBrowser(app, `ann${count}@example.com`, 'Admin');
  bob = await signedInBrowser(app, `bob${count}@example.com`, 'Member');
  helper = await connectingApp(app, ann);
});
let count = 0;

const toolNames = async (token: string): Promise<string[]> =>
  (await rpc(app, token, 'tools/list')).body.result.tools.map(({ name }: { name: string }) => name);
const listOf = (token: string) => rpc(app, token, 'tools/list').then(({ status }) => status);

describe('the metadata', () => {
  test('leads from the refused request to the authorization server', async () => {
    const refused = await ask(app, 'POST', '/v1/mcp', { body: {} });
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer realm="portolan", resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/v1/mcp", scope="mcp:read"`,
    );
    for (const path of ['', '/v1/mcp']) {
      const { body } = await ask(app, 'GET', `/.well-known/oauth-protected-resource${path}`);
      expect(body).toMatchObject({ resource, authorization_servers: [publicUrl] });
      expect(body.scopes_supported).toEqual(['mcp:read', 'mcp:act', 'mcp:build']);
    }
    const { body } = await ask(app, 'GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('an app that a person lets in', () => {
  test('is answered at its address with a code, its state and the issuer', async () => {
    const begun = await ask(app, 'GET', `/oauth/authorize?${helper.query()}`);
    expect(begun.status).toBe(302);
    const page = new URL(String(begun.headers['location']), publicUrl);
    expect([page.origin, page.pathname]).toEqual([publicUrl, '/connect-app']);
    const { body } = await helper.decide(page.hash.slice(1));
    const target = new URL(body.location);
    expect(target.origin + target.pathname).toBe(redirectUri);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.stringMatching(/^mcpo_org_/),
      state: 'of the app',
      iss: publicUrl,
    });
  });

  test('is shown by its name, its host and what could be allowed, to somebody who builds and to somebody who does not', async () => {
    const request = helper.query({ scope: 'mcp:read openid' });
    const { body } = await ann.send('POST', '/v1/auth/authorizations/describe', { request });
    expect(body).toMatchObject({
      client: { name: 'Helper', redirectHost: 'app.example', isOnThisMachine: false },
      organization: { id: app.organization.id },
      daysMax: 30,
    });
    const offered = body.offers.map(({ scope, isAsked }: { scope: string; isAsked: boolean }) => [scope, isAsked]);
    expect(offered).toEqual([
      ['mcp:read', true],
      ['mcp:act', false],
      ['mcp:build', false],
    ]);
    expect(body.offers.every(({ tools }: { tools: number }) => tools > 0)).toBe(true);
    const less = (await bob.send('POST', '/v1/auth/authorizations/describe', { request })).body.offers;
    // whoever builds nothing may still draw up a workflow for somebody who does
    const builds = less.find(({ scope }: { scope: string }) => scope === 'mcp:build');
    expect([builds.tools, builds.examples]).toEqual([1, ['Propose a workflow']]);
  });

  test('reads with the scope to read, and lists and calls nothing else', async () => {
    const { access_token: token } = await helper.connect(['mcp:read']);
    const names = await toolNames(token);
    expect(names).toContain('list_entities');
    expect(names.filter((name) => /^(run|upsert|delete|update)_/.test(name))).toEqual([]);
    const read = await rpc(app, token, 'tools/call', {
      name: 'get_entity',
      arguments: { blueprint: 'service', identifier: 'cart' },
    });
    expect(read.body.result.structuredContent.entity).toMatchObject({ identifier: 'cart' });
    const before = [await app.count('entities'), await app.count('action_runs')];
    for (const [name, needed] of [
      ['delete_entity', 'mcp:build'],
      ['run_make', 'mcp:act'],
    ] as const) {
      const refused = await rpc(app, token, 'tools/call', {
        name,
        arguments: { blueprint: 'service', identifier: 'cart' },
      });
      expect([refused.status, refused.body.error?.code]).toEqual([403, -32000]);
      expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope"');
      expect(refused.headers['www-authenticate']).toContain(`scope="mcp:read ${needed}"`);
    }
    expect([await app.count('entities'), await app.count('action_runs')]).toEqual(before);
  });

  test('runs actions with the scope to act, and builds with the scope to build', async () => {
    const act = await helper.connect(['mcp:read', 'mcp:act']);
    const run = await rpc(app, act.access_token, 'tools/call', { name: 'run_make', arguments: {} });
    expect(run.body.result.structuredContent).toMatchObject({ mode: 'executed' });
    expect(await toolNames(act.access_token)).not.toContain('upsert_entity');
    const build = await (await connectingApp(app, ann)).connect(['mcp:read', 'mcp:build']);
    const made = { blueprint: 'service', entity: { identifier: `made${count}` } };
    const upserted = await rpc(app, build.access_token, 'tools/call', { name: 'upsert_entity', arguments: made });
    expect(upserted.body.result.isError ?? false, JSON.stringify(upserted.body)).toBe(false);
    expect(await toolNames(build.access_token)).not.toContain('run_make');
  });

  test('is never more than its person is now', async () => {
    const { access_token: token } = await helper.connect(['mcp:read', 'mcp:act', 'mcp:build']);
    expect(await toolNames(token)).toContain('upsert_blueprint');
    const change = { properties: { port_role: 'Member' } };
    await admin('PATCH', `/v1/blueprints/_user/entities/${ann.email}`, { body: change });
    expect(await toolNames(token)).not.toContain('upsert_blueprint');
    const called = await rpc(app, token, 'tools/call', { name: 'upsert_blueprint', arguments: {} });
    expect(called.body.error).toMatchObject({ code: -32602 });
  });

  test('is refused once its person is disabled or gone, and so is its refresh token', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read']);
    await admin('PATCH', `/v1/blueprints/_user/entities/${ann.email}`, {
      body: { properties: { status: 'Disabled' } },
    });
    expect(await listOf(token)).toBe(401);
    expect((await helper.refresh(refresh)).body.error).toBe('invalid_grant');
    const other = await connectingApp(app, bob);
    const tokens = await other.connect(['mcp:read']);
    const rows = await app.count('oauth_tokens');
    await admin('DELETE', `/v1/blueprints/_user/entities/${bob.email}`);
    expect(await listOf(tokens.access_token)).toBe(401);
    expect(await app.count('oauth_tokens')).toBe(rows - 2);
  });

  test('stays shut out once its person is enabled again, until the person lets it in anew', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read']);
    const code = await helper.letIn(['mcp:read']);
    app.clock.advance(1000);
    const path = `/v1/blueprints/_user/entities/${ann.email}`;
    for (const status of ['Disabled', 'Active']) {
      expect((await admin('PATCH', path, { body: { properties: { status } } })).status).toBe(200);
      expect(await listOf(token)).toBe(401);
    }
    expect((await helper.refresh(refresh)).body.error).toBe('invalid_grant');
    expect((await helper.exchange({ code })).body.error).toBe('invalid_grant');
    expect(await listGrants(ann)).toEqual([]);
    app.clock.advance(1000);
    const { access_token: next } = await helper.connect(['mcp:read']);
    expect(await listOf(next)).toBe(200);
    expect(await listOf(token)).toBe(401);
    expect(await listGrants(ann)).toHaveLength(1);
  });

  test('ends with its day, and its token with its hour', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read'], 1);
    app.clock.advance(60 * minuteMs - 1000);
    expect(await listOf(token)).toBe(200);
    app.clock.advance(2000);
    expect(await listOf(token)).toBe(401);
    const next = (await helper.refresh(refresh)).body;
    expect(await listOf(next.access_token)).toBe(200);
    app.clock.advance(dayMs);
    expect(await listOf(next.access_token)).toBe(401);
    expect((await helper.refresh(next.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('lets a refresh token idle for fifteen days, and go on for thirty in all', async () => {
    let { refresh_token: refresh } = await helper.connect(['mcp:read']);
    app.clock.advance(14 * dayMs);
    refresh = (await helper.refresh(refresh)).body.refresh_token;
    app.clock.advance(14 * dayMs);
    refresh = (await helper.refresh(refresh)).body.refresh_token;
    app.clock.advance(3 * dayMs);
    expect((await helper.refresh(refresh)).body.error).toBe('invalid_grant');
    const idle = await (
      await connectingApp(app, await signedInBrowser(app, `idle${count}@example.com`, 'Member'))
    ).connect(['mcp:read']);
    app.clock.advance(15 * dayMs + 1000);
    expect((await helper.refresh(idle.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('is listed with its last use, and shut out at once', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read']);
    expect(await listGrants(ann)).toMatchObject([{ name: 'Helper', redirectHost: 'app.example', lastUsedAt: null }]);
    expect(await listOf(token)).toBe(200);
    const [grant] = await listGrants(ann);
    expect(grant.lastUsedAt).toBe(app.clock.now().toISOString());
    expect((await ann.send('DELETE', `/v1/auth/connected-apps/${grant.id}`)).status).toBe(200);
    expect(await listOf(token)).toBe(401);
    expect((await helper.refresh(refresh)).body.error).toBe('invalid_grant');
    expect(await listGrants(ann)).toEqual([]);
    expect(await app.organization.journal()).toEqual(
      expect.arrayContaining([`connected-app.allowed ${grant.id}`, `connected-app.deleted ${grant.id}`]),
    );
  });

  test('that is let in again keeps one grant, and what was taken away is gone from the tokens it has', async () => {
    const first = await helper.connect(['mcp:read', 'mcp:act', 'mcp:build']);
    await helper.connect(['mcp:read']);
    expect(await listGrants(ann)).toHaveLength(1);
    expect(await toolNames(first.access_token)).not.toContain('upsert_entity');
  });

  test('ends its own tokens, and nobody else does', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read']);
    const end = (form: Readonly<Record<string, string>>) => ask(app, 'POST', '/oauth/revoke', { form });
    const { clientId } = await connectingApp(app, bob);
    expect((await end({ token: refresh, client_id: clientId })).status).toBe(200);
    expect((await end({ token: 'mcpr_unknown' })).status).toBe(200);
    expect(await listOf(token)).toBe(200);
    expect((await end({ token, client_id: helper.clientId })).status).toBe(200);
    expect(await listOf(token)).toBe(401);
    expect(await listGrants(ann)).toHaveLength(1);
    await end({ token: refresh, client_id: helper.clientId });
    expect(await listGrants(ann)).toEqual([]);
  });
});

test('a person who turns an app away leaves nothing, and the app is told', async () => {
  const { body } = await helper.decide(helper.query(), { decision: 'deny' });
  const target = new URL(body.location);
  expect(Object.fromEntries(target.searchParams)).toMatchObject({ error: 'access_denied', iss: publicUrl });
  expect(target.searchParams.has('code')).toBe(false);
  expect(await listGrants(ann)).toEqual([]);
});

test('a program on the same machine may listen on any port', async () => {
  const body = {
    client_name: 'Editor\u202e\n',
    redirect_uris: ['http://127.0.0.1/callback', 'cursor://anysphere/callback'],
  };
  const registered = await ask(app, 'POST', '/oauth/register', { body });
  expect(registered.body).toMatchObject({ client_name: 'Editor', token_endpoint_auth_method: 'none' });
  const asking = (address: string) =>
    ask(
      app,
      'GET',
      `/oauth/authorize?${helper.query({ client_id: registered.body.client_id, redirect_uri: address })}`,
    );
  for (const good of ['http://127.0.0.1:49152/callback', 'http://127.0.0.1/callback', 'cursor://anysphere/callback']) {
    expect((await asking(good)).headers['location'], good).toMatch(/^\/connect-app#/);
  }
  for (const bad of [
    'http://127.0.0.2:49152/callback',
    'http://127.0.0.1:49152/other',
    'cursor://anysphere/other',
    'http://localhost:1/callback',
  ]) {
    expect((await asking(bad)).status, bad).toBe(422);
  }
});

test('what has ended is removed, and what has not stays', async () => {
  await helper.connect(['mcp:read'], 1);
  const other = await connectingApp(app, bob);
  await other.connect(['mcp:read'], 30);
  app.clock.advance(2 * dayMs);
  const { deleteEndedGrants } = await import('./grant.store.ts');
  await deleteEndedGrants(app.database, app.clock.now());
  expect(await app.database.rows(sql`select 1 as one from oauth_codes where org_id = ${app.organization.id}`)).toEqual(
    [],
  );
  const left = await app.database.rows<{ kind: string }>(
    sql`select distinct kind from oauth_tokens where org_id = ${app.organization.id}`,
  );
  expect(left.map(({ kind }) => kind)).toEqual(['refresh']);
});
