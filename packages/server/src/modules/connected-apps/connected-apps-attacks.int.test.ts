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
  rpc,
  signedInBrowser,
} from '../../../test/connecting-app.ts';

const minuteMs = 60_000;

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

const listOf = (token: string) => rpc(app, token, 'tools/list').then(({ status }) => status);

describe('an attack', () => {
  test('with a token of an app on the API, on SCIM or as a session finds nothing', async () => {
    const { access_token: token, refresh_token: refresh } = await helper.connect(['mcp:read', 'mcp:act', 'mcp:build']);
    for (const text of [token, refresh]) {
      const headers = { authorization: `Bearer ${text}` };
      for (const path of ['/v1/blueprints', '/v1/auth/me', '/scim/v2/Users', '/v1/blueprints/service/entities/cart']) {
        expect((await ask(app, 'GET', path, { headers })).status, path).toBe(401);
      }
      const cookie = `portolan-session=${text.replace(/^mcp\w_/, '')}`;
      expect((await ask(app, 'GET', '/v1/auth/me', { headers: { cookie } })).status).toBe(401);
    }
    expect(await listOf(refresh)).toBe(401);
    expect(await listOf(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(401);
  });

  test('with a token for another address finds nothing', async () => {
    const query = helper.query({ resource: 'https://other.example/mcp' });
    expect((await helper.decide(query)).status).toBe(422);
    const elsewhere = await helper.decide(query, { decision: 'deny' });
    expect(new URL(elsewhere.body.location).searchParams.get('error')).toBe('invalid_target');
    const code = await helper.letIn(['mcp:read']);
    expect((await helper.exchange({ code, resource: `${publicUrl}/v1` })).body.error).toBe('invalid_target');
    const { access_token: token } = await helper.connect(['mcp:read']);
    await app.database.executeAlone(
      sql`update oauth_grants set resource = 'https://other.example/v1/mcp' where org_id = ${app.organization.id}`,
    );
    expect(await listOf(token)).toBe(401);
  });

  test('with a code that was used shuts the app out', async () => {
    const code = await helper.letIn(['mcp:read']);
    const first = (await helper.exchange({ code })).body;
    expect(await listOf(first.access_token)).toBe(200);
    expect((await helper.exchange({ code })).body.error).toBe('invalid_grant');
    expect(await listOf(first.access_token)).toBe(401);
    expect((await helper.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await listGrants(ann)).toEqual([]);
  });

  test('of two at once with one code, or one refresh token, never leaves both with tokens', async () => {
    const code = await helper.letIn(['mcp:read']);
    const both = await Promise.all([helper.exchange({ code }), helper.exchange({ code })]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await listGrants(ann)).toEqual([]);
    const { refresh_token: refresh } = await helper.connect(['mcp:read']);
    const again = await Promise.all([helper.refresh(refresh), helper.refresh(refresh)]);
    expect(again.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await listGrants(ann)).toEqual([]);
  });

  test('with a refresh token that was used shuts the app out', async () => {
    const { refresh_token: old } = await helper.connect(['mcp:read']);
    const next = (await helper.refresh(old)).body;
    expect(next.refresh_token).not.toBe(old);
    expect(await listOf(next.access_token)).toBe(200);
    expect((await helper.refresh(old)).body.error).toBe('invalid_grant');
    expect(await listOf(next.access_token)).toBe(401);
    expect((await helper.refresh(next.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('with a code that is a minute old, of another client or without the verifier gets no token, and uses the code up', async () => {
    const other = await connectingApp(app, ann, 'Other');
    for (const wrong of [
      { client_id: other.clientId },
      { client_id: 'mcpc_made.up' },
      { code_verifier: other.verifier },
      { code_verifier: 'short' },
      { redirect_uri: 'https://app.example/elsewhere' },
    ]) {
      const code = await helper.letIn(['mcp:read']);
      expect((await helper.exchange({ code, ...wrong })).body.error, JSON.stringify(wrong)).toBe('invalid_grant');
      expect((await helper.exchange({ code })).body.error).toBe('invalid_grant');
    }
    const code = await helper.letIn(['mcp:read']);
    expect((await helper.exchange({ code, code_verifier: null })).body.error).toBe('invalid_request');
    app.clock.advance(minuteMs);
    expect((await helper.exchange({ code })).body.error).toBe('invalid_grant');
    expect(await app.count('oauth_tokens', app.organization.id)).toBe(await tokensOfOthers());
  });

  test('without PKCE, or with its plain form, is turned away, and told so at its own address once the person goes back', async () => {
    for (const changes of [
      { code_challenge: null },
      { code_challenge_method: null },
      { code_challenge_method: 'plain' },
      { code_challenge: 'short' },
    ]) {
      const query = helper.query(changes);
      const { headers } = await ask(app, 'GET', `/oauth/authorize?${query}`);
      expect(headers['location']).toMatch(/^\/connect-app#/);
      expect((await ann.send('POST', '/v1/auth/authorizations/describe', { request: query })).status).toBe(422);
      expect((await helper.decide(query)).status).toBe(422);
      const target = new URL((await helper.decide(query, { decision: 'deny' })).body.location);
      expect([target.host, target.searchParams.get('error')]).toEqual(['app.example', 'invalid_request']);
      expect([target.searchParams.get('iss'), target.searchParams.get('state')]).toEqual([publicUrl, 'of the app']);
    }
  });

  test.each([
    'https://evil.example/callback',
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example:8443/callback',
    'https://APP.example/callback',
    'https://app.example/callback#x',
    'https://app.example@evil.example/callback',
    'javascript:alert(1)',
    '/catalog',
  ])('that asks to be answered at %s is not sent there', async (address) => {
    const query = helper.query({ redirect_uri: address });
    const refused = await ask(app, 'GET', `/oauth/authorize?${query}`);
    expect([refused.status, refused.headers['location']]).toEqual([422, undefined]);
    const page = await ask(app, 'GET', `/oauth/authorize?${query}`, { headers: { accept: 'text/html' } });
    expect(page.headers['location']).toBe('/connect-app#problem=redirect');
    expect((await helper.decide(query)).status).toBe(422);
    expect(await listGrants(ann)).toEqual([]);
  });

  test('that registers an address of a script, a file or another machine without TLS is refused', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://app.example/callback',
      'http://127.0.0.1.evil.example/',
      'https://user@app.example/',
      'https://app.example/#x',
      'blob:https://app.example/x',
    ]) {
      const refused = await ask(app, 'POST', '/oauth/register', { body: { redirect_uris: [uri] } });
      expect([refused.status, refused.body.error], uri).toEqual([400, 'invalid_redirect_uri']);
      app.clock.advance(minuteMs);
    }
  });

  test('with a client id that was changed or made elsewhere is told so, and sent nowhere', async () => {
    const [text = '', signature = ''] = helper.clientId.slice('mcpc_'.length).split('.');
    const forged = Buffer.from(JSON.stringify(['Helper', ['https://evil.example/'], 'x'])).toString('base64url');
    for (const id of [
      `mcpc_${forged}.${signature}`,
      `mcpc_${text}.${signature}x`,
      `mcpc_${text}`,
      'https://nowhere/',
    ]) {
      const query = helper.query({ client_id: id, redirect_uri: 'https://evil.example/' });
      expect((await ask(app, 'GET', `/oauth/authorize?${query}`)).status).toBe(422);
      expect((await helper.decide(query)).status).toBe(422);
    }
    // whether there is a document is found out for a person, on our own page
    const query = helper.query({ client_id: 'https://127.0.0.1:1/id', redirect_uri: 'https://evil.example/' });
    const begun = await ask(app, 'GET', `/oauth/authorize?${query}`);
    expect([begun.status, String(begun.headers['location']).split('#')[0]]).toEqual([302, '/connect-app']);
    expect((await helper.decide(query)).status).toBe(422);
  });

  test('does not make links to the portal lead to an app, whatever is wrong with its request', async () => {
    for (const changes of [
      {},
      { response_type: 'token' },
      { scope: 'everything' },
      { resource: 'https://x.example' },
    ]) {
      const begun = await ask(app, 'GET', `/oauth/authorize?${helper.query(changes)}`);
      expect([begun.status, String(begun.headers['location']).split('#')[0]]).toEqual([302, '/connect-app']);
    }
  });

  test('from another page does not decide for the person', async () => {
    const body = { request: helper.query(), decision: 'allow', scopes: ['mcp:read'] };
    const { cookie = '' } = ann.headers;
    for (const headers of [
      { cookie },
      { cookie, 'x-csrf-token': 'guessed' },
      { ...ann.headers, 'sec-fetch-site': 'cross-site' },
    ]) {
      const refused = await ask(app, 'POST', '/v1/auth/authorizations', { body, headers });
      expect([refused.status, refused.body.error]).toEqual([403, 'csrf_token_invalid']);
    }
    expect(await listGrants(ann)).toEqual([]);
  });

  test('with a token of the API lets no app in', async () => {
    const body = { request: helper.query(), decision: 'allow', scopes: ['mcp:read'] };
    const personal = await app.organization.personToken(ann.email);
    for (const token of [undefined, personal]) {
      for (const path of ['/v1/auth/authorizations', '/v1/auth/authorizations/describe']) {
        const sent = path.endsWith('describe') ? { request: body.request } : body;
        const refused = await admin('POST', path, { ...(token ? { token } : {}), body: sent });
        expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
      }
    }
    expect(await listGrants(ann)).toEqual([]);
  });

  test('floods the registration and is slowed down, and nothing of it is kept', async () => {
    const tables = await app.tenantTables();
    const rows = () => Promise.all(tables.map((table) => app.count(table)));
    const before = await rows();
    const body = { redirect_uris: [redirectUri] };
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(app, 'POST', '/oauth/register', { body })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(refused[0]?.headers['retry-after']).toBeDefined();
    expect(await rows()).toEqual(before);
    app.clock.advance(10 * minuteMs);
    for (const large of [
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`) },
      { redirect_uris: [`https://app.example/${'x'.repeat(500)}`] },
      { redirect_uris: Array.from({ length: 5 }, (_, n) => `https://app.example/${n}${'x'.repeat(400)}`) },
    ]) {
      expect((await ask(app, 'POST', '/oauth/register', { body: large })).body.error).toBe('invalid_redirect_uri');
    }
    const huge = { client_name: 'x'.repeat(20_000), redirect_uris: [redirectUri] };
    expect((await ask(app, 'POST', '/oauth/register', { body: huge })).status).toBe(413);
  });

  test('of another organization reaches neither grant nor token, though a client id is good everywhere', async () => {
    const theirs = await app.createOrganization();
    const eve = await signedInBrowser(app, `eve${count}@example.com`, 'Admin', theirs);
    await helper.connect(['mcp:read']);
    const [grant] = await listGrants(ann);
    expect(await listGrants(eve)).toEqual([]);
    const unknown = await eve.send('DELETE', '/v1/auth/connected-apps/app_unknown');
    const foreign = await eve.send('DELETE', `/v1/auth/connected-apps/${grant.id}`);
    expect([foreign.status, foreign.body.error]).toEqual([unknown.status, unknown.body.error]);
    expect(foreign.status).toBe(404);
    expect((await bob.send('DELETE', `/v1/auth/connected-apps/${grant.id}`)).status).toBe(404);
    const decided = await eve.send('POST', '/v1/auth/authorizations', {
      request: helper.query(),
      decision: 'allow',
      scopes: ['mcp:read'],
    });
    const code = new URL(decided.body.location).searchParams.get('code') as string;
    const swapped = code.replace(theirs.id, app.organization.id);
    expect((await helper.exchange({ code: swapped })).body.error).toBe('invalid_grant');
    const own = (await helper.exchange({ code })).body;
    const seen = await rpc(app, own.access_token, 'tools/call', {
      name: 'get_entity',
      arguments: { blueprint: 'service', identifier: 'cart' },
    });
    expect(seen.body.result.structuredContent).toMatchObject({ error: 'not_found' });
    expect(await listGrants(ann)).toHaveLength(1);
  });

  test('with more than the app has is refused when it refreshes', async () => {
    const { refresh_token: refresh } = await helper.connect(['mcp:read']);
    expect((await helper.refresh(refresh, { scope: 'mcp:read mcp:build' })).body.error).toBe('invalid_scope');
    const other = await connectingApp(app, ann);
    expect((await other.refresh(refresh)).body.error).toBe('invalid_grant');
    expect((await helper.refresh(refresh)).status).toBe(200);
  });
});

async function tokensOfOthers(): Promise<number> {
  const found = await app.database.first<{ count: number }>(sql`
    select count(*)::int as count from oauth_tokens t join oauth_grants g on g.org_id = t.org_id and g.id = t.grant_id
    join users u on u.org_id = g.org_id and u.key = g.user_key
    where t.org_id = ${app.organization.id} and u.identifier <> ${ann.email}`);
  return found?.count ?? 0;
}
