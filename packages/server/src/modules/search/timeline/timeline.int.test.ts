import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let asMember: Request;
let service: string;
let deploy: string;
let incident: string;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['crew', 'others']) {
    await createEntity(app.request, '_team', { identifier, title: `Team ${identifier}` });
  }
  const user = { team: 'crew', properties: { status: 'Active', port_role: 'Member' } };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', ...user });
  const token = await app.organization.personToken('pat@example.com');
  asMember = (method, path, options) => app.request(method, path, { token, ...options });
  service = await createBlueprint(app.request, 'service', {
    properties: { tier: { type: 'number', title: 'Tier' }, note: { type: 'string' } },
    relations: { uses: { target: '_team', many: true, title: 'Uses' } },
    ownership: { type: 'Direct' },
  });
  const points = { to: { target: service } };
  deploy = await createBlueprint(app.request, 'deploy', {
    properties: {
      status: { type: 'string', enum: ['success', 'failed'] },
      deployedAt: { type: 'string', format: 'date-time' },
    },
    relations: points,
  });
  incident = await createBlueprint(app.request, 'incident', {
    properties: {
      status: { type: 'string', enum: ['open', 'resolved'] },
      openedAt: { type: 'string', format: 'date-time' },
    },
    relations: points,
    ownership: { type: 'Direct' },
  });
});
afterAll(() => app.close());

interface Event {
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  readonly [key: string]: unknown;
}

const day = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(app.clock.now().getTime() - days * day).toISOString();
const path = (identifier: string, query = '', blueprint = service) =>
  `${entityPath(blueprint, identifier)}/timeline${query}`;
async function timeline(request: Request, identifier: string, query = ''): Promise<Event[]> {
  const { status, body } = await request('GET', path(identifier, query));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.events;
}
const told = (events: readonly Event[]) =>
  events.map(({ kind, title, outcome }) => [kind, title, ...(outcome ? [outcome] : [])]);

async function newService(parts: object = {}): Promise<string> {
  const identifier = unique('thing');
  await createEntity(app.request, service, { identifier, ...parts });
  app.clock.advance(1000);
  return identifier;
}

