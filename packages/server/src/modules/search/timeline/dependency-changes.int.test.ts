import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let asMember: Request;
let service: string;
let library: string;
let incident: string;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'Crew' });
  const user = { team: 'crew', properties: { status: 'Active', port_role: 'Member' } };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', ...user });
  const token = await app.organization.personToken('pat@example.com');
  asMember = (method, path, options) => app.request(method, path, { token, ...options });
  library = await createBlueprint(app.request, 'library', {
    properties: { tier: { type: 'number', title: 'Tier' } },
    ownership: { type: 'Direct' },
  });
  service = await createBlueprint(app.request, 'service', {
    properties: { tier: { type: 'number', title: 'Tier' } },
    relations: { uses: { target: library, many: true }, team: { target: '_team' } },
  });
  incident = await createBlueprint(app.request, 'incident', {
    properties: { status: { type: 'string', enum: ['open', 'resolved'] } },
    relations: { to: { target: library }, on: { target: service } },
  });
});
afterAll(() => app.close());

interface Event {
  readonly kind: string;
  readonly title: string;
  readonly dependency: { readonly identifier: string; readonly title?: string };
}
interface Changes {
  readonly events: readonly Event[];
  readonly truncated: boolean;
  readonly entities: number;
}

const path = (identifier: string, query = '?include=dependencies') =>
  `${entityPath(service, identifier)}/timeline${query}`;
async function changes(identifier: string, request: Request = app.request): Promise<Changes> {
  const { status, body } = await request('GET', path(identifier));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.dependencies;
}
const told = ({ events }: Changes) => events.map(({ kind, title, dependency }) => [kind, title, dependency.identifier]);

async function create(blueprint: string, identifier: string, parts: object = {}): Promise<string> {
  const answer = await createEntity(app.request, blueprint, { identifier, ...parts });
  app.clock.advance(1000);
  return answer.identifier;
}
async function change(identifier: string, body: object): Promise<void> {
  const answer = await app.request('PATCH', entityPath(library, identifier), { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  app.clock.advance(1000);
}

test('changes and incidents of what an entity points to are told on request, each with its entity', async () => {
  const used = await create(library, unique('used'), { title: 'Used' });
  const other = await create(library, unique('other'));
  const asks = await create(service, unique('asks'), { relations: { uses: [used], team: 'crew' } });
  await create(incident, unique('down'), { title: 'Down', properties: { status: 'open' }, relations: { to: used } });
  await create(incident, unique('both'), { title: 'Both', relations: { to: used, on: asks } });
  await change(used, { properties: { tier: 2 } });
  await change(other, { properties: { tier: 3 } });
  const answer = await changes(asks);
  expect(told(answer)).toEqual([
    ['changed', 'Tier: empty → 2', used],
    ['incident', 'Down', used],
    ['created', 'Created', used],
  ]);
  expect(answer).toMatchObject({ truncated: false, entities: 1 });
  expect(answer.events[0]?.dependency).toEqual({ blueprint: library, identifier: used, title: 'Used' });
  // without being asked for they are not there, and what points here is no dependency
  expect((await app.request('GET', path(asks, ''))).body).not.toHaveProperty('dependencies');
  expect((await app.request('GET', `${entityPath(library, used)}/timeline?include=dependencies`)).body).toMatchObject({
    dependencies: { events: [], truncated: false, entities: 0 },
  });
});

test('another value of `include` is refused', async () => {
  const asks = await create(service, unique('asks'));
  const answer = await app.request('GET', path(asks, '?include=everything'));
  expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['{query}/include']]);
});

test('records under the name of an earlier entity are not told', async () => {
  const name = unique('name');
  const moved = await create(library, unique('moved'), { properties: { tier: 2 } });
  await create(library, name);
  await change(name, { properties: { tier: 3 } });
  await app.request('DELETE', entityPath(library, name));
  await change(moved, { identifier: name });
  const asks = await create(service, unique('asks'), { relations: { uses: [name] } });
  expect(told(await changes(asks))).toEqual([['changed', `Identifier: ${moved} → ${name}`, name]]);
});

test('a reader learns only of dependencies that they may read, and records only with the scope for them', async () => {
  const ours = await create(library, unique('ours'), { team: ['crew'] });
  const theirs = await create(library, unique('theirs'), { title: 'Hush' });
  const asks = await create(service, unique('asks'), { relations: { uses: [ours, theirs] } });
  await create(incident, unique('i'), { title: 'Hush too', relations: { to: theirs } });
  await create(incident, unique('i'), { title: 'Slow', relations: { to: ours } });
  const restrict = (read: object) =>
    app.request('PATCH', `/v1/blueprints/${library}/permissions`, { body: { entities: { read } } });
  expect((await restrict({ roles: ['Admin'], ownedByTeam: true })).status).toBe(200);
  const seen = await changes(asks, asMember);
  expect(told(seen)).toEqual([
    ['incident', 'Slow', ours],
    ['created', 'Created', ours],
  ]);
  expect(seen.entities).toBe(1);
  await restrict({ roles: ['Admin'], ownedByTeam: false });
  expect(await changes(asks, asMember)).toEqual({ events: [], truncated: false, entities: 0 });
  await restrict({ roles: ['Admin', 'Member'], ownedByTeam: false });

  const made = await app.request('POST', '/v1/users/me/tokens', {
    body: { name: unique('t'), scopes: ['read:entities'] },
  });
  const token: string = made.body.accessToken;
  const restricted = await changes(asks, (method, url, options) => app.request(method, url, { token, ...options }));
  expect(restricted.events.map(({ kind }) => kind)).toEqual(['incident', 'incident']);
  expect((await (await app.createOrganization()).request('GET', path(asks))).status).toBe(404);
});

test('three hundred dependencies are read, and more are said to be left out', async () => {
  const many = Array.from({ length: 301 }, (_, index) => `many-${index}`);
  for (let start = 0; start < many.length; start += 20) {
    const entities = many.slice(start, start + 20).map((identifier) => ({ identifier }));
    const answer = await app.request('POST', `/v1/blueprints/${library}/entities/bulk`, { body: { entities } });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  }
  app.clock.advance(1000);
  const all = await create(service, unique('asks'), { relations: { uses: many } });
  const answer = await changes(all);
  expect([answer.events.length, answer.truncated, answer.entities]).toEqual([200, true, 300]);
  const some = await create(service, unique('asks'), { relations: { uses: many.slice(0, 150) } });
  const fewer = await changes(some);
  expect([fewer.events.length, fewer.truncated, fewer.entities]).toEqual([150, false, 150]);
});
