import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';
import { createHost, scriptedSource } from '../../../../test/scripted-source.ts';

let app: TestApp;
const host = createHost([{ id: 'a', size: 1 }]);
beforeAll(async () => {
  app = await createTestApp({ sourceTypes: [scriptedSource(host), scriptedSource(host, { type: 'other' })] });
  await app.request('POST', '/v1/blueprints', {
    body: { identifier: 'mine', title: 'Mine', schema: { properties: {} } },
  });
  const body = { type: 'scripted', identifier: 'host', secrets: { token: host.token }, scheduleMinutes: null };
  const created = await app.request('POST', '/v1/sources', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  await app.request('POST', '/v1/sources/host/syncs', { body: {} });
  await app.app.jobs.drain();
});
afterAll(() => app.close());

async function moderatorOf(...blueprints: string[]): Promise<string> {
  const identifier = `${unique('mo').toLowerCase()}@example.com`;
  const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: blueprints };
  await createEntity(app.request, '_user', { identifier, properties });
  return app.organization.personToken(identifier);
}

async function restrictedTo(...scopes: string[]): Promise<string> {
  const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('t'), scopes } });
  return made.body.accessToken;
}

const own = {
  resources: [{ kind: 'thing', port: { entity: { mappings: { identifier: '.id', blueprint: '"mine"' } } } }],
};

test('who moderates other blueprints does not take a source over by another mapping', async () => {
  const token = await moderatorOf('mine');
  for (const body of [{ mapping: own }, { mapping: own, secrets: { token: 'theirs' } }, { isPaused: true }]) {
    const answer = await app.request('PATCH', '/v1/sources/host', { body, token });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
  }
  const saved = (await app.request('GET', '/v1/sources/host')).body.source;
  expect([saved.mapping.resources[0].port.entity.mappings.blueprint, saved.isPaused]).toEqual(['"thing"', false]);
  const both = await moderatorOf('mine', 'thing');
  expect((await app.request('PATCH', '/v1/sources/host', { body: { title: 'Host' }, token: both })).status).toBe(200);
});

test('whether somebody may add a source is told with its type, as saving decides', async () => {
  const member = await app.organization.memberToken();
  const asked = await app.request('GET', '/v1/source-types/scripted', { token: member });
  expect([asked.status, asked.body.allowed]).toEqual([200, { create: false }]);
  for (const [blueprints, may] of [
    [['mine'], false],
    [['mine', 'thing'], true],
  ] as const) {
    const token = await moderatorOf(...blueprints);
    const { allowed } = (await app.request('GET', '/v1/source-types/scripted', { token })).body;
    const body = { type: 'scripted', secrets: { token: host.token }, isPaused: true };
    const saved = await app.request('POST', '/v1/sources', { body, token });
    expect([allowed.create, saved.status]).toEqual([may, may ? 201 : 403]);
  }
  expect((await app.request('GET', '/v1/source-types/scripted')).body.allowed).toEqual({ create: true });
});

test('a check uses the secrets of a source for its own type alone, and a list of a member for none', async () => {
  const foreign = await app.request('POST', '/v1/sources/check', { body: { type: 'other', source: 'host' } });
  expect([foreign.status, issuePaths(foreign.body)]).toEqual([422, ['/type']]);
  const member = await app.organization.memberToken();
  const list = await app.request('POST', '/v1/sources', { body: { type: 'file', identifier: 'list' }, token: member });
  expect(list.status, JSON.stringify(list.body)).toBe(201);
  const body = { type: 'scripted', secrets: { token: host.token } };
  for (const source of ['list', undefined]) {
    const answer = await app.request('POST', '/v1/sources/check', { body: { ...body, source }, token: member });
    expect(answer.body.checks).toBeUndefined();
    expect([403, 422]).toContain(answer.status);
  }
});

test('plans, problems and what is missing tell nothing of entities that the caller may not read', async () => {
  const read = { roles: ['thing-moderator'], users: [], teams: [], ownedByTeam: false };
  const limited = await app.request('PATCH', '/v1/blueprints/thing/permissions', { body: { entities: { read } } });
  expect(limited.status, JSON.stringify(limited.body)).toBe(200);
  host.things = [{ id: 'a', size: 2 }, { id: 'secret', size: 'heavy' }, { id: 'new' }];
  const { id } = (await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'plan' } })).body.sync;
  await app.app.jobs.drain();
  host.things = [{ id: 'other' }];
  const started = await app.request('POST', '/v1/sources/host/syncs', { body: {} });
  await app.app.jobs.drain();
  const ended = (await app.request('GET', `/v1/sources/host/syncs/${started.body.sync.id}`)).body.sync;
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 1, deleted: 0 } });
  const told = async (token: string) => {
    const paths = [`/syncs/${id}/changes`, `/syncs/${id}/problems`, '/missing'];
    const answers = await Promise.all(paths.map((path) => app.request('GET', `/v1/sources/host${path}`, { token })));
    return answers.map(({ status, body }) => [status, (body.changes ?? body.problems ?? body.missing)?.length]);
  };
  const all = [
    [200, 2],
    [200, 1],
    [200, 1],
  ];
  expect(await told(app.organization.token)).toEqual(all);
  expect(await told(await moderatorOf('thing'))).toEqual(all);
  expect(await told(await moderatorOf('mine'))).toEqual(all.map(() => [200, 0]));
  expect(await told(await app.organization.memberToken())).toEqual(all.map(() => [200, 0]));
  const restricted = await restrictedTo('read:integrations');
  expect(await told(restricted)).toEqual(all.map(() => [403, undefined]));
});
