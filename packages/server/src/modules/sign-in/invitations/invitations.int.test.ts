import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { besideTransaction } from '../../../../test/beside-transaction.ts';
import { type Answer, createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { onlyOn } from '../../../../test/database.ts';
import { jobContext } from '../../../../test/job-context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { tidySignIns } from '../tidy.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  // so that another administrator may stop being one
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'root@acme.dev', properties });
});
afterAll(() => app.close());

const password = 'correct horse battery';
const dayMs = 24 * 60 * 60 * 1000;
const address = (): string => `${unique('guest').toLowerCase()}@acme.dev`;
const anonymous = { token: null };
const invite = (email: string, more: object = {}, token?: string): Promise<Answer> =>
  app.request('POST', '/v1/invitations', { body: { email, ...more }, ...(token ? { token } : {}) });
const renew = (email: string): Promise<Answer> => app.request('POST', `/v1/invitations/${email}/renew`, { body: {} });
const revoke = (email: string): Promise<Answer> => app.request('DELETE', `/v1/invitations/${email}`);
const look = (token: string): Promise<Answer> =>
  app.request('POST', '/v1/auth/password-links/look', { ...anonymous, body: { token } });
const redeem = (token: string): Promise<Answer> =>
  app.request('POST', '/v1/auth/password-links/redeem', { ...anonymous, body: { token, password } });
const userStatus = async (email: string): Promise<string | number> => {
  const answer = await app.request('GET', `/v1/users/${email}`);
  return answer.status === 200 ? answer.body.user.status : answer.status;
};

async function invited(more: object = {}): Promise<{ email: string; token: string }> {
  const email = address();
  const made = await invite(email, more);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { email, token: made.body.link.token };
}

