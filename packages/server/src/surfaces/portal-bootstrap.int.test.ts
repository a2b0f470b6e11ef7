import { operations } from '@portolan/contract/operations';
import type { BootstrapPart } from '@portolan/contract/portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../test/build-test-app.ts';
import { blueprintBody, createEntity } from '../../test/catalog-fixtures.ts';
import { redeemFor, signInAs } from '../../test/sign-in-fixtures.ts';

const password = 'correct horse battery';
const people = {
  admin: { port_role: 'Admin' },
  member: { port_role: 'Member' },
  moderator: { port_role: 'Moderator', moderated_blueprints: ['service'] },
};
const paths = ['/', '/catalog/services', '/catalog/closed', '/e/service/one', '/e/service/none', '/runs', '/e/%E0/x'];

let app: TestApp;
let theirs: TestOrganization;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  app = await createTestApp();
  theirs = await app.createOrganization();
  for (const { request } of [app.organization, theirs]) {
    await request('POST', '/v1/blueprints', { body: blueprintBody('service') });
  }
  await createEntity(app.request, 'service', { identifier: 'one', title: 'One' });
  await createEntity(theirs.request, 'service', { identifier: 'none', title: 'Theirs' });
  await theirs.request('POST', '/v1/pages', { body: tablePage('theirs') });
  // a blueprint brings the page `services`
  const made = await app.request('POST', '/v1/pages', { body: tablePage('closed') });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const closed = { read: { roles: ['Admin'], users: [], teams: [] } };
  const shut = await app.request('PATCH', '/v1/pages/closed/permissions', { body: closed });
  expect(shut.status, JSON.stringify(shut.body)).toBe(200);
  for (const [name, properties] of Object.entries(people)) {
    const identifier = `${name}@example.com`;
    await createEntity(app.request, '_user', { identifier, properties: { status: 'Active', ...properties } });
    await redeemFor(app, identifier, password);
    cookies[name] = (await signInAs(app, identifier, password)).cookie;
  }
});
afterAll(() => app.close());

const tablePage = (identifier: string) => ({
  identifier,
  title: identifier,
  type: 'blueprint-entities',
  blueprint: 'service',
  widgets: [{ id: `${identifier}-table`, type: 'table-entities-explorer', blueprint: 'service' }],
});

const get = (path: string, name: string) =>
  app.request('GET', path, { token: null, headers: { cookie: cookies[name] ?? '' } });

async function bootstrap(path: string, name: string): Promise<readonly BootstrapPart[]> {
  const answer = await get(`/v1/portal/bootstrap?path=${encodeURIComponent(path)}`, name);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.body.parts;
}

/** The part asked for with its own operation. */
function alone({ operation: id, input: { params = {}, query = {} } }: BootstrapPart, name: string) {
  const { path = '' } = operations.find((each) => each.id === id) ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) for (const one of [value].flat()) search.append(key, String(one));
  return get(`${filled}?${search}`, name);
}

const named = (parts: readonly BootstrapPart[], operation: string) =>
  parts.filter((part) => part.operation === operation);

describe.each(Object.keys(people))('for a signed-in %s', (name) => {
  test.each(paths)('at %s every part is what its own operation answers', async (path) => {
    const parts = await bootstrap(path, name);
    expect(named(parts, 'getSidebar')).toHaveLength(1);
    expect(named(parts, 'getFavorites')).toHaveLength(1);
    const calls = parts.map(({ operation, input }) => JSON.stringify([operation, input]));
    expect(new Set(calls).size).toBe(calls.length);
    for (const part of parts) {
      const own = await alone(part, name);
      expect(own.status, part.operation).toBe(200);
      expect(part.answer, part.operation).toEqual(own.body);
      expect(part.etag).toBe(own.headers['etag']);
    }
  });
});

test('a page holds its table, and an entity its type, in the same answer', async () => {
  const page = (await bootstrap('/catalog/services', 'member')).map(({ operation }) => operation);
  expect(page).toEqual(
    expect.arrayContaining(['getPage', 'getPagePermissions', 'getBlueprint', 'getOwnRights', 'listTeams']),
  );
  const entity = await bootstrap('/e/service/one', 'member');
  expect(named(entity, 'getEntity')[0]?.answer).toMatchObject({ entity: { title: 'One' } });
});

test('what somebody may not see is not among the parts, and nothing that follows from it', async () => {
  expect(named(await bootstrap('/catalog/closed', 'admin'), 'getPage')).toHaveLength(1);
  for (const name of ['member', 'moderator']) {
    const parts = await bootstrap('/catalog/closed', name);
    expect(named(parts, 'getPage')).toEqual([]);
    expect(named(parts, 'getBlueprint')).toEqual([]);
    expect(JSON.stringify(named(parts, 'getSidebar'))).not.toContain('closed');
    expect(named(await bootstrap('/', name), 'getChecklist')).toEqual([]);
  }
});

test('another organization stays apart', async () => {
  for (const path of ['/catalog/theirs', '/e/service/none']) {
    const text = JSON.stringify(await bootstrap(path, 'admin'));
    expect(text).not.toContain('Theirs');
    expect(text).not.toContain('"theirs"');
    expect(text).not.toContain('"getEntity"');
  }
});

test('only a session gets it', async () => {
  const path = '/v1/portal/bootstrap?path=%2F';
  expect((await app.request('GET', path)).body.error).toBe('missing_permissions');
  expect((await app.request('GET', path, { token: null })).status).toBe(401);
});
