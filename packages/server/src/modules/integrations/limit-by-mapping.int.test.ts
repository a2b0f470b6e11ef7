import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let organization: TestOrganization;
let things: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.createOrganization();
  things = await createBlueprint(organization.request, 'thing');
  await organization.request('POST', '/v1/integration', { body: { installationId: 'ours', config: mapping('a') } });
});

const mapping = (kind: string) => ({ resources: [{ kind }] });

/** Writes an entity with the user agent of the integration's framework. */
async function written(headers = { 'user-agent': 'port-ocean/jira/1.2.3/ours/exporter' }) {
  app.clock.advance(2_000);
  const body = { identifier: unique('made') };
  const answer = await organization.request('POST', `/v1/blueprints/${things}/entities`, { body, headers });
  return [answer.status, answer.body.message ?? ''];
}
async function save(config: object, token: string): Promise<void> {
  const saved = await organization.request('PATCH', '/v1/integration/ours', { body: { config }, token });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

async function restrictedTo(...scopes: string[]): Promise<string> {
  const made = await organization.request('POST', '/v1/users/me/tokens', { body: { name: unique('t'), scopes } });
  return made.body.accessToken;
}

test('an integration writes no more than whoever wrote its mapping, and says who has to do what', async () => {
  expect(await written()).toEqual([201, '']);
  await save(mapping('b'), await restrictedTo('update:integrations'));
  const [status, message] = await written();
  expect([status, message]).toEqual([403, expect.stringMatching(/create:entities.*"ours" does no more than/)]);
  expect((await written({ 'user-agent': 'port-ocean/jira/1.2.3/ours' }))[0]).toBe(403);
  expect(await written({ 'user-agent': 'port-ocean/jira/1.2.3/other/exporter' })).toEqual([201, '']);
  const headers = { 'user-agent': 'port-ocean/jira/1.2.3/ours/exporter' };
  expect((await organization.request('GET', '/v1/integration/ours', { headers })).status).toBe(200);
  await save(mapping('b'), organization.token);
  expect(await written()).toEqual([201, '']);
});

test('the same mapping from somebody with less takes nothing away, and neither does another title', async () => {
  const token = await restrictedTo('update:integrations');
  await save(mapping('a'), token);
  await organization.request('PATCH', '/v1/integration/ours', { body: { title: 'Ours' }, token });
  expect(await written()).toEqual([201, '']);
});

test('once whoever wrote the mapping is gone it writes nothing until somebody writes it again', async () => {
  const identifier = 'jo@example.com';
  const properties = { status: 'Active', port_role: 'Admin' };
  for (const each of [identifier, 'kim@example.com']) {
    await createEntity(organization.request, '_user', { identifier: each, properties });
  }
  await save(mapping('b'), await organization.personToken(identifier));
  expect(await written()).toEqual([201, '']);
  const removed = await organization.request('DELETE', `/v1/users/${identifier}`);
  expect(removed.status, JSON.stringify(removed.body)).toBe(200);
  expect(await written()).toEqual([403, expect.stringContaining('was removed or disabled')]);
  await save(mapping('b'), organization.token);
  expect(await written()).toEqual([201, '']);
});