async function pending(email: string) {
  const { body } = await app.request('GET', '/v1/invitations');
  return body.invitations.find((each: { email: string }) => each.email === email);
}

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const table of await app.tenantTables()) {
    const rows = await app.database.rows<{ text: string }>(
      sql`select t::text as text from ${raw(`"${table}"`)} t /* all organizations */`,
    );
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

describe('an invitation', () => {
  test('ends in a person who is signed in, and its link says at every step how things stand', async () => {
    const email = address();
    const made = await invite(email.toUpperCase().replace('ACME.DEV', 'acme.dev'), { roles: ['Member'] });
    const { url, token, expiresAt } = made.body.link;
    expect(url).toBe(`http://127.0.0.1:3000/set-password#${token}`);
    expect(made.body.invitation).toMatchObject({ expiresAt, mail: { state: 'none', at: null, problem: null } });
    const named = made.body.invitation.email;
    expect((await look(token)).body).toEqual({
      ok: true,
      state: 'open',
      purpose: 'invitation',
      organization: { id: app.organization.id, name: expect.any(String) },
      madeBy: null,
      email: named,
      expiresAt,
    });
    expect(await pending(named)).toEqual(made.body.invitation);
    const done = await redeem(token);
    expect([done.status, done.body.user.status, done.body.roles]).toEqual([200, 'Active', ['Member']]);
    expect(await pending(named)).toBeUndefined();
    expect((await look(token)).body).toMatchObject({ state: 'used', email: null });
    const again = await redeem(token);
    expect([again.status, again.body.message]).toEqual([
      401,
      'The link was used already; sign in with the password that was set',
    ]);
    expect(await app.organization.journal()).toEqual(expect.arrayContaining([`user.invited ${named}`]));
  });

  test('says who made it, by name', async () => {
    const inviter = address();
    await createEntity(app.request, '_user', {
      identifier: inviter,
      title: 'Ana Silva',
      properties: { status: 'Active', port_role: 'Admin' },
    });
    const email = address();
    const made = await invite(email, {}, await app.organization.personToken(inviter));
    expect(made.body.invitation.invitedBy).toEqual({ id: inviter, name: 'Ana Silva' });
    expect((await look(made.body.link.token)).body.madeBy).toBe('Ana Silva');
  });

  test('leaves its secret nowhere: not in a row, a record or a job', async () => {
    const first = await invited();
    const again = await renew(first.email);
    const secrets = [first.token, again.body.link.token].map((token) => token.split('.')[2] as string);
    const stored = await everything();
    expect(stored).toContain(first.email);
    for (const secret of secrets) expect(stored).not.toContain(secret);
  });

  test('is told as it is while the organization takes no changes', async () => {
    const { token } = await invited();
    const freeze = (at: Date | null) =>
      app.database.executeAlone(sql`update organizations set frozen_at = ${at} where id = ${app.organization.id}`);
    await freeze(app.clock.now());
    const during = (await look(token)).body.state;
    const refused = await redeem(token);
    await freeze(null);
    expect([during, refused.status]).toEqual(['open', 503]);
    expect((await redeem(token)).status).toBe(200);
  });

  test('is renewed with a link that ends those before', async () => {
    const { email, token } = await invited();
    const again = await renew(email);
    expect(again.status).toBe(201);
    expect((await look(token)).body.state).toBe('replaced');
    expect((await redeem(token)).body.message).toBe('The link was replaced by a newer one; use that one');
    expect((await redeem(again.body.link.token)).status).toBe(200);
    expect((await renew(email)).status).toBe(404);
  });

  test('is too old after three days, and after a month nobody knows the link', async () => {
    const aged = await createTestApp();
    const made = await aged.request('POST', '/v1/invitations', { body: { email: 'old@acme.dev' } });
    const { token } = made.body.link;
    const seen = async () => aged.request('POST', '/v1/auth/password-links/look', { ...anonymous, body: { token } });
    aged.clock.advance(3 * dayMs - 1);
    expect((await seen()).body.state).toBe('open');
    aged.clock.advance(1);
    expect((await seen()).body.state).toBe('expired');
    const body = { token, password };
    const late = await aged.request('POST', '/v1/auth/password-links/redeem', { ...anonymous, body });
    expect([late.status, late.body.message]).toEqual([401, 'The link is too old; ask for a new one']);
    const admin = await aged.organization.approverToken();
    const [listed] = (await aged.request('GET', '/v1/invitations', { token: admin })).body.invitations;
    expect(listed).toMatchObject({ email: 'old@acme.dev', expiresAt: null });
    await tidySignIns(aged).run({}, jobContext());
    expect((await seen()).body.state).toBe('expired');
    aged.clock.advance(30 * dayMs);
    await tidySignIns(aged).run({}, jobContext());
    expect((await seen()).status).toBe(401);
    await aged.close();
  });

  test('that is taken back removes the user it created, and the link says so', async () => {
    const { email, token } = await invited();
    expect((await revoke(email)).body).toEqual({ ok: true, removed: true });
    expect(await userStatus(email)).toBe(404);
    expect((await look(token)).body).toMatchObject({ state: 'revoked', email: null });
    expect((await redeem(token)).status).toBe(401);
    expect((await revoke(email)).status).toBe(404);
    expect((await invite(email)).status).toBe(201);
    expect((await look(token)).body.state).toBe('revoked');
  });

  test('that is taken back leaves a user staged who was there before', async () => {
    const email = address();
    await createEntity(app.request, '_user', { identifier: email, properties: { status: 'Staged' } });
    const made = await renew(email);
    expect([made.status, await userStatus(email)]).toEqual([201, 'Invited']);
    expect((await revoke(email)).body.removed).toBe(false);
    expect(await userStatus(email)).toBe('Staged');
    expect(await pending(email)).toBeUndefined();
    expect((await redeem(made.body.link.token)).status).toBe(401);
    expect(await app.organization.journal()).toContain(`user.invitation_revoked ${email}`);
  });

  test('leaves a user active whom the catalog calls so', async () => {
    const email = address();
    await createEntity(app.request, '_user', { identifier: email, properties: { status: 'Active' } });
    expect([(await renew(email)).status, await userStatus(email)]).toEqual([201, 'Active']);
    expect([(await revoke(email)).status, await userStatus(email)]).toEqual([200, 'Active']);
  });

  test('by the older operation makes an invited user, whom taking it back removes', async () => {
    const email = address();
    await app.request('POST', '/v1/users/invite', { body: { invitee: { email } } });
    expect(await userStatus(email)).toBe('Invited');
    expect((await revoke(email)).body).toEqual({ ok: true, removed: true });
    expect(await userStatus(email)).toBe(404);
  });

  test('is no more what a link is for once the person has signed in', async () => {
    const { email, token } = await invited();
    expect((await look(token)).body.purpose).toBe('invitation');
    await redeem(token);
    const reset = await app.request('POST', '/v1/auth/password-links', { body: { email } });
    expect((await look(reset.body.token)).body).toMatchObject({ state: 'open', purpose: 'password' });
  });

  test('of somebody who has signed in cannot be taken back', async () => {
    const { email, token } = await invited();
    await redeem(token);
    expect((await revoke(email)).status).toBe(404);
    expect(await userStatus(email)).toBe('Active');
  });

  test('is for a new address, with roles and teams that exist', async () => {
    const { email } = await invited();
    expect((await invite(email)).status).toBe(409);
    const wrong = await invite(address(), { roles: ['King'], teams: ['nowhere'] });
    expect([wrong.status, wrong.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ['/roles/0', '/teams/0'],
    ]);
    expect((await invite('no address')).status).toBe(422);
    expect((await renew('nobody@acme.dev')).status).toBe(404);
  });

  test('works where users are no entities', async () => {
    const legacy = await app.createOrganization({ model: 'legacy' });
    const made = await legacy.request('POST', '/v1/invitations', { body: { email: 'jo@legacy.dev' } });
    expect((await redeem(made.body.link.token)).body.user).toMatchObject({ email: 'jo@legacy.dev', status: 'Active' });
    const other = await legacy.request('POST', '/v1/invitations', { body: { email: 'bo@legacy.dev' } });
    expect((await legacy.request('DELETE', '/v1/invitations/bo@legacy.dev')).body.removed).toBe(true);
    expect((await look(other.body.link.token)).body.state).toBe('revoked');
    expect((await app.request('GET', '/v1/invitations')).body.invitations).not.toContainEqual(
      expect.objectContaining({ email: 'jo@legacy.dev' }),
    );
  });
});

describe('whoever invites', () => {
  const scoped = async (...scopes: string[]): Promise<string> =>
    (await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('t'), scopes } })).body.accessToken;

  test('gives no more than they hold, and nothing is left of what was refused', async () => {
    await app.request('POST', '/v1/blueprints', { body: blueprintBody('ship') });
    await app.request('POST', '/v1/teams', { body: { name: 'crew' } });
    const entities = { update: { teams: ['crew'], roles: ['Admin'] } };
    await app.request('PATCH', '/v1/blueprints/ship/permissions', { body: { entities } });
    const token = await scoped('create:users', 'read:users', 'read:entities', 'update:entities');
    const before = await everything();
    for (const more of [{ roles: ['Admin'] }, { teams: ['crew'] }]) {
      const answer = await invite(address(), more, token);
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
      if ('teams' in more) expect(answer.body.message).toContain('Making a way to act as');
    }
    const known = new Set(before.split('\n'));
    // what the journal keeps of the refusals
    const left = (await everything()).split('\n').filter((line) => !known.has(line) && !line.includes('FAILURE'));
    expect(left.filter((line) => line.includes('guest'))).toEqual([]);
    expect((await invite(address(), {}, token)).status).toBe(201);
    expect((await invite(address(), {}, await app.organization.memberToken())).status).toBe(403);
    expect((await app.request('GET', '/v1/invitations', { token: await app.organization.memberToken() })).status).toBe(
      403,
    );
  });

  test('has given nothing to somebody who has more by now, or once they have less themselves', async () => {
    const token = await scoped('create:users');
    const email = address();
    const made = await invite(email, {}, token);
    await app.request('PATCH', `/v1/users/${email}`, { body: { roles: ['Admin'] } });
    expect((await look(made.body.link.token)).body).toMatchObject({ state: 'revoked', email: null });
    expect((await redeem(made.body.link.token)).status).toBe(401);

    const inviter = address();
    const properties = { status: 'Active', port_role: 'Admin' };
    await createEntity(app.request, '_user', { identifier: inviter, properties });
    const other = await invite(address(), {}, await app.organization.personToken(inviter));
    const demoted = await app.request('PATCH', `/v1/users/${inviter}`, { body: { roles: ['Member'] } });
    expect(demoted.status).toBe(200);
    expect((await look(other.body.link.token)).body.state).toBe('revoked');
    expect((await redeem(other.body.link.token)).status).toBe(401);
  });

  test('lets nobody in who was disabled or removed meanwhile', async () => {
    const disabled = await invited();
    const body = { properties: { status: 'Disabled' } };
    await app.request('PATCH', `/v1/blueprints/_user/entities/${disabled.email}`, { body });
    const removed = await invited();
    await app.request('DELETE', `/v1/users/${removed.email}`);
    for (const { token } of [disabled, removed]) {
      expect((await look(token)).body).toMatchObject({ state: 'revoked', email: null });
      expect((await redeem(token)).status).toBe(401);
    }
    expect((await renew(disabled.email)).status).toBe(404);
  });
});

