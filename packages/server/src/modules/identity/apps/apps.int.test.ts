import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createEntity, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/apps';
const readStatus = async (token: string): Promise<number> =>
  (await app.request('GET', '/v1/blueprints', { token })).status;

async function exchange(clientId: string, clientSecret: string) {
  return app.request('POST', '/v1/auth/access_token', { body: { clientId, clientSecret }, token: null });
}

async function exchangeToken(clientId: string, clientSecret: string): Promise<string> {
  const answer = await exchange(clientId, clientSecret);
  expect(answer.status).toBe(200);
  return answer.body.accessToken;
}

async function create(body: object = {}, organization: TestOrganization = app.organization) {
  const answer = await organization.request('POST', path, { body: { name: unique('app'), ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.app;
}

describe('credentials of the organization', () => {
  test('are made once with their secret, listed without it, and give tokens', async () => {
    const made = await create();
    const token = await exchangeToken(made.id, made.secret);
    expect(await readStatus(token)).toBe(200);
    const { body } = await app.request('GET', path);
    const { secret, ...shown } = made;
    expect(body.apps).toContainEqual({ ...shown, lastUsedAt: app.clock.now().toISOString() });
    expect(JSON.stringify(body)).not.toContain(secret);
    const audit = await app.request('GET', '/v1/audit-log?resources=credential');
    expect(JSON.stringify(audit.body)).toContain(made.name);
    expect(JSON.stringify(audit.body)).not.toContain(secret);
  });

  test('are listed with the fields that are asked for', async () => {
    const { id, name } = await create();
    const { apps } = (await app.request('GET', `${path}?fields=id&fields=name&fields=secret`)).body;
    expect(apps).toContainEqual({ id, name });
  });

  test('of role Member may not do what administrators may', async () => {
    const made = await create({ role: 'Member' });
    const token = await exchangeToken(made.id, made.secret);
    expect((await app.request('GET', path, { token })).status).toBe(403);
    expect((await app.request('GET', '/v1/organization', { token })).status).toBe(200);
  });

  test('have names that are not taken twice, also not by renaming', async () => {
    const [first, second] = [await create(), await create()];
    const taken = await app.request('POST', path, { body: { name: first.name } });
    expect([taken.status, taken.body.error]).toEqual([409, 'identifier_taken']);
    const renamed = await app.request('PUT', `${path}/${second.id}`, { body: { name: first.name } });
    expect([renamed.status, renamed.body.error]).toEqual([409, 'identifier_taken']);
    const same = await app.request('PUT', `${path}/${first.id}`, { body: { name: first.name } });
    expect(same.status).toBe(200);
    const fresh = await app.request('PUT', `${path}/${second.id}`, { body: { name: 'Fresh' } });
    expect(fresh.body.app).toMatchObject({ id: second.id, name: 'Fresh' });
    expect(fresh.body.app.secret).toBeUndefined();
    expect(await readStatus(await exchangeToken(second.id, second.secret))).toBe(200);
  });

  test('with one name, made at the same moment, are made once', async () => {
    const name = unique('app');
    const answers = await Promise.all([1, 2, 3, 4].map(() => app.request('POST', path, { body: { name } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('that are deleted end with every token made by them, within a second', async () => {
    const made = await create();
    const token = await exchangeToken(made.id, made.secret);
    expect((await app.request('DELETE', `${path}/${made.id}`)).status).toBe(200);
    expect((await exchange(made.id, made.secret)).status).toBe(401);
    app.clock.advance(1000);
    expect(await readStatus(token)).toBe(401);
    expect((await app.request('DELETE', `${path}/${made.id}`)).status).toBe(404);
    expect((await app.request('PUT', `${path}/${made.id}`, { body: { name: 'x' } })).status).toBe(404);
  });

  test('in use, or the last that may administrate, are kept', async () => {
    const own = await app.createOrganization();
    const inUse = await own.request('DELETE', `${path}/${own.clientId}`);
    expect([inUse.status, inUse.body.error]).toEqual([409, 'credential_in_use']);
    const restricted = await own.request('POST', `${path}/${own.clientId}/permissions`, {
      body: { permissions: ['read:*'] },
    });
    expect([restricted.status, restricted.body.error]).toEqual([409, 'credential_in_use']);
    await createEntity(own.request, '_user', {
      identifier: 'admin@example.com',
      properties: { status: 'Active', port_role: 'Admin' },
    });
    const token = await own.personToken('admin@example.com');
    await create({ role: 'Member' }, own);
    await create({ scopes: ['read:*'] }, own);
    for (const [method, suffix, body] of [
      ['DELETE', '', undefined],
      ['POST', '/permissions', { permissions: ['read:*'] }],
    ] as const) {
      const answer = await app.request(method, `${path}/${own.clientId}${suffix}`, { token, body });
      expect([answer.status, answer.body.error]).toEqual([409, 'last_admin_credential']);
    }
    expect((await exchange(own.clientId, own.clientSecret)).status).toBe(200);
    await create({}, own);
    expect((await app.request('DELETE', `${path}/${own.clientId}`, { token })).status).toBe(200);
  });

  test.each([
    [{}, ['/name']],
    [{ name: '' }, ['/name']],
    [{ name: 'x', role: 'Owner' }, ['/role']],
    [{ name: 'x', scopes: ['everything'] }, ['/scopes/0']],
    [{ name: 'x', clientSecret: 'mine' }, ['/clientSecret']],
    [{ name: 'x'.repeat(101) }, ['/name']],
  ])('%j is refused', async (body, paths) => {
    const before = await app.count('credentials');
    const answer = await app.request('POST', path, { body });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, paths]);
    expect(await app.count('credentials')).toBe(before);
  });
});

describe('a new secret', () => {
  const rotate = (id: string, body?: object) =>
    app.request('POST', `${path}/${id}/rotate-secret`, body ? { body } : {});

  test('ends the old one, and the tokens made with it, at once', async () => {
    const made = await create();
    const old = await exchangeToken(made.id, made.secret);
    const { body } = await rotate(made.id);
    expect(body.app.secret).not.toBe(made.secret);
    expect((await exchange(made.id, made.secret)).status).toBe(401);
    app.clock.advance(1000);
    expect(await readStatus(old)).toBe(401);
    expect(await readStatus(await exchangeToken(made.id, body.app.secret))).toBe(200);
  });

  test('with an overlap leaves the old one until it ends', async () => {
    const made = await create();
    const old = await exchangeToken(made.id, made.secret);
    const { body } = await rotate(made.id, { overlapSeconds: 600 });
    const fresh = await exchangeToken(made.id, body.app.secret);
    app.clock.advance(599_000);
    const late = await exchangeToken(made.id, made.secret);
    for (const token of [old, late, fresh]) expect(await readStatus(token)).toBe(200);
    app.clock.advance(1000);
    for (const token of [old, late]) expect(await readStatus(token)).toBe(401);
    expect((await exchange(made.id, made.secret)).status).toBe(401);
    expect(await readStatus(fresh)).toBe(200);
  });

  test('replaces one that people chose', async () => {
    const own = await app.createOrganization();
    const member = await own.memberToken();
    const apps = (await own.request('GET', path)).body.apps;
    const chosen = apps.find(({ name }: { name: string }) => name === 'Made by a test');
    const rotated = await own.request('POST', `${path}/${chosen.id}/rotate-secret`, { body: { overlapSeconds: 60 } });
    expect((await exchange(chosen.id, 'a secret')).status).toBe(200);
    expect((await exchange(chosen.id, 'another secret')).status).toBe(401);
    expect((await exchange(chosen.id, rotated.body.app.secret)).status).toBe(200);
    expect(await readStatus(member)).toBe(200);
    app.clock.advance(60_000);
    expect((await exchange(chosen.id, 'a secret')).status).toBe(401);
    expect(await readStatus(member)).toBe(401);
  });
});

describe('credentials of a user', () => {
  const rotate = (email: string, options: object = {}) =>
    app.request('POST', `/v1/rotate-credentials/${email}`, options);

  async function newUser(): Promise<string> {
    const identifier = `${unique('user')}@example.com`;
    await createEntity(app.request, '_user', {
      identifier,
      properties: { status: 'Active', port_role: 'Member', port_type: 'Standard' },
    });
    return identifier;
  }

  test('are made anew, and the old ones end when the overlap does', async () => {
    const email = await newUser();
    const first = (await rotate(email)).body.credentials;
    const old = await exchangeToken(first.clientId, first.clientSecret);
    const second = (await rotate(email, { body: { overlapSeconds: 5 } })).body.credentials;
    expect(second.clientId).not.toBe(first.clientId);
    expect(await readStatus(old)).toBe(200);
    app.clock.advance(5000);
    expect(await readStatus(old)).toBe(401);
    expect((await exchange(first.clientId, first.clientSecret)).status).toBe(401);
    expect(await readStatus(await exchangeToken(second.clientId, second.clientSecret))).toBe(200);
    const audit = await app.request('GET', '/v1/audit-log?resources=credential&limit=2');
    expect(audit.body.audits[0].diff.after).toMatchObject({ user: email, endedCredentials: 1 });
    expect(JSON.stringify(audit.body)).not.toContain(second.clientSecret);
  });

  test('are for administrators and for the user, whoever else asks learns nothing', async () => {
    const [email, other] = [await newUser(), await newUser()];
    const token = await app.organization.personToken(email);
    const foreign = await rotate(other, { token });
    const missing = await rotate('nobody@example.com', { token });
    expect([foreign.status, foreign.body]).toEqual([403, missing.body]);
    expect((await rotate(email, { token })).status).toBe(200);
    expect((await rotate('nobody@example.com')).status).toBe(404);
  });

  test('of a disabled user give no token, those of a removed one never again', async () => {
    const email = await newUser();
    const { clientId, clientSecret } = (await rotate(email)).body.credentials;
    const user = `/v1/blueprints/_user/entities/${email}`;
    const setStatus = (status: string) => app.request('PATCH', user, { body: { properties: { status } } });
    await setStatus('Disabled');
    const disabled = await exchange(clientId, clientSecret);
    expect([disabled.status, disabled.body]).toEqual([401, (await exchange('nobody', 'x')).body]);
    await setStatus('Active');
    const token = await exchangeToken(clientId, clientSecret);
    await rotate(email, { body: { overlapSeconds: 3600 } });
    await app.request('DELETE', user);
    app.clock.advance(1000);
    expect(await readStatus(token)).toBe(401);
    expect((await exchange(clientId, clientSecret)).status).toBe(401);
  });
});
