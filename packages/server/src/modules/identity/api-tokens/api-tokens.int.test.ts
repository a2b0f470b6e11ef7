import { hkdfSync } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/users/me/tokens';
const reads = '/v1/blueprints';
const day = 24 * 60 * 60 * 1000;

async function newPerson(role = 'Member'): Promise<{ email: string; token: string }> {
  const email = `${unique('person')}@example.com`;
  const properties = { status: 'Active', port_role: role };
  await createEntity(app.request, '_user', { identifier: email, properties });
  return { email, token: await app.organization.personToken(email) };
}

async function create(token: string, body: object = {}) {
  const answer = await app.request('POST', path, { token, body: { name: unique('token'), ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const readStatus = async (token: string): Promise<number> => (await app.request('GET', reads, { token })).status;
const later = (iso: number): string => new Date(app.clock.now().getTime() + iso).toISOString();

describe('a new token', () => {
  test('acts as its owner, with the rights the owner has at each request', async () => {
    const { email, token } = await newPerson();
    const { accessToken, expiresIn, tokenType } = await create(token);
    expect({ expiresIn, tokenType }).toEqual({ expiresIn: 30 * 24 * 60 * 60, tokenType: 'Bearer' });
    expect(decodeJwt(accessToken)).toMatchObject({ isMachine: false, personalToken: true, orgId: app.organization.id });
    const make = () => app.request('POST', reads, { token: accessToken, body: { title: 'X' } });
    expect((await make()).status).toBe(403);
    await app.request('PATCH', `/v1/blueprints/_user/entities/${email}`, {
      body: { properties: { port_role: 'Admin' } },
    });
    app.clock.advance(1000);
    expect((await make()).status).toBe(422);
  });

  test('of a credential of the organization acts as that, and ends with it', async () => {
    const made = await app.request('POST', '/v1/apps', { body: { name: unique('app'), role: 'Member' } });
    const { id: clientId, secret: clientSecret } = made.body.app;
    const issued = await app.request('POST', '/v1/auth/access_token', {
      body: { clientId, clientSecret },
      token: null,
    });
    const { accessToken, token } = await create(issued.body.accessToken);
    expect(token.owner).toBe(clientId);
    expect(decodeJwt(accessToken)).toMatchObject({ isMachine: true });
    expect(await readStatus(accessToken)).toBe(200);
    await app.request('DELETE', `/v1/apps/${clientId}`);
    app.clock.advance(1000);
    expect(await readStatus(accessToken)).toBe(401);
  });

  test('is shown once, is nowhere stored and not in the journal', async () => {
    const { token } = await newPerson();
    const { accessToken, token: shown } = await create(token, { scopes: ['read:entities'] });
    const listed = await app.request('GET', path, { token });
    expect(listed.body.tokens).toEqual([{ ...shown, lastUsedAt: null }]);
    expect(shown.hint).toBe(accessToken.slice(-4));
    const signature = accessToken.split('.')[2];
    const rows = await app.database.rows<{ text: string }>(sql`
      select (select string_agg(t::text, ' ') from api_tokens t where t.org_id = ${app.organization.id}) ||
        (select string_agg(j::text, ' ') from journal j where j.org_id = ${app.organization.id}) as text`);
    expect(rows[0]?.text).toContain(shown.id);
    expect(rows[0]?.text).not.toContain(signature);
  });

  test.each([
    ['an expiry in the past', () => ({ name: 'x', expiresAt: later(-1000) }), ['/expiresAt']],
    ['an expiry that is now', () => ({ name: 'x', expiresAt: later(0) }), ['/expiresAt']],
    ['an expiry in two years', () => ({ name: 'x', expiresAt: later(730 * day) }), ['/expiresAt']],
    ['no date', () => ({ name: 'x', expiresAt: 'soon' }), ['/expiresAt']],
    [
      'unknown scopes',
      () => ({ name: 'x', scopes: ['read:entities', 'rule:world', 'read'] }),
      ['/scopes/1', '/scopes/2'],
    ],
    ['no scope at all', () => ({ name: 'x', scopes: [] }), ['/scopes']],
    ['no name', () => ({ name: '  ' }), ['/name']],
    ['a name of 1 MB', () => ({ name: 'x'.repeat(1_000_000) }), ['/name']],
    ['an unknown field', () => ({ name: 'x', role: 'Admin' }), ['/role']],
    ['wrong types', () => ({ name: 1, scopes: 'read:*' }), ['/name', '/scopes']],
  ])('is refused with %s, and nothing is made', async (_what, body, paths) => {
    const before = await app.count('api_tokens');
    const answer = await app.request('POST', path, { body: body() });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, paths]);
    expect(await app.count('api_tokens')).toBe(before);
  });

  test('needs a name that the owner has not used, until that token is gone or expired', async () => {
    const { token } = await newPerson();
    const other = await newPerson();
    const first = await create(token, { name: 'ci', expiresAt: later(day) });
    const again = await app.request('POST', path, { token, body: { name: 'ci' } });
    expect([again.status, again.body.error]).toEqual([409, 'identifier_taken']);
    await create(other.token, { name: 'ci' });
    await app.request('DELETE', `${path}/${first.token.id}`, { token });
    await create(token, { name: 'ci', expiresAt: later(3000) });
    app.clock.advance(3000);
    await create(token, { name: 'ci' });
  });

  test('is one of at most fifty', async () => {
    const { token } = await newPerson();
    for (let index = 0; index < 50; index += 1) await create(token);
    const answer = await app.request('POST', path, { token, body: { name: 'one more' } });
    expect([answer.status, answer.body.error]).toEqual([409, 'limit_reached']);
  });
});

describe('a token is refused', () => {
  test('from the moment it expires', async () => {
    const { accessToken } = await create(app.organization.token, { expiresAt: later(10_000) });
    app.clock.advance(9_000);
    expect(await readStatus(accessToken)).toBe(200);
    app.clock.advance(1_000);
    expect(await readStatus(accessToken)).toBe(401);
  });

  test('within a second of being revoked, also by itself and by an administrator', async () => {
    const person = await newPerson();
    const [first, second, third] = [await create(person.token), await create(person.token), await create(person.token)];
    for (const each of [first, second, third]) expect(await readStatus(each.accessToken)).toBe(200);
    expect((await app.request('DELETE', `${path}/${first.token.id}`, { token: person.token })).status).toBe(200);
    expect((await app.request('DELETE', `${path}/${second.token.id}`, { token: second.accessToken })).status).toBe(200);
    expect((await app.request('DELETE', `/v1/organization/tokens/${third.token.id}`)).status).toBe(200);
    app.clock.advance(1000);
    for (const each of [first, second, third]) expect(await readStatus(each.accessToken)).toBe(401);
    expect((await app.request('GET', path, { token: person.token })).body.tokens).toEqual([]);
    expect((await app.request('DELETE', `${path}/${first.token.id}`, { token: person.token })).status).toBe(404);
  });

  test.each(['Disabled', 'removed'])('when its owner is %s', async (how) => {
    const { email, token } = await newPerson();
    const { accessToken } = await create(token);
    const user = `/v1/blueprints/_user/entities/${email}`;
    if (how === 'removed') await app.request('DELETE', user);
    else await app.request('PATCH', user, { body: { properties: { status: 'Disabled' } } });
    app.clock.advance(1000);
    expect(await readStatus(accessToken)).toBe(401);
  });

  test('when it is signed for another audience, issuer or organization, or not at all', async () => {
    const { accessToken } = await create(app.organization.token);
    const claims = decodeJwt(accessToken);
    const key = new Uint8Array(hkdfSync('sha256', Buffer.alloc(32, 7), '', 'portolan access tokens', 32));
    const sign = (changed: object, algorithm = 'HS256') =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(key);
    const other = await app.createOrganization();
    expect(await readStatus(await sign({}))).toBe(200);
    const [head, payload] = accessToken.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const bad of [
      await sign({ aud: 'another' }),
      await sign({ iss: 'another' }),
      await sign({ orgId: other.id }),
      await sign({ orgId: undefined }),
      await sign({ sid: 'another' }),
      await sign({ sid: undefined }),
      await sign({ kind: 'credential' }),
      await sign({ sub: 'tok_another' }),
      await sign({ exp: undefined }),
      await sign({}, 'HS512'),
      `${none}.${payload}.`,
      `${head}.${payload}.`,
    ]) {
      expect(await readStatus(bad), JSON.stringify(decodeJwt(bad))).toBe(401);
    }
  });
});

describe('rotation', () => {
  const rotate = (token: string, id: string, body?: object) =>
    app.request('POST', `${path}/${id}/rotate`, { token, ...(body ? { body } : {}) });

  test('with an overlap: old and new work until it ends, then the new one alone', async () => {
    const { token } = await newPerson();
    const made = await create(token, { scopes: ['read:*'] });
    const rotated = await rotate(token, made.token.id, { overlapSeconds: 60 });
    expect(rotated.body.token).toMatchObject({ id: made.token.id, scopes: ['read:*'], overlapEndsAt: later(60_000) });
    const [old, fresh] = [made.accessToken, rotated.body.accessToken];
    expect([await readStatus(old), await readStatus(fresh)]).toEqual([200, 200]);
    app.clock.advance(59_000);
    expect([await readStatus(old), await readStatus(fresh)]).toEqual([200, 200]);
    app.clock.advance(1_000);
    expect([await readStatus(old), await readStatus(fresh)]).toEqual([401, 200]);
    const listed = await app.request('GET', path, { token });
    expect(listed.body.tokens[0].overlapEndsAt).toBeNull();
  });

  test('without one ends the old token within a second, and a second rotation ends the first overlap', async () => {
    const { token } = await newPerson();
    const made = await create(token);
    const second = await rotate(token, made.token.id, { overlapSeconds: 3600 });
    const third = await rotate(token, made.token.id);
    app.clock.advance(1000);
    expect(await readStatus(made.accessToken)).toBe(401);
    expect(await readStatus(second.body.accessToken)).toBe(401);
    expect(await readStatus(third.body.accessToken)).toBe(200);
  });

  test('does not outlive the expiry, and revoking ends both', async () => {
    const { token } = await newPerson();
    const made = await create(token, { expiresAt: later(5000) });
    const rotated = await rotate(token, made.token.id, { overlapSeconds: 3600 });
    expect(rotated.body.expiresIn).toBe(5);
    const other = await create(token);
    const fresh = await rotate(token, other.token.id, { overlapSeconds: 3600 });
    await app.request('DELETE', `${path}/${other.token.id}`, { token });
    app.clock.advance(5000);
    for (const each of [made, rotated.body, other, fresh.body]) expect(await readStatus(each.accessToken)).toBe(401);
  });

  test.each([-1, 1.5, 'a', 31 * 24 * 60 * 60])(
    'of an overlap of %j is refused, and the token stays',
    async (overlapSeconds) => {
      const { token } = await newPerson();
      const made = await create(token);
      const answer = await rotate(token, made.token.id, { overlapSeconds });
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/overlapSeconds']]);
      app.clock.advance(1000);
      expect(await readStatus(made.accessToken)).toBe(200);
    },
  );
});

describe('tokens of others', () => {
  test('cannot be seen, rotated or revoked by another person, nor listed without being an administrator', async () => {
    const [mine, theirs] = [await newPerson(), await newPerson()];
    const { token, accessToken } = await create(theirs.token);
    expect((await app.request('GET', path, { token: mine.token })).body.tokens).toEqual([]);
    for (const [method, suffix] of [
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const foreign = await app.request(method, `${path}/${token.id}${suffix}`, { token: mine.token });
      const missing = await app.request(method, `${path}/tok_none${suffix}`, { token: mine.token });
      expect(foreign.status).toBe(404);
      expect(JSON.stringify(foreign.body).replaceAll(token.id, '*')).toBe(
        JSON.stringify(missing.body).replaceAll('tok_none', '*'),
      );
    }
    expect((await app.request('GET', '/v1/organization/tokens', { token: mine.token })).status).toBe(403);
    app.clock.advance(1000);
    expect(await readStatus(accessToken)).toBe(200);
    const all = await app.request('GET', '/v1/organization/tokens');
    expect(all.body.tokens).toContainEqual(expect.objectContaining({ id: token.id, owner: theirs.email }));
  });
});

test('every change is in the audit log, and nothing that could be used', async () => {
  const { email, token } = await newPerson();
  const made = await create(token);
  const rotated = await app.request('POST', `${path}/${made.token.id}/rotate`, { token });
  await app.request('DELETE', `${path}/${made.token.id}`, { token });
  const log = await app.organization.journal();
  expect(log.filter((line) => line.endsWith(made.token.id))).toEqual(
    ['created', 'rotated', 'revoked'].map((verb) => `token.${verb} ${made.token.id}`),
  );
  const { body } = await app.request('GET', '/v1/audit-log?resources=token&limit=3');
  expect(body.audits.map(({ action }: { action: string }) => action)).toEqual(['DELETE', 'UPDATE', 'CREATE']);
  expect(body.audits[2]).toMatchObject({
    resourceType: 'token',
    trigger: { by: { user: { email } } },
    diff: { after: { name: made.token.name, owner: email, scopes: ['*'] } },
  });
  for (const { accessToken } of [made, rotated.body]) {
    expect(JSON.stringify(body)).not.toContain(accessToken.split('.')[2]);
    expect(JSON.stringify(body)).not.toContain(decodeJwt(accessToken)['sid']);
  }
});

test('whoever makes too many is told when to go on', async () => {
  const { token } = await newPerson();
  const { token: own } = await create(token);
  const rotate = () => app.request('POST', `${path}/${own.id}/rotate`, { token });
  let answer = await rotate();
  for (let count = 0; answer.status === 200 && count < 200; count += 1) answer = await rotate();
  expect([answer.status, answer.body.error]).toEqual([429, 'too_many_requests']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  app.clock.advance(Number(answer.headers['retry-after']) * 1000);
  expect((await rotate()).status).toBe(200);
});