describe('a link', () => {
  test('that two use at once lets one in', async () => {
    const { token } = await invited();
    const answers = await Promise.all([redeem(token), redeem(token), redeem(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('that is used while it is taken back does one or the other', async () => {
    const { email, token } = await invited();
    const [used, revoked] = await Promise.all([redeem(token), revoke(email)]);
    const status = await userStatus(email);
    expect([
      [200, 404, 'Active'],
      [401, 200, 404],
    ]).toContainEqual([used.status, revoked.status, status]);
  });

  test('cannot be guessed at leisure, from whatever place', async () => {
    const guesser = await createTestApp();
    const wrong = `${guesser.organization.id}.link_x.${'a'.repeat(43)}`;
    const ask = (path: string, body: object) =>
      guesser.request('POST', `/v1/auth/password-links/${path}`, { ...anonymous, body });
    const tries: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      tries.push((await ask('look', { token: wrong })).status);
      tries.push((await ask('redeem', { token: wrong, password })).status);
    }
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
    await guesser.close();
  });

  test('is looked at from the portal alone', async () => {
    const { token } = await invited();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const answer = await app.request('POST', '/v1/auth/password-links/look', { token: null, body: { token }, headers });
    expect(answer.status).toBe(403);
  });
});

onlyOn('postgres', 'two transactions are open at once', () => {
  test('nobody is invited anew who signs in at the same moment', async () => {
    const { email } = await invited();
    const signIn = (tx: Tx) =>
      tx.execute(sql`
        update users set last_login_at = now() where org_id = ${app.organization.id} and identifier = ${email}`);
    const again = await besideTransaction(app.database, { begin: signIn }, () => renew(email));
    expect([again.status, again.body.link]).toEqual([404, undefined]);
  });
});
