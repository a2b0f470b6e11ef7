import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let asMember: Request;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'Crew' });
  const user = { team: 'crew', properties: { status: 'Active', port_role: 'Member' } };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', ...user });
  const token = await app.organization.personToken('pat@example.com');
  asMember = (method, path, options) => app.request(method, path, { token, ...options });
});
afterAll(() => app.close());

function tick(): string {
  app.clock.advance(1000);
  const at = app.clock.now().toISOString();
  app.clock.advance(1000);
  return at;
}

async function search(blueprint: string, body: object, request = app.request) {
  const answer = await request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const names = ({ entities }: { entities: { identifier: string }[] }) => entities.map(({ identifier }) => identifier);
const patch = (blueprint: string, identifier: string, body: object) =>
  app.request('PATCH', entityPath(blueprint, identifier), { body });
const remove = (blueprint: string, identifier: string) => app.request('DELETE', entityPath(blueprint, identifier));
const rule = (property: string, operator: string, value?: unknown) => ({
  property,
  operator,
  ...(value === undefined ? {} : { value }),
});
const where = (...rules: object[]) => ({ combinator: 'and', rules });

async function setUp() {
  const service = await createBlueprint(app.request, 'service', {
    properties: { tier: { type: 'number' }, seen: { type: 'string', format: 'date-time' } },
    relations: { next: { target: '_team' } },
    calculationProperties: { twice: { title: 'Twice', type: 'number', calculation: '.properties.tier * 2' } },
    ownership: { type: 'Direct' },
  });
  for (const [index, identifier] of ['a', 'b', 'c', 'd'].entries()) {
    await createEntity(app.request, service, { identifier, team: ['crew'], properties: { tier: index } });
  }
  const then = tick();
  await patch(service, 'a', { properties: { tier: 9 } });
  await remove(service, 'b');
  await patch(service, 'c', { identifier: 'z' });
  await createEntity(app.request, service, { identifier: 'e', properties: { tier: 2 } });
  return { service, then, now: tick() };
}

test('a page has the entities of then, with the deleted ones for administrators', async () => {
  const { service, then, now } = await setUp();
  const found = await search(service, { as_of: then });
  expect(names(found)).toEqual(['a', 'c', 'd', 'b']);
  expect(found.entities.map(({ properties }: { properties: object }) => properties)).toEqual([
    { tier: 0, seen: null },
    { tier: 2, seen: null },
    { tier: 3, seen: null },
    { tier: 1, seen: null },
  ]);
  expect(found.asOf).toMatchObject({ at: then, includesDeleted: true, entities: [], undecided: [] });
  expect(found).not.toHaveProperty('next');
  expect(names(await search(service, { as_of: now }))).toEqual(['a', 'z', 'd', 'e']);
  const seen = await search(service, { as_of: then }, asMember);
  expect([names(seen), seen.asOf.includesDeleted]).toEqual([['a', 'c', 'd'], false]);
});

test('pages of any size have every entity once', async () => {
  const { service, then } = await setUp();
  for (const limit of [1, 2, 3]) {
    const all: string[] = [];
    let from: string | undefined;
    do {
      const page = await search(service, { as_of: then, limit, ...(from ? { from } : {}) });
      expect(page.entities.length).toBeLessThanOrEqual(limit);
      all.push(...names(page));
      from = page.next;
    } while (from);
    expect(all).toEqual(['a', 'c', 'd', 'b']);
  }
  const strange = await app.request('POST', `/v1/blueprints/${service}/entities/search`, {
    body: { as_of: then, from: 'nonsense' },
  });
  expect([strange.status, issuePaths(strange.body)]).toEqual([422, ['/from']]);
});

test('rules compare the values of then', async () => {
  const { service, then } = await setUp();
  const find = async (...rules: object[]) => names(await search(service, { as_of: then, query: where(...rules) }));
  expect(await find(rule('tier', '<', 2))).toEqual(['a', 'b']);
  expect(await find(rule('$identifier', 'in', ['c', 'z']))).toEqual(['c']);
  expect(await find(rule('$team', 'contains', ['crew']), rule('tier', '=', 3))).toEqual(['d']);
  expect(await find(rule('next', 'isEmpty'), rule('tier', '=', 9))).toEqual([]);
});

test('what cannot be answered of the past is refused with each place', async () => {
  const { service, then } = await setUp();
  const rules = [
    rule('twice', '=', 2),
    { combinator: 'or', rules: [{ scorecard: 'ready', operator: '=', value: 'Gold' }, rule('tier', '=', 1)] },
    { operator: 'relatedTo', blueprint: '_team', value: 'crew' },
    { property: { path: ['next'] }, operator: 'matchAny', value: ['crew'] },
    rule('$datasource', '=', 'x'),
    { relation: 'next', targetProperty: '$title', operator: '=', value: 'Crew' },
  ];
  const body = { as_of: then, query: where(...rules) };
  const refused = await app.request('POST', `/v1/blueprints/${service}/entities/search`, { body });
  const places = ['0', '1/rules/0', '2', '3', '4', '5'].map((place) => `/query/rules/${place}`);
  expect([refused.status, issuePaths(refused.body)]).toEqual([422, places]);
  const sorted = await app.request('POST', `/v1/blueprints/${service}/entities/search`, {
    body: { as_of: then, sort: [{ property: 'tier' }] },
  });
  expect([sorted.status, issuePaths(sorted.body)]).toEqual([422, ['/sort']]);
});

const changes = (blueprint: string, from: string, to: string, rest = '', request = app.request) =>
  request('GET', `/v1/blueprints/${blueprint}/entity-changes?from=${from}&to=${to}${rest}`);

test('what changed between two moments is told of each entity once', async () => {
  const { service, then, now } = await setUp();
  const answer = await changes(service, then, now);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const told = answer.body.changes.map(({ identifier, change }: { identifier: string; change: string }) => [
    identifier,
    change,
  ]);
  expect(told).toEqual([
    ['a', 'changed'],
    ['b', 'deleted'],
    ['z', 'changed'],
    ['e', 'created'],
  ]);
  expect(answer.body.changes[0].differences).toEqual([{ path: 'properties.tier', before: 0, after: 9 }]);
  expect(answer.body.changes[2].differences).toEqual([{ path: 'identifier', before: 'c', after: 'z' }]);
  const all: string[] = [];
  let next = '';
  do {
    const page = await changes(service, then, now, `&limit=1${next}`);
    all.push(...page.body.changes.map(({ identifier }: { identifier: string }) => identifier));
    next = page.body.next ? `&next=${page.body.next}` : '';
  } while (next);
  expect(all).toEqual(['a', 'b', 'z', 'e']);
  const member = await changes(service, then, now, '', asMember);
  expect(member.body.changes.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['a', 'z', 'e']);
  expect([answer.body.includesDeleted, member.body.includesDeleted]).toEqual([true, false]);
});

test('what came and went in between, or is again as it was, is left out', async () => {
  const service = await createBlueprint(app.request, 'service', { properties: { tier: { type: 'number' } } });
  await createEntity(app.request, service, { identifier: 'same', properties: { tier: 1 } });
  await createEntity(app.request, service, { identifier: 'again', properties: { tier: 1 } });
  const from = tick();
  await patch(service, 'same', { properties: { tier: 2 } });
  tick();
  await patch(service, 'same', { properties: { tier: 1 } });
  await createEntity(app.request, service, { identifier: unique('brief') });
  await remove(service, 'again');
  tick();
  await createEntity(app.request, service, { identifier: 'again', properties: { tier: 2 } });
  const to = tick();
  const answer = await changes(service, from, to);
  const told = answer.body.changes.map(({ identifier, change }: { identifier: string; change: string }) => [
    identifier,
    change,
  ]);
  expect(told).toContainEqual(['again', 'deleted']);
  expect(told).toContainEqual(['again', 'created']);
  expect(told.filter(([identifier]: string[]) => identifier === 'same')).toEqual([]);
});

test('one entity is compared between two moments', async () => {
  const { service, then, now } = await setUp();
  const between = (identifier: string, request = app.request) =>
    request('GET', `${entityPath(service, identifier)}/changes?from=${then}&to=${now}`);
  expect((await between('a')).body.change).toMatchObject({
    change: 'changed',
    differences: [{ path: 'properties.tier', before: 0, after: 9 }],
  });
  expect((await between('b')).body.change).toMatchObject({ change: 'deleted' });
  expect((await between('d')).body.change).toMatchObject({ change: 'none', differences: [] });
  expect((await between('e')).body.change).toMatchObject({ change: 'created' });
  expect((await between('b', asMember)).status).toBe(404);
  const backwards = await app.request('GET', `${entityPath(service, 'a')}/changes?from=${now}&to=${then}`);
  expect([backwards.status, issuePaths(backwards.body)]).toEqual([422, ['{query}/to']]);
  const without = await app.request('GET', `${entityPath(service, 'a')}/changes?to=${then}`);
  expect([without.status, issuePaths(without.body)]).toEqual([422, ['{query}/from']]);
});

test('a reader sees the past of what they may read today, and with the scope for the audit log alone', async () => {
  const { service, then, now } = await setUp();
  const restrict = (read: object) =>
    app.request('PATCH', `/v1/blueprints/${service}/permissions`, { body: { entities: { read } } });
  await restrict({ roles: ['Admin'], ownedByTeam: true });
  // 'a' leaves the team: what it was under the team is no longer theirs to read
  await patch(service, 'a', { team: [] });
  expect(names(await search(service, { as_of: then }, asMember))).toEqual(['c', 'd']);
  expect((await asMember('GET', `${entityPath(service, 'a')}?as_of=${then}`)).status).toBe(404);
  expect((await asMember('GET', `${entityPath(service, 'a')}/changes?from=${then}&to=${now}`)).status).toBe(404);
  const told = await changes(service, then, now, '', asMember);
  expect(told.body.changes.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['z']);
  await restrict({ roles: ['Admin'], ownedByTeam: false });
  expect((await changes(service, then, now, '', asMember)).status).toBe(404);
  expect((await asMember('POST', `/v1/blueprints/${service}/entities/search`, { body: { as_of: then } })).status).toBe(
    404,
  );
  await restrict({ roles: ['Admin', 'Member'], ownedByTeam: false });

  const made = await app.request('POST', '/v1/users/me/tokens', {
    body: { name: unique('t'), scopes: ['read:entities'] },
  });
  const token: string = made.body.accessToken ?? made.body.token;
  const restricted: Request = (method, path, options) => app.request(method, path, { token, ...options });
  const answers = await Promise.all([
    restricted('GET', `${entityPath(service, 'a')}?as_of=${then}`),
    restricted('GET', `${entityPath(service, 'a')}/changes?from=${then}&to=${now}`),
    restricted('POST', `/v1/blueprints/${service}/entities/search`, { body: { as_of: then } }),
    changes(service, then, now, '', restricted),
  ]);
  expect(answers.map(({ body }) => body.error)).toEqual(Array(4).fill('insufficient_scope'));
  const other = await app.createOrganization();
  expect((await other.request('GET', `${entityPath(service, 'a')}?as_of=${then}`)).status).toBe(404);
  expect((await changes(service, then, now, '', other.request)).status).toBe(404);
});
