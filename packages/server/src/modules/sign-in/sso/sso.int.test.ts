import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity } from '../../../../test/catalog-fixtures.ts';
import { type IdentityProvider, startIdentityProvider } from '../../../../test/identity-provider.ts';
import { readCookie } from '../../../../test/sign-in-fixtures.ts';

const redirectUri = 'http://127.0.0.1:3000/v1/auth/oidc/callback';
let app: TestApp;
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider(redirectUri);
  app = await createTestApp();
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(async () => {
  // what a test before has used up of the limits comes back
  app.clock.advance(60_000);
  await connect({});
});

function connect(extra: object): Promise<Answer> {
  const { issuer, clientId, clientSecret } = provider;
  const scopes = ['openid', 'email', 'profile', 'groups'];
  return app.request('PUT', '/v1/auth/sso', { body: { issuer, clientId, clientSecret, scopes, ...extra } });
}

const get = (path: string, cookie = '', headers = {}): Promise<Answer> =>
  app.request('GET', path, { token: null, headers: { ...(cookie ? { cookie } : {}), ...headers } });

async function start(query = ''): Promise<{ location: string; cookie: string }> {
  const begun = await get(`/v1/auth/oidc/start?organization=${app.organization.id}${query}`);
  expect(begun.status, JSON.stringify(begun.body)).toBe(302);
  return { location: String(begun.headers['location']), cookie: readCookie(begun.headers['set-cookie']) };
}

/** The whole way of a browser; what the callback answered, and the session's cookie. */
async function signInAs(person: { sub: string; [claim: string]: unknown }, query = '') {
  provider.say(person);
  const { location, cookie } = await start(query);
  const back = await provider.visit(location);
  const path = back.pathname + back.search;
  const answer = await get(path, cookie);
  return { answer, path, attempt: cookie, session: readCookie(answer.headers['set-cookie']) };
}

async function readTeams(email: string): Promise<string[]> {
  const rows = await app.database.rows<{ name: string }>(sql`
    select t.title as name from users u
    join team_members m on m.org_id = u.org_id and m.user_key = u.key
    join teams t on t.org_id = m.org_id and t.key = m.team_key
    where u.org_id = ${app.organization.id} and u.identifier = ${email} order by t.title`);
  return rows.map(({ name }) => name);
}

