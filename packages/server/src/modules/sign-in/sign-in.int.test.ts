import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity } from '../../../test/catalog-fixtures.ts';
import { jobContext } from '../../../test/job-context.ts';
import { redeemFor, signInAs } from '../../../test/sign-in-fixtures.ts';
import { tidySignIns } from './tidy.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (const name of ['new', 'jo', 'kim', 'lee', 'max', 'pat', 'none', 'list', 'race']) {
    await createEntity(app.request, '_user', { identifier: `${name}@example.com`, properties: { status: 'Invited' } });
    if (!['new', 'none', 'race'].includes(name)) await redeemFor(app, `${name}@example.com`, password);
  }
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'root@example.com', properties });
});
afterAll(() => app.close());

const password = 'correct horse battery';
const list = 'list@example.com';
const anonymous = { token: null };
const me = (cookie: string) => app.request('GET', '/v1/auth/me', { token: null, headers: { cookie } });
/** A wrong try from an address of its own, so that the limits of one test do not reach another. */
const attempt = (email: string, secret: unknown = password, extra: object = {}): Promise<Answer> =>
  app.request('POST', '/v1/auth/sign-in', {
    ...anonymous,
    body: { email, password: secret, organization: app.organization.id, ...extra },
  });

describe('signing in with a password', () => {
  test('a link sets the password once, makes the user active, and begins a session', async () => {
    const made = await app.request('POST', '/v1/auth/password-links', { body: { email: 'NEW@example.com' } });
    expect(made.status).toBe(201);
    expect(made.body.url).toBe(`http://127.0.0.1:3000/set-password#${made.body.token}`);
    const redeem = (body: object) => app.request('POST', '/v1/auth/password-links/redeem', { ...anonymous, body });
    const weak = await redeem({ token: made.body.token, password: 'aaaaaaaaaa' });
    expect([weak.status, weak.body.details[0].path]).toEqual([422, '/password']);
    const done = await redeem({ token: made.body.token, password });
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ user: { email: 'new@example.com', status: 'Active' }, roles: ['Member'] });
    const set = String(done.headers['set-cookie']);
    expect(set).toMatch(/^portolan-session=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect((await redeem({ token: made.body.token, password })).status).toBe(401);
    expect(await app.organization.journal()).toEqual(
      expect.arrayContaining(['user.password_link_created new@example.com', 'user.password_changed new@example.com']),
    );
  });

  test('a sign-in answers who it is, and the cookie stands for the person', async () => {
    const { cookie, body } = await signInAs(app, 'jo@example.com', password);
    expect((await me(cookie)).body).toEqual({ ...body, ok: true });
    expect(body.session).toMatchObject({ method: 'password', isCurrent: true });
    const blueprints = await app.request('GET', '/v1/blueprints', { token: null, headers: { cookie } });
    expect(blueprints.status).toBe(200);
  });

  test('where no organization is named the first that was made is meant, whatever date another was given', async () => {
    await app.createOrganization({ model: 'legacy', createdAt: '2001-01-01T00:00:00Z' });
    expect((await attempt('jo@example.com', password, { organization: undefined })).status).toBe(200);
  });

  test('of many who come with one link at once, one sets the password', async () => {
    const made = await app.request('POST', '/v1/auth/password-links', { body: { email: 'race@example.com' } });
    const redeem = (secret: string) =>
      app.request('POST', '/v1/auth/password-links/redeem', {
        ...anonymous,
        body: { token: made.body.token, password: secret },
      });
    const answers = await Promise.all(['first password', 'second password', 'third password'].map(redeem));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const signed = await attempt('race@example.com', ['first password', 'second password', 'third password'][winner]);
    expect(signed.status).toBe(200);
  });

  test('a link is for people who may sign in, made by administrators', async () => {
    const ask = (email: string, token?: string) =>
      app.request('POST', '/v1/auth/password-links', { body: { email }, ...(token ? { token } : {}) });
    expect((await ask('nobody@example.com')).status).toBe(404);
    expect((await ask('jo@example.com', await app.organization.memberToken())).status).toBe(403);
    const [first, second] = [await ask('none@example.com'), await ask('none@example.com')];
    const redeem = (token: string) =>
      app.request('POST', '/v1/auth/password-links/redeem', { ...anonymous, body: { token, password: 'aaaaaaaaaa' } });
    // the newer one is refused for its password alone
    expect([await redeem(first.body.token), await redeem(second.body.token)].map(({ status }) => status)).toEqual([
      401, 422,
    ]);
  });

  test('an unknown address, a wrong password, a user without one and a disabled user get one answer', async () => {
    await app.request('PATCH', '/v1/blueprints/_user/entities/kim@example.com', {
      body: { properties: { status: 'Disabled' } },
    });
    const before = await app.count('sessions');
    const answers = [
      await attempt('nobody@example.com'),
      await attempt('jo@example.com', 'wrong password'),
      await attempt('none@example.com'),
      await attempt('kim@example.com'),
      await attempt('jo@example.com', password, { organization: 'org_thereisnosuchone' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true);
    expect(await app.count('sessions')).toBe(before);
  });

  test('guessing is slowed, and the wait is said', async () => {
    const tries: Answer[] = [];
    for (let count = 0; count < 12; count += 1) tries.push(await attempt('guessed@example.com', `guess ${count}`));
    expect(tries.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(Number(tries[11]?.headers['retry-after'])).toBeGreaterThan(0);
    app.clock.advance(60_000);
  });

  test.each([
    [{}, ['/email', '/password']],
    [{ email: 5, password: ['x'] }, ['/email', '/password']],
    [{ email: 'jo@example.com', password: 'x'.repeat(1001) }, ['/password']],
    [{ email: 'x'.repeat(321), password: 'x', admin: true }, ['/email', '/admin']],
  ])('refuses the body %j with every issue', async (body, paths) => {
    const answer = await app.request('POST', '/v1/auth/sign-in', { ...anonymous, body });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test('a sign-in from another site is refused before anything is looked up', async () => {
    const answer = await app.request('POST', '/v1/auth/sign-in', {
      ...anonymous,
      headers: { 'sec-fetch-site': 'cross-site' },
      body: { email: 'jo@example.com', password },
    });
    expect([answer.status, answer.body.error]).toEqual([403, 'csrf_token_invalid']);
  });
});

describe('a session', () => {
  test('is always a new one, and the one that a planted cookie names ends', async () => {
    const first = await signInAs(app, 'jo@example.com', password);
    const again = await signInAs(app, 'jo@example.com', password, { cookie: first.cookie });
    expect(again.cookie).not.toBe(first.cookie);
    app.clock.advance(1000);
    expect((await me(first.cookie)).status).toBe(401);
    const planted = `portolan-session=${app.organization.id}.ses_planted000000000.${'a'.repeat(43)}`;
    const fixed = await signInAs(app, 'jo@example.com', password, { cookie: planted });
    expect(fixed.cookie).not.toBe(planted);
    expect((await me(planted)).status).toBe(401);
  });

  test('is not had by a cookie that was changed in any part', async () => {
    const { cookie } = await signInAs(app, 'jo@example.com', password);
    const [name, value = ''] = cookie.split('=') as [string, string];
    const [org = '', id = '', secret = ''] = value.split('.');
    const other = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
    const theirs = await app.createOrganization();
    for (const changed of [
      `${org}.${id}.${other}`,
      `${org}.${id}`,
      `${theirs.id}.${id}.${secret}`,
      `${org}.ses_aaaaaaaaaaaaaaaa.${secret}`,
      `${org}.${id}.${secret}x`,
      "x' or 1=1 --",
      'x'.repeat(10_000),
    ]) {
      expect((await me(`${name}=${changed}`)).status, changed.slice(0, 60)).toBe(401);
    }
    expect((await me(cookie)).status).toBe(200);
  });

  test('changes nothing without its token, and nothing from another site', async () => {
    const { cookie, csrf } = await signInAs(app, 'jo@example.com', password);
    const other = await signInAs(app, 'jo@example.com', password);
    const before = await app.count('api_tokens');
    const create = (headers: Record<string, string>) =>
      app.request('POST', '/v1/users/me/tokens', { token: null, headers, body: { name: `t${Math.random()}` } });
    for (const headers of [
      { cookie },
      { cookie, 'x-csrf-token': '' },
      { cookie, 'x-csrf-token': other.csrf },
      { cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' },
      { cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await create(headers);
      expect([answer.status, answer.body.error]).toEqual([403, 'csrf_token_invalid']);
    }
    expect(await app.count('api_tokens')).toBe(before);
    expect((await create({ cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  test('is not asked where a token is sent', async () => {
    const { cookie } = await signInAs(app, 'jo@example.com', password);
    const answer = await app.request('POST', '/v1/users/me/tokens', { headers: { cookie }, body: { name: 'bearer' } });
    expect(answer.status).toBe(201);
    expect(answer.body.token.owner).toBe(app.organization.clientId);
    const wrong = await app.request('GET', '/v1/auth/me', { token: 'nonsense', headers: { cookie } });
    expect(wrong.status).toBe(401);
  });

  test('is listed, ended alone and with the others, and by signing out', async () => {
    const all = await signed(list);
    await app.request('DELETE', '/v1/auth/sessions?include_current=true', all);
    const [one, two, three] = [await signed(list), await signed(list), await signed(list)];
    const listed = await app.request('GET', '/v1/auth/sessions', one);
    expect(listed.body.sessions).toHaveLength(3);
    expect(listed.body.sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const own = (await me(two.headers.cookie)).body.session.id;
    expect((await app.request('DELETE', `/v1/auth/sessions/${own}`, one)).status).toBe(200);
    expect((await app.request('DELETE', `/v1/auth/sessions/${own}`, one)).status).toBe(404);
    const rest = await app.request('DELETE', '/v1/auth/sessions', one);
    expect(rest.body.revoked).toBe(1);
    const out = await app.request('POST', '/v1/auth/sign-out', one);
    expect(String(out.headers['set-cookie'])).toContain('portolan-session=; Path=/; Max-Age=0');
    app.clock.advance(1000);
    for (const { headers } of [one, two, three]) expect((await me(headers.cookie)).status).toBe(401);
  });

  test('of somebody else is not there', async () => {
    const max = await signInAs(app, 'max@example.com', password);
    const mine = await signed();
    const answer = await app.request('DELETE', `/v1/auth/sessions/${max.body.session.id}`, mine);
    expect(answer.status).toBe(404);
    expect((await me(max.cookie)).status).toBe(200);
    expect((await app.request('GET', '/v1/auth/sessions')).body.sessions).toEqual([]);
    expect((await app.request('DELETE', '/v1/auth/sessions')).status).toBe(403);
  });

  test('ends within a second when its user is disabled or removed, and follows the role', async () => {
    const lee = await signInAs(app, 'lee@example.com', password);
    const change = (properties: object) =>
      app.request('PATCH', '/v1/blueprints/_user/entities/lee@example.com', { body: { properties } });
    await change({ port_role: 'Admin' });
    app.clock.advance(1000);
    expect((await me(lee.cookie)).body.roles).toEqual(['Admin']);
    await change({ port_role: 'Member', status: 'Disabled' });
    app.clock.advance(1000);
    expect((await me(lee.cookie)).status).toBe(401);
    await change({ status: 'Active' });
    const again = await signInAs(app, 'lee@example.com', password);
    await app.request('DELETE', '/v1/blueprints/_user/entities/lee@example.com');
    app.clock.advance(1000);
    expect((await me(again.cookie)).status).toBe(401);
    expect((await attempt('lee@example.com')).status).toBe(401);
  });
});

describe('the own password', () => {
  test('is changed with the one before; every other session and the cookie of the request end', async () => {
    const one = await signed('pat@example.com');
    const two = await signed('pat@example.com');
    const change = (currentPassword: string, newPassword: string) =>
      app.request('PUT', '/v1/auth/password', { ...one, body: { currentPassword, newPassword } });
    const wrong = await change('not this one', 'another horse battery');
    expect([wrong.status, wrong.body.error]).toEqual([403, 'sign_in_refused']);
    expect((await change(password, 'pat@example.com')).status).toBe(422);
    const changed = await change(password, 'another horse battery');
    expect(changed.status).toBe(200);
    const cookie = String(changed.headers['set-cookie']).split(';')[0] as string;
    app.clock.advance(1000);
    expect([(await me(one.headers.cookie)).status, (await me(two.headers.cookie)).status]).toEqual([401, 401]);
    expect((await me(cookie)).status).toBe(200);
    expect((await attempt('pat@example.com')).status).toBe(401);
    expect((await attempt('pat@example.com', 'another horse battery')).status).toBe(200);
  });

  test('is stored as argon2id, and sessions as hashes: nothing that is stored signs in', async () => {
    const { cookie } = await signInAs(app, 'jo@example.com', password);
    const rows = await app.database.rows<{ text: string }>(sql`
      select hash as text from user_passwords where org_id = ${app.organization.id}
      union all select row_to_json(s)::text from sessions s where org_id = ${app.organization.id}
      union all select row_to_json(j)::text from journal j where org_id = ${app.organization.id}`);
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toContain('$argon2id$');
    expect(all).not.toContain(cookie.split('.').at(-1));
    expect(all).not.toContain(password);
  });
});

async function signed(email = 'jo@example.com') {
  const { cookie, csrf } = await signInAs(app, email, password);
  return { token: null, headers: { cookie, 'x-csrf-token': csrf } };
}

test('a session ends when nobody uses it for a day, and after two weeks in any case; what has ended is removed', async () => {
  const aged = await createTestApp();
  await createEntity(aged.request, '_user', { identifier: 'jo@example.com', properties: { status: 'Invited' } });
  await redeemFor(aged, 'jo@example.com', password);
  const look = async (cookie: string) =>
    (await aged.request('GET', '/v1/auth/me', { token: null, headers: { cookie } })).status;
  const hour = 3_600_000;
  const idle = await signInAs(aged, 'jo@example.com', password);
  const used = await signInAs(aged, 'jo@example.com', password);
  for (let hours = 0; hours < 23; hours += 1) {
    aged.clock.advance(hour);
    expect(await look(used.cookie)).toBe(200);
  }
  aged.clock.advance(hour);
  expect([await look(idle.cookie), await look(used.cookie)]).toEqual([401, 200]);
  for (let days = 0; days < 26; days += 1) {
    aged.clock.advance(12 * hour);
    await look(used.cookie);
  }
  expect(await look(used.cookie)).toBe(401);
  expect(await aged.count('sessions')).toBeGreaterThan(0);
  const living = await signInAs(aged, 'jo@example.com', password);
  await tidySignIns(aged).run({}, jobContext());
  expect(await aged.count('sessions')).toBe(1);
  expect(await look(living.cookie)).toBe(200);
  await aged.close();
});
