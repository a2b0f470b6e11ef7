import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/auth/access_token';
const ask = (body: unknown) => app.request('POST', path, { body, token: null });

describe('200', () => {
  test('a client id and its secret give a bearer token for three hours', async () => {
    const { clientId, clientSecret } = app.organization;
    const answer = await ask({ clientId, clientSecret });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      accessToken: expect.any(String),
      expiresIn: 10_800,
      tokenType: 'Bearer',
    });
    expect(String(answer.headers['content-type'])).toContain('application/json');
  });

  test('the token is a JWT that says whose it is and until when', async () => {
    const { clientId, id, token } = app.organization;
    const seconds = Math.floor(app.clock.now().getTime() / 1000);
    expect(decodeJwt(token)).toMatchObject({
      sub: clientId,
      orgId: id,
      isMachine: true,
      personalToken: false,
      iat: seconds,
      exp: seconds + 10_800,
    });
  });

  test('credentials of a person say so', async () => {
    await app.request('POST', '/v1/blueprints/_user/entities', {
      body: { identifier: 'jo@example.com', properties: { status: 'Active', port_role: 'Member' } },
    });
    const token = await app.organization.personToken('jo@example.com');
    expect(decodeJwt(token)).toMatchObject({ isMachine: false, personalToken: true });
  });
});

describe('401', () => {
  test('a wrong secret and an unknown client id are refused in the same words', async () => {
    const { clientId, clientSecret } = app.organization;
    const wrongSecret = await ask({ clientId, clientSecret: `${clientSecret}x` });
    const unknownId = await ask({ clientId: 'nobody', clientSecret });
    expect(wrongSecret.status).toBe(401);
    expect(unknownId.status).toBe(401);
    expect(unknownId.body).toEqual(wrongSecret.body);
    expect(wrongSecret.body).toEqual({
      ok: false,
      error: 'unauthorized',
      message: 'The client id or secret is wrong',
    });
  });
});

describe('422', () => {
  test('every field that is missing or unknown is named', async () => {
    const answer = await ask({ clientID: 'a', grant: 'b' });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toBe('invalid_request');
    expect(issuePaths(answer.body).sort()).toEqual(['/clientID', '/clientId', '/clientSecret', '/grant']);
  });

  test.each([[{ clientId: 1, clientSecret: 'x' }], [{ clientId: '', clientSecret: 'x' }], [[]], ['text']])(
    'no credentials: %j',
    async (body) => {
      expect((await ask(body)).status).toBe(422);
    },
  );

  test('no body at all is a body without fields', async () => {
    const answer = await app.request('POST', path, { token: null, headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body).sort()).toEqual(['/clientId', '/clientSecret']);
  });
});

test('a body that is not JSON is refused as that', async () => {
  const answer = await app.request('POST', path, { payload: '{"clientId":', token: null });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toBe('invalid_json');
});