describe('a sign-in at the identity provider', () => {
  test('creates the user with name and teams, begins a session, and goes back to the page asked for', async () => {
    const person = { sub: 's-ann', email: 'ann@acme.dev', given_name: 'Ann', family_name: 'Lee', groups: ['Core'] };
    const { answer, session } = await signInAs(person, '&return_to=%2Fcatalog%3Fview%3D1');
    expect([answer.status, answer.headers['location']]).toEqual([302, '/catalog?view=1']);
    const me = await get('/v1/auth/me', session);
    expect(me.body).toMatchObject({
      user: { email: 'ann@acme.dev', name: 'Ann Lee', firstName: 'Ann', status: 'Active' },
      session: { method: 'sso' },
      roles: ['Member'],
    });
    expect(me.body.user.teams).toEqual([{ identifier: 'core', name: 'Core' }]);
    const entity = await app.request('GET', '/v1/blueprints/_user/entities/ann@acme.dev');
    expect(entity.body.entity).toMatchObject({ title: 'Ann Lee', team: ['core'], properties: { status: 'Active' } });
    expect(await app.organization.journal()).toEqual(
      expect.arrayContaining(['user.created ann@acme.dev', 'team.created core']),
    );
  });

  test('follows the groups at each sign-in and leaves teams that were made by hand', async () => {
    await createEntity(app.request, '_team', { identifier: 'hand', title: 'Made by hand' });
    const bob = { sub: 's-bob', email: 'bob@acme.dev' };
    await signInAs({ ...bob, groups: ['One', 'Two'] });
    await app.request('PATCH', '/v1/users/bob@acme.dev', { body: { teams: ['One', 'Two', 'Made by hand'] } });
    await signInAs({ ...bob, groups: ['Two', 'Three'] });
    expect(await readTeams('bob@acme.dev')).toEqual(['Made by hand', 'Three', 'Two']);
    await signInAs(bob);
    expect(await readTeams('bob@acme.dev')).toEqual(['Made by hand', 'Three', 'Two']);
    await signInAs({ ...bob, groups: [] });
    expect(await readTeams('bob@acme.dev')).toEqual(['Made by hand']);
  });

  test('maps groups to teams: what the connection says, the id of the group, its name', async () => {
    await createEntity(app.request, '_team', { identifier: 'ops', title: 'Operations' });
    await createEntity(app.request, '_team', { identifier: 'named', title: 'Named group' });
    await connect({
      groupTeams: [
        { group: 'grp-1', team: 'ops' },
        { group: 'grp-2', team: 'gone' },
      ],
    });
    const cat = { sub: 's-cat', email: 'cat@acme.dev' };
    await signInAs({ ...cat, groups: ['grp-1', 'grp-2', 'named GROUP', 'a/b#c?'] });
    expect(await readTeams('cat@acme.dev')).toEqual(['Named group', 'Operations', 'a-b-c-']);
    await app.request('PATCH', '/v1/teams/Named%20group', { body: { name: 'Other name' } });
    await signInAs({ ...cat, groups: ['named GROUP'] });
    expect(await readTeams('cat@acme.dev')).toEqual(['Other name']);
    await connect({ createTeams: false });
    await signInAs({ ...cat, groups: ['nobody made this'] });
    expect(await readTeams('cat@acme.dev')).toEqual([]);
  });

  test('of one person in two browsers at the same moment makes one user and one team', async () => {
    provider.say({ sub: 's-twin', email: 'twin@acme.dev', groups: ['Twin group'] });
    const begun = [await start(), await start()];
    const backs = await Promise.all(begun.map(({ location }) => provider.visit(location)));
    const ended = await Promise.all(backs.map((back, at) => get(back.pathname + back.search, begun[at]?.cookie)));
    expect(ended.map(({ status }) => status)).toEqual([302, 302]);
    const lines = (await app.organization.journal()).filter((line) => /^(user|team)\.created twin/.test(line));
    expect(lines.sort()).toEqual(['team.created twin_group', 'user.created twin@acme.dev']);
    expect(await readTeams('twin@acme.dev')).toEqual(['Twin group']);
  });

  test('its memberships are not edited here, and its teams can be deleted', async () => {
    await signInAs({ sub: 's-dan', email: 'dan@acme.dev', groups: ['Locked'] });
    const left = await app.request('PATCH', '/v1/users/dan@acme.dev', { body: { teams: [] } });
    expect([left.status, left.body.error]).toEqual([422, 'managed_field']);
    const emptied = await app.request('PATCH', '/v1/teams/Locked', { body: { users: [] } });
    expect([emptied.status, emptied.body.error]).toEqual([422, 'managed_field']);
    expect(await readTeams('dan@acme.dev')).toEqual(['Locked']);
    expect((await app.request('PATCH', '/v1/users/dan@acme.dev', { body: { roles: ['Admin'] } })).status).toBe(200);
    expect((await app.request('DELETE', '/v1/teams/Locked')).status).toBe(200);
    expect(await readTeams('dan@acme.dev')).toEqual([]);
  });

  test('stays with the user when the address at the provider changes', async () => {
    await signInAs({ sub: 's-eve', email: 'eve@acme.dev', name: 'Eve' });
    const { session } = await signInAs({ sub: 's-eve', email: 'eve.married@acme.dev', name: 'Eve M' });
    expect((await get('/v1/auth/me', session)).body.user).toMatchObject({ email: 'eve@acme.dev', name: 'Eve M' });
    const { answer } = await signInAs({ sub: 's-other', email: 'EVE@acme.dev' });
    expect([answer.status, answer.body.error]).toEqual([403, 'sign_in_refused']);
  });

  test.each([
    ['no address', { sub: 'r1' }],
    ['an address that is none', { sub: 'r2', email: 'not an address' }],
    ['an address that is not verified', { sub: 'r3', email: 'r3@acme.dev', email_verified: false }],
    ['a disabled user', { sub: 'r4', email: 'off@acme.dev' }],
    ['an address of another domain', { sub: 'r5', email: 'r5@evil.dev' }],
    ['somebody nobody invited', { sub: 'r6', email: 'r6@acme.dev' }],
  ])('is refused for %s, and writes nothing', async (_what, person) => {
    await app.request('POST', '/v1/blueprints/_user/entities?upsert=true', {
      body: { identifier: 'off@acme.dev', properties: { status: 'Disabled' } },
    });
    await connect({ domains: ['acme.dev'], createUsers: false });
    const before = [await app.count('users'), await app.count('sessions'), await app.count('sso_subjects')];
    const { answer, session } = await signInAs(person);
    expect([answer.status, answer.body.error]).toEqual([403, 'sign_in_refused']);
    expect(session).not.toContain('portolan-session');
    expect([await app.count('users'), await app.count('sessions'), await app.count('sso_subjects')]).toEqual(before);
  });
});