async function change(identifier: string, body: object): Promise<void> {
  const answer = await app.request('PATCH', entityPath(service, identifier), { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  app.clock.advance(1000);
}

describe('the timeline of an entity', () => {
  test('tells changes, owners, deployments and incidents, newest first', async () => {
    const identifier = await newService({ team: 'crew' });
    await change(identifier, { properties: { tier: 2 } });
    await change(identifier, { team: 'others' });
    await change(identifier, { properties: { tier: 1, note: 'x' }, relations: { uses: ['crew'] } });
    await createEntity(app.request, deploy, {
      identifier: unique('d'),
      title: 'Release 7',
      properties: { status: 'failed', deployedAt: ago(2) },
      relations: { to: identifier },
    });
    await createEntity(app.request, incident, {
      identifier: unique('i'),
      title: 'Down',
      properties: { status: 'open', openedAt: ago(1) },
      relations: { to: identifier },
    });
    const events = await timeline(app.request, identifier);
    expect(told(events)).toEqual([
      ['changed', 'Tier, note, Uses changed'],
      ['owner', 'Owner: Team crew → Team others'],
      ['changed', 'Tier: empty → 2'],
      ['created', 'Created'],
      ['incident', 'Down', 'failure'],
      ['deployment', 'Release 7', 'failure'],
    ]);
    expect(events.slice(0, 4).every(({ audit }) => typeof audit === 'string')).toBe(true);
    expect(events.at(-1)?.['entity']).toMatchObject({ blueprint: deploy });
  });

  test('holds what lies between two moments only', async () => {
    const identifier = await newService();
    for (const days of [1, 5, 50]) {
      await createEntity(app.request, deploy, {
        identifier: unique('d'),
        title: `${days} days`,
        properties: { deployedAt: ago(days) },
        relations: { to: identifier },
      });
    }
    const between = (from: number, to: number) => timeline(app.request, identifier, `?from=${ago(from)}&to=${ago(to)}`);
    expect(told(await between(60, 3))).toEqual([
      ['deployment', '5 days'],
      ['deployment', '50 days'],
    ]);
    expect(told(await between(400, 40))).toEqual([['deployment', '50 days']]);
  });

  test('is refused for more than 400 days and for an end before its beginning', async () => {
    const identifier = await newService();
    for (const [query, at] of [
      [`?from=${ago(401)}&to=${ago(0)}`, '{query}/to'],
      [`?from=${ago(401)}`, '{query}/from'],
      [`?from=${ago(1)}&to=${ago(2)}`, '{query}/to'],
      [`?from=yesterday&to=${ago(0)}`, '{query}/from'],
    ] as const) {
      const answer = await app.request('GET', path(identifier, query));
      expect(answer.status, query).toBe(422);
      expect(issuePaths(answer.body), query).toEqual([at]);
    }
    expect((await app.request('GET', path('not-here'))).status).toBe(404);
  });

  test('says that there is more than 500', async () => {
    const identifier = await newService();
    const entities = Array.from({ length: 501 }, (_, index) => ({
      identifier: `bulk-${index}`,
      properties: { deployedAt: ago(1) },
      relations: { to: identifier },
    }));
    for (let start = 0; start < entities.length; start += 20) {
      const answer = await app.request('POST', `/v1/blueprints/${deploy}/entities/bulk`, {
        body: { entities: entities.slice(start, start + 20) },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }
    const { body } = await app.request('GET', path(identifier));
    expect([body.events.length, body.truncated]).toEqual([500, true]);
    const small = await app.request('GET', path(identifier, `?to=${ago(2)}`));
    expect([small.body.events.length, small.body.truncated]).toEqual([0, false]);
  });

  test('tells nothing of an earlier entity of the same name', async () => {
    const identifier = await newService();
    await change(identifier, { properties: { tier: 2 } });
    await change(identifier, { identifier: `${identifier}-moved` });
    await createEntity(app.request, service, { identifier });
    app.clock.advance(1000);
    expect(told(await timeline(app.request, identifier))).toEqual([['created', 'Created']]);
    // and one that took a name tells of itself since then
    const taken = await newService();
    await change(taken, { properties: { tier: 3 } });
    await app.request('DELETE', entityPath(service, identifier));
    await change(taken, { identifier });
    expect(told(await timeline(app.request, identifier))).toEqual([
      ['changed', `Identifier: ${taken} → ${identifier}`],
    ]);
  });
});

describe('readers who may not see all', () => {
  test('get no related entity and no entity that they may not read', async () => {
    const identifier = await newService({ team: 'crew' });
    const relations = { to: identifier };
    await createEntity(app.request, deploy, { identifier: unique('d'), title: 'Secret release', relations });
    await createEntity(app.request, incident, { identifier: unique('i'), title: 'Ours', team: 'crew', relations });
    await createEntity(app.request, incident, { identifier: unique('i'), title: 'Theirs', team: 'others', relations });
    const rights = { [deploy]: { read: { roles: ['Admin'] } }, [incident]: { read: { roles: [], ownedByTeam: true } } };
    const restrict = async (entities: Readonly<Record<string, object>>) => {
      for (const [blueprint, each] of Object.entries(entities)) {
        const answer = await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, {
          body: { entities: each },
        });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      }
    };
    await restrict(rights);
    expect(told(await timeline(asMember, identifier))).toEqual([
      ['incident', 'Ours'],
      ['created', 'Created'],
    ]);
    expect(await timeline(app.request, identifier)).toHaveLength(4);
    const counts = async (request: Request) => {
      const { status, body } = await request('POST', `${entityPath(service, identifier)}/related-counts`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.counts.map((each: Record<string, unknown>) => [
        each['direction'],
        each['blueprint'],
        each['relation'],
        each['count'],
      ]);
    };
    expect(await counts(app.request)).toEqual([
      ['outward', '_team', 'uses', 0],
      ['inward', deploy, 'to', 1],
      ['inward', incident, 'to', 2],
    ]);
    expect(await counts(asMember)).toEqual([
      ['outward', '_team', 'uses', 0],
      ['inward', incident, 'to', 1],
    ]);
    await restrict({ [service]: { read: { roles: ['Admin'] } } });
    expect((await asMember('GET', path(identifier))).status).toBe(404);
    expect((await asMember('POST', `${entityPath(service, identifier)}/related-counts`)).status).toBe(404);
    await restrict({
      [service]: { read: { roles: ['Admin', 'Member'] } },
      [deploy]: { read: { roles: ['Admin', 'Member'] } },
      [incident]: { read: { roles: ['Admin', 'Member'], ownedByTeam: false } },
    });
  });

  test('get no record and no run with a token that is restricted to entities', async () => {
    const identifier = await newService();
    await createEntity(app.request, deploy, {
      identifier: unique('d'),
      title: 'Shipped',
      relations: { to: identifier },
    });
    const restricted = await app.request('POST', '/v1/users/me/tokens', {
      body: { name: unique('t'), scopes: ['read:entities'] },
    });
    expect(restricted.status, JSON.stringify(restricted.body)).toBe(201);
    const token: string = restricted.body.accessToken;
    const asToken: Request = (method, where, options) => app.request(method, where, { token, ...options });
    expect(told(await timeline(asToken, identifier))).toEqual([['deployment', 'Shipped']]);
  });

  test('of another organization find nothing', async () => {
    const identifier = await newService();
    const other = await app.createOrganization();
    expect((await other.request('GET', path(identifier))).status).toBe(404);
    expect((await other.request('POST', `${entityPath(service, identifier)}/related-counts`)).status).toBe(404);
  });
});

describe('related entities', () => {
  test('are counted up to a thousand', async () => {
    const identifier = await newService();
    const count = async () =>
      (await app.request('POST', `${entityPath(service, identifier)}/related-counts`)).body.counts.find(
        (each: { blueprint: string }) => each.blueprint === deploy,
      );
    const add = async (from: number, to: number) => {
      for (let start = from; start < to; start += 20) {
        const entities = Array.from({ length: Math.min(20, to - start) }, (_, index) => ({
          identifier: `many-${start + index}`,
          relations: { to: identifier },
        }));
        await app.request('POST', `/v1/blueprints/${deploy}/entities/bulk`, { body: { entities } });
      }
    };
    await add(0, 1000);
    expect(await count()).toMatchObject({ count: 1000, exact: true });
    await add(1000, 1001);
    expect(await count()).toMatchObject({ count: 1000, exact: false });
  });
});
