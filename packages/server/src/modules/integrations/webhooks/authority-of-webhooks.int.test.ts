import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let things: string;
beforeAll(async () => {
  app = await createTestApp();
  things = await createBlueprint(app.request, 'thing');
  // an organization must keep one administrator, so another one exists
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'ada@example.com', properties });
});
afterAll(() => app.close());

async function restrictedTo(...scopes: string[]): Promise<string> {
  const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('token'), scopes } });
  return made.body.accessToken;
}

const create = (blueprint: string, properties?: object) => ({
  blueprint,
  entity: { identifier: '.body.id', ...(properties ? { properties } : {}) },
});

async function saved(token: string, mappings: readonly object[]) {
  const body = { identifier: unique('hook'), title: 'Hook', enabled: true, mappings };
  const created = await app.request('POST', '/v1/webhooks', { body, token });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { identifier: body.identifier, body, warning: String(created.headers['warning'] ?? '') };
}

/** Sends an event and returns its result. */
async function sent(identifier: string, payload: object) {
  const { webhookKey } = (await app.request('GET', `/v1/webhooks/${identifier}`)).body.integration;
  const taken = await app.request('POST', `/ingest/${webhookKey}`, { body: payload, token: null });
  expect(taken.status).toBeLessThan(300);
  await app.app.jobs.drain();
  return (await app.request('GET', `/v1/webhooks/${identifier}/deliveries`)).body.deliveries[0];
}

const isThere = async (entity: string, blueprint = things): Promise<boolean> =>
  (await app.request('GET', `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(entity)}`)).status === 200;

async function administrator() {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Admin' } });
  const change = (properties: object) =>
    app.request('PATCH', `/v1/blueprints/_user/entities/${encodeURIComponent(id)}`, { body: { properties } });
  return { id, token: await app.organization.personToken(id), change };
}

test('a webhook saved with a restricted token writes and deletes nothing that the token may not', async () => {
  const token = await restrictedTo('create:integrations', 'update:integrations');
  const member = `${unique('mo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', {
    identifier: member,
    properties: { status: 'Active', port_role: 'Member' },
  });
  await createEntity(app.request, things, { identifier: 'kept' });
  const before = await app.count('entities');
  const { identifier, warning } = await saved(token, [
    create(things),
    create('_user', { port_role: '"Admin"' }),
    { ...create(things), operation: 'delete' },
  ]);
  expect(warning).toContain('create:integrations');
  for (const id of ['made', 'kept', member]) {
    const delivery = await sent(identifier, { id });
    expect(delivery.state).toBe('failed');
    expect(JSON.stringify(delivery.results)).toMatch(/create:entities.*delete:entities/s);
  }
  expect(await app.count('entities')).toBe(before);
  expect((await readEntity(app.request, '_user', member)).properties.port_role).toBe('Member');
});

test('within its scopes it writes, and nobody becomes an administrator by it', async () => {
  const token = await restrictedTo('create:integrations', 'create:entities');
  const member = `${unique('mo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', {
    identifier: member,
    properties: { status: 'Active', port_role: 'Member' },
  });
  const { identifier } = await saved(token, [create(things), create('_user', { port_role: '"Admin"' })]);
  await sent(identifier, { id: member });
  expect(await isThere(member)).toBe(true);
  expect((await readEntity(app.request, '_user', member)).properties.port_role).toBe('Member');
});

test.each([
  ['an administrator no more', { port_role: 'Member' }],
  ['disabled', { status: 'Disabled' }],
])('it writes nothing once whoever saved it is %s, and everything once somebody saves it again', async (_w, change) => {
  const author = await administrator();
  const { identifier, body } = await saved(author.token, [create(things)]);
  const [first, second, third] = [unique('e'), unique('e'), unique('e')];
  expect((await sent(identifier, { id: first })).state).toBe('processed');
  expect((await author.change(change)).status).toBe(200);
  const refused = await sent(identifier, { id: second });
  expect(refused.state).toBe('failed');
  if ('status' in change) expect(refused.reason).toContain('has to save it again');
  expect((await app.request('PUT', `/v1/webhooks/${identifier}`, { body })).status).toBe(200);
  expect((await sent(identifier, { id: third })).state).toBe('processed');
  expect([await isThere(first), await isThere(second), await isThere(third)]).toEqual([true, false, true]);
});

test('one that was saved before rights were kept writes with those of its last editor', async () => {
  const author = await administrator();
  const { identifier } = await saved(author.token, [create(things)]);
  await app.database.transaction((tx) =>
    tx.execute(sql`
      update webhooks set authority = null where org_id = ${app.organization.id} and identifier = ${identifier}`),
  );
  const [first, second] = [unique('e'), unique('e')];
  expect((await sent(identifier, { id: first })).state).toBe('processed');
  await author.change({ port_role: 'Member' });
  expect((await sent(identifier, { id: second })).state).toBe('failed');
  expect([await isThere(first), await isThere(second)]).toEqual([true, false]);
});

test('a restricted token sees the address and secret only of a webhook that may do no more', async () => {
  const reading = await restrictedTo('read:integrations');
  const { identifier } = await saved(app.organization.token, [create(things)]);
  const one = (await app.request('GET', `/v1/webhooks/${identifier}`, { token: reading })).body.integration;
  expect(one).toMatchObject({ identifier });
  expect(Object.keys(one)).not.toContain('webhookKey');
  const all = (await app.request('GET', '/v1/webhooks', { token: reading })).body.integrations;
  expect(all.some((each: object) => 'url' in each)).toBe(false);
  expect((await app.request('GET', `/v1/webhooks/${identifier}`)).body.integration.webhookKey).toBeTruthy();
});
