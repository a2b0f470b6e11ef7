import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, operatorToken, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity } from '../../../test/catalog-fixtures.ts';
import { createTokens, tokenSeconds } from './tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/blueprints';
const withHeader = (authorization: string) => app.request('GET', path, { token: null, headers: { authorization } });

describe('accepted', () => {
  test.each(['Bearer ', 'bearer ', 'BEARER  ', ''])('%j before the token', async (scheme) => {
    expect((await withHeader(scheme + app.organization.token)).status).toBe(200);
  });

  test('until the second before its expiry, and not after', async () => {
    const own = await createTestApp();
    try {
      own.clock.advance((tokenSeconds - 1) * 1000);
      expect((await own.request('GET', path)).status).toBe(200);
      own.clock.advance(1000);
      expect((await own.request('GET', path)).status).toBe(401);
    } finally {
      await own.close();
    }
  });
});

describe('401', () => {
  const [anyHeader, anyPayload] = ['{"alg":"none","typ":"JWT"}', '{"sub":"x"}'].map((text) =>
    Buffer.from(text).toString('base64url'),
  );

  test('no header', async () => {
    const answer = await app.request('GET', path, { token: null });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ ok: false, error: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each(['Bearer', 'Bearer ', 'Basic abc', 'Bearer x.y.z', `Bearer ${'x'.repeat(9000)}`])('%s', async (value) => {
    expect((await withHeader(value)).status).toBe(401);
  });

  test('a token that was tampered with', async () => {
    const [head, payload, signature] = app.organization.token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, orgId: 'org_other' })).toString('base64url');
    expect((await withHeader(`Bearer ${head}.${forged}.${signature}`)).status).toBe(401);
    expect((await withHeader(`Bearer ${head}.${payload}.${signature.slice(1)}`)).status).toBe(401);
  });

  test('a token without a signature', async () => {
    const payload = app.organization.token.split('.')[1];
    expect((await withHeader(`Bearer ${anyHeader}.${payload}.`)).status).toBe(401);
    expect((await withHeader(`Bearer ${anyHeader}.${anyPayload}.`)).status).toBe(401);
  });

  test('a token of another installation', async () => {
    const { clientId: id, id: orgId } = app.organization;
    const claims = { kind: 'credential', id, orgId, secretId: '', isMachine: true } as const;
    const foreign = await createTokens(Buffer.alloc(32, 8)).sign(claims, app.clock.now());
    expect((await withHeader(`Bearer ${foreign}`)).status).toBe(401);
  });

  test('the operator token is no token of an organization, nor the other way round', async () => {
    expect((await withHeader(`Bearer ${operatorToken}`)).status).toBe(401);
    expect((await app.request('GET', '/v1/operator/organizations')).status).toBe(401);
  });

  test('a token whose organization is gone, within a second', async () => {
    const removed = await app.createOrganization();
    expect((await removed.request('GET', path)).status).toBe(200);
    await app.operator('DELETE', `/v1/operator/organizations/${removed.id}`);
    app.clock.advance(1000);
    expect((await removed.request('GET', path)).status).toBe(401);
  });

  test('a person whose account was disabled or removed, within a second', async () => {
    const { request } = app;
    const user = { status: 'Active', port_role: 'Member' };
    for (const identifier of ['off@example.com', 'gone@example.com']) {
      await createEntity(request, '_user', { identifier, properties: user });
    }
    const off = await app.organization.personToken('off@example.com');
    const gone = await app.organization.personToken('gone@example.com');
    for (const token of [off, gone]) expect((await request('GET', path, { token })).status).toBe(200);
    await request('PATCH', '/v1/blueprints/_user/entities/off@example.com', {
      body: { properties: { status: 'Disabled' } },
    });
    await request('DELETE', '/v1/blueprints/_user/entities/gone@example.com');
    app.clock.advance(1000);
    for (const token of [off, gone]) expect((await request('GET', path, { token })).status).toBe(401);
  });

  test('comes before everything else is looked at', async () => {
    const answer = await app.request('POST', '/v1/blueprints/none/entities', { payload: '{', token: 'x' });
    expect(answer.status).toBe(401);
  });
});

describe('403', () => {
  test('a member may read and not write, and nothing is written', async () => {
    const token = await app.organization.memberToken();
    const body = { identifier: 'x', title: 'X', schema: { properties: {} } };
    const before = await app.count('journal');
    const refused = await app.request('POST', path, { body, token });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toBe('missing_permissions');
    const entity = { identifier: 'x', title: 'X' };
    for (const [method, target] of [
      ['PUT', `${path}/_team`],
      ['PATCH', `${path}/_team`],
      ['DELETE', `${path}/_team`],
      ['POST', `${path}/_team/entities`],
      ['POST', `${path}/_team/entities?upsert=true`],
      ['PUT', `${path}/_team/entities/x`],
      ['PATCH', `${path}/_team/entities/x`],
      ['DELETE', `${path}/_team/entities/x`],
    ] as const) {
      const sent = method === 'DELETE' ? undefined : target.includes('/entities') ? entity : body;
      const answer = await app.request(method, target, { body: sent, token });
      expect([method, target, answer.status]).toEqual([method, target, 403]);
    }
    const bulk = await app.request('POST', `${path}/_team/entities/bulk`, { body: { entities: [body] }, token });
    expect(bulk.status).toBe(403);
    const deletion = await app.request('POST', `${path}/_team/bulk/entities/delete`, {
      body: { entities: ['x'] },
      token,
    });
    expect(deletion.status).toBe(403);
    expect(await app.count('journal')).toBe(before);
    expect((await app.request('GET', path, { token })).status).toBe(200);
  });

  test('the right comes before the body on operations for administrators', async () => {
    const token = await app.organization.memberToken();
    expect((await app.request('POST', path, { payload: '{', token })).status).toBe(403);
  });
});