describe('what comes back from the provider', () => {
  test('comes back once, in the browser that began it', async () => {
    provider.say({ sub: 's-fay', email: 'fay@acme.dev' });
    const { location, cookie } = await start();
    const back = await provider.visit(location);
    const path = back.pathname + back.search;
    const other = await start();
    for (const thief of ['', other.cookie, 'portolan-sign-in=x']) {
      const stolen = await get(path, thief);
      expect([stolen.status, stolen.body.error]).toEqual([403, 'sign_in_refused']);
    }
    expect((await get(path, cookie)).status).toBe(302);
    const replayed = await get(path, cookie);
    expect([replayed.status, replayed.body.error]).toEqual([403, 'sign_in_refused']);
  });

  test('is refused with another state, a foreign code, a mixed-up nonce, twice-named parameters, and too late', async () => {
    provider.say({ sub: 's-gil', email: 'gil@acme.dev' });
    const before = await app.count('sessions');
    const changed = async (change: (back: URL) => void | Promise<void>): Promise<number> => {
      const { location, cookie } = await start();
      const back = await provider.visit(location);
      await change(back);
      return (await get(back.pathname + back.search, cookie)).status;
    };
    const foreign = await provider.visit((await start()).location);
    expect(await changed((back) => back.searchParams.set('state', foreign.searchParams.get('state') as string))).toBe(
      403,
    );
    expect(await changed((back) => back.searchParams.set('code', foreign.searchParams.get('code') as string))).toBe(
      403,
    );
    expect(await changed((back) => back.searchParams.append('code', 'second'))).toBe(403);
    expect(await changed((back) => back.searchParams.delete('code'))).toBe(403);
    expect(await changed((back) => back.searchParams.delete('state'))).toBe(403);
    expect(await changed((back) => back.searchParams.set('iss', 'https://evil.example'))).toBe(403);
    expect(await changed((back) => back.searchParams.set('error', 'access_denied'))).toBe(403);
    expect(await changed(() => app.clock.advance(601_000))).toBe(403);
    expect(
      await changed(async () => {
        const nonce = sql`update sso_attempts set nonce = 'another' where org_id = ${app.organization.id}`;
        await app.database.executeAlone(nonce);
      }),
    ).toBe(403);
    expect(await app.count('sessions')).toBe(before);
  });

  test('sends a browser that wants a page to the sign-in page', async () => {
    const answer = await get('/v1/auth/oidc/callback?state=x&code=y', '', { accept: 'text/html,*/*' });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/sign-in?error=sign_in_refused']);
  });
});

describe('the start', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'catalog',
    `/${'x'.repeat(2001)}`,
  ])('refuses to come back to %j', async (address) => {
    const before = await app.count('sso_attempts');
    const answer = await get(`/v1/auth/oidc/start?return_to=${encodeURIComponent(address)}`);
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(answer.body.details[0].path).toBe('{query}/return_to');
    expect(await app.count('sso_attempts')).toBe(before);
  });

  test('sends state, nonce and a PKCE challenge, and none of them twice', async () => {
    const [one, two] = [new URL((await start()).location), new URL((await start()).location)];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w.-]{43,}$/);
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name));
    }
    expect(one.searchParams.get('code_challenge_method')).toBe('S256');
    expect(one.searchParams.get('redirect_uri')).toBe(redirectUri);
  });

  test('is offered where there is a connection, and is 404 where there is none', async () => {
    const none = await app.createOrganization();
    expect((await get(`/v1/auth/options?organization=${none.id}`)).body).toMatchObject({ password: true, sso: null });
    expect((await get(`/v1/auth/options?organization=${app.organization.id}`)).body.sso.issuer).toBe(provider.issuer);
    expect((await get(`/v1/auth/oidc/start?organization=${none.id}`)).status).toBe(404);
  });
});

