import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function tokenWith(...scopes: string[]): Promise<string> {
  const body = { name: scopes.join(' '), scopes };
  return (await app.request('POST', '/v1/users/me/tokens', { body })).body.accessToken;
}

const changelogDestination = { type: 'WEBHOOK', url: 'https://elsewhere.test' };
const blueprint = (identifier: string) => ({ identifier, title: identifier, schema: { properties: {} } });
const path = '/v1/blueprints/sent';

test('a token that reads no entities has none sent anywhere, and keeps the rest of what it may do', async () => {
  const blind = await tokenWith('create:blueprints', 'update:blueprints');
  const refused = {
    status: 403,
    body: { error: 'insufficient_scope', message: expect.stringContaining('read:entities') },
  };
  const write = (method: 'POST' | 'PUT' | 'PATCH', at: string, body: object, token = blind) =>
    app.request(method, at, { token, body });

  expect(await write('POST', '/v1/blueprints', { ...blueprint('sent'), changelogDestination })).toMatchObject(refused);
  expect(await write('POST', '/v1/blueprints', blueprint('sent'))).toMatchObject({ status: 201 });
  expect(await write('PATCH', path, { changelogDestination })).toMatchObject(refused);
  expect(await write('PUT', path, { ...blueprint('sent'), changelogDestination })).toMatchObject(refused);
  expect((await app.request('GET', path)).body.blueprint).not.toHaveProperty('changelogDestination');

  const reader = await tokenWith('update:blueprints', 'read:entities');
  expect(await write('PATCH', path, { changelogDestination }, reader)).toMatchObject({ status: 200 });
  // what somebody else saved stays, and may be taken away
  expect(await write('PATCH', path, { title: 'Sent' })).toMatchObject({ status: 200 });
  const moved = { ...changelogDestination, url: 'https://moved.test' };
  expect(await write('PATCH', path, { changelogDestination: moved })).toMatchObject(refused);
  expect(await write('PATCH', path, { changelogDestination: null })).toMatchObject({ status: 200 });
});