describe('the connection', () => {
  test('keeps its secret sealed and unseen, and is for administrators', async () => {
    const answer = await connect({});
    expect(answer.body.connection).toMatchObject({ hasClientSecret: true, redirectUri, createUsers: true });
    const rows = await app.database.rows<{ text: string }>(sql`
      select row_to_json(c)::text as text from sso_connections c where org_id = ${app.organization.id}
      union all select row_to_json(j)::text from journal j where org_id = ${app.organization.id}`);
    expect(rows.map(({ text }) => text).join()).not.toContain(provider.clientSecret);
    expect(JSON.stringify((await app.request('GET', '/v1/auth/sso')).body)).not.toContain(provider.clientSecret);
    const token = await app.organization.memberToken();
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
      expect((await app.request(method, '/v1/auth/sso', { token, body })).status).toBe(403);
    }
  });

  test('is not stored if the provider does not answer as one', async () => {
    const before = (await app.request('GET', '/v1/auth/sso')).body;
    for (const [issuer, status] of [
      ['http://127.0.0.1:1', 502],
      [`${provider.issuer}/elsewhere`, 502],
      ['http://provider.example', 422],
      ['ftp://provider.example', 422],
      ['file:///etc/passwd', 422],
    ] as const) {
      expect((await connect({ issuer })).status, issuer).toBe(status);
    }
    expect((await app.request('GET', '/v1/auth/sso')).body).toEqual(before);
  });

  test('reaches no private address unless that is allowed', async () => {
    const guarded = await createTestApp({ allowsPrivateNetwork: false });
    const { issuer, clientId } = provider;
    const answer = await guarded.request('PUT', '/v1/auth/sso', { body: { issuer, clientId } });
    expect([answer.status, answer.body.error]).toEqual([502, 'sso_provider_unavailable']);
    expect(answer.body.message).toContain('PORTOLAN_ALLOW_PRIVATE_NETWORK');
    await guarded.close();
  });

  test('ends with the sessions that began with it', async () => {
    const { session } = await signInAs({ sub: 's-hal', email: 'hal@acme.dev' });
    expect((await app.request('DELETE', '/v1/auth/sso')).status).toBe(200);
    app.clock.advance(1000);
    expect((await get('/v1/auth/me', session)).status).toBe(401);
    expect((await app.request('DELETE', '/v1/auth/sso')).status).toBe(404);
  });
});

test.each(['legacy', 'beta'])('users and teams come in as a %s organization keeps them', async (model) => {
  const other = await app.createOrganization({ model });
  const { issuer, clientId, clientSecret } = provider;
  await other.request('PUT', '/v1/auth/sso', {
    body: { issuer, clientId, clientSecret, scopes: ['email', 'profile', 'groups'] },
  });
  provider.say({ sub: 's-ida', email: 'ida@acme.dev', name: 'Ida', groups: ['Core'] });
  for (const groups of [['Core'], ['Core', 'New']]) {
    provider.say({ sub: 's-ida', email: 'ida@acme.dev', name: 'Ida', groups });
    const begun = await get(`/v1/auth/oidc/start?organization=${other.id}`);
    const back = await provider.visit(String(begun.headers['location']));
    const ended = await get(back.pathname + back.search, readCookie(begun.headers['set-cookie']));
    expect(ended.status, JSON.stringify(ended.body)).toBe(302);
    const me = await get('/v1/auth/me', readCookie(ended.headers['set-cookie']));
    expect(me.body.user.teams.map(({ name }: { name: string }) => name)).toEqual(groups);
  }
  // a team of the provider can go here, memberships with it
  expect((await other.request('DELETE', '/v1/teams/Core')).status).toBe(200);
  const { user } = (await other.request('GET', '/v1/users/ida@acme.dev')).body;
  expect(user.teams).toEqual(['New']);
});
