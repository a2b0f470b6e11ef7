import { defaultMapping, type ExportedEntity, exportDocuments, mapDocuments } from '@portolan/backstage';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let backstage: Receiver;
let organization: TestOrganization;
let entities: Entity[] = [];

interface Entity {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}

const token = 'static-token-of-the-test';
beforeAll(async () => {
  app = await createTestApp();
  backstage = await startReceiver();
  backstage.answer = answer;
});
afterAll(async () => {
  await backstage.close();
  await app.close();
});
beforeEach(async () => {
  organization = await app.createOrganization();
  entities = [
    make('Group', 'payments', { type: 'team', children: [] }, []),
    make('Component', 'cart', { type: 'service', lifecycle: 'production', odd: { deep: [1] } }, [
      'ownedBy group:default/payments',
      'dependsOn resource:default/db',
      'partOf system:default/nowhere',
    ]),
    make('Resource', 'db', { type: 'database' }, ['ownedBy user:default/ada', 'dependsOn component:default/cart']),
    make('User', 'ada', { profile: { displayName: 'Ada', email: 'ada@example.com' } }, [
      'memberOf group:default/payments',
    ]),
    make('User', 'grace', {}, ['memberOf group:default/payments']),
  ];
});

function make(kind: string, name: string, spec: object, relations: readonly string[]): Entity {
  const stated = relations.map((relation) => {
    const [type, targetRef] = relation.split(' ');
    return { type, targetRef };
  });
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, etag: `${Math.random()}` };
  return { apiVersion: 'backstage.io/v1alpha1', kind, metadata, spec, relations: stated } as Entity;
}

/** The catalog API of Backstage as it is published, two entities a page. */
function answer({ path, headers, body }: ReceivedRequest): { status: number; body: string } {
  const url = new URL(path, 'http://backstage');
  if (headers.authorization !== `Bearer ${token}`)
    return { status: 401, body: '{"error":{"name":"AuthenticationError"}}' };
  if (url.pathname === '/api/catalog/entities/by-refs') {
    const { entityRefs } = JSON.parse(body) as { entityRefs: string[] };
    const items = entityRefs.map((ref) => entities.find((entity) => refOf(entity) === ref) ?? null);
    return { status: 200, body: JSON.stringify({ items }) };
  }
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const next = from + 2 < entities.length ? { nextCursor: String(from + 2) } : {};
  return { status: 200, body: JSON.stringify({ items: entities.slice(from, from + 2), pageInfo: next }) };
}

function refOf({ kind, metadata }: Entity): string {
  return `${kind}:${metadata.namespace}/${metadata.name}`.toLowerCase();
}

async function connect() {
  const body = { type: 'backstage', settings: { address: backstage.url }, secrets: { token }, scheduleMinutes: null };
  const saved = await organization.request('POST', '/v1/sources', { body });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
}

async function sync() {
  const started = await organization.request('POST', '/v1/sources/backstage/syncs', { body: { mode: 'full' } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  const { body } = await organization.request('GET', '/v1/sources/backstage/syncs');
  return body.syncs[0];
}

const read = async (blueprint: string, identifier: string) =>
  (await organization.request('GET', `/v1/blueprints/${blueprint}/entities/${identifier}`)).body.entity;

test('a check without the token says what to paste into Backstage; with it, it shows what comes', async () => {
  const body = { type: 'backstage', settings: { address: backstage.url } };
  const refused = await organization.request('POST', '/v1/sources/check', { body });
  expect(refused.body).toMatchObject({ checks: [{ name: 'credentials', state: 'failed' }] });
  expect(refused.body.checks[0].fix).toContain('externalAccess:');
  const passed = await organization.request('POST', '/v1/sources/check', { body: { ...body, secrets: { token } } });
  expect(passed.body).toMatchObject({ ok: true, checks: [{ name: 'first_page', state: 'passed' }] });
  expect(passed.body.sample.items.map(({ key }: { key: string }) => key)).toContain('component:default/cart');
});

test('a catalog is read whole, with owners, people and relations in both directions', async () => {
  await connect();
  const first = await sync();
  expect(first, JSON.stringify(first)).toMatchObject({
    status: 'completed',
    counts: { read: 5, refused: 0 },
  });
  expect(await read('component', 'cart')).toMatchObject({
    team: ['payments'],
    properties: { type: 'service', ref: 'component:default/cart', backstage: { spec: { odd: { deep: [1] } } } },
    relations: { dependsOnResources: ['db'], system: null },
  });
  expect(await read('resource', 'db')).toMatchObject({
    team: [],
    relations: { ownerUser: 'ada@example.com', dependsOnComponents: ['cart'] },
  });
  expect(await read('_user', 'ada@example.com')).toMatchObject({ title: 'Ada', team: ['payments'] });
  expect(await read('person', 'grace')).toMatchObject({ properties: { groups: ['payments'] } });
});

test('what did not change is not written again, what changed is, and what is gone goes', async () => {
  await connect();
  await sync();
  const again = await sync();
  expect(again.counts).toMatchObject({ created: 0, changed: 0 });
  entities = entities
    .filter(({ metadata }) => metadata.name !== 'grace')
    .map((entity) => (entity.metadata.name === 'db' ? { ...entity, spec: { type: 'cache' } } : entity));
  const changed = await sync();
  expect(changed.counts, JSON.stringify(changed)).toMatchObject({ created: 0, changed: 1, deleted: 1 });
  expect((await read('resource', 'db')).properties.type).toBe('cache');
  expect(await read('person', 'grace')).toBeUndefined();
});

test('a token that Backstage takes back stops the source with the next step, and deletes nothing', async () => {
  await connect();
  await sync();
  await organization.request('PATCH', '/v1/sources/backstage', { body: { secrets: { token: 'another' } } });
  const failed = await sync();
  expect(failed).toMatchObject({ status: 'failed', problem: { code: 'credentials_refused' }, counts: { deleted: 0 } });
  expect(failed.problem.fix).toContain('externalAccess:');
  expect(await read('component', 'cart')).toBeDefined();
});

test('what came in is given back as it was', async () => {
  await connect();
  await sync();
  const found: ExportedEntity[] = [];
  for (const blueprint of ['_team', '_user', 'person', 'component', 'resource']) {
    const path = `/v1/blueprints/${blueprint}/entities`;
    const { body } = await organization.request('GET', path);
    found.push(...body.entities.filter(({ properties }: ExportedEntity) => properties['backstage']));
  }
  const { documents } = exportDocuments(found);
  const expected = entities.map(({ metadata: { name }, kind, spec }) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind,
    metadata: { name, namespace: 'default' },
    spec,
  }));
  const byName = (left: { metadata?: unknown }, right: { metadata?: unknown }) =>
    JSON.stringify(left.metadata).localeCompare(JSON.stringify(right.metadata));
  expect(documents.map(({ document }) => document).toSorted(byName)).toEqual(expected.toSorted(byName));
});

test('the default mapping has an expression for every value that is mapped', () => {
  const mapped = new Map(defaultMapping.map((resource) => [resource['kind'], JSON.stringify(resource)]));
  const kinds = ['Component', 'API', 'Resource', 'System', 'Domain', 'Group', 'User', 'Location', 'Template'];
  const value = {
    type: 't',
    lifecycle: 'l',
    definition: '{}',
    remotes: [{}],
    steps: [{}],
    targets: ['a'],
    target: 'a',
  };
  const spec = {
    ...value,
    presence: 'required',
    parameters: {},
    owner: 'user:a',
    profile: { email: 'a@b.c', picture: 'p' },
  };
  const documents = kinds.map((kind) => {
    const metadata = {
      name: kind,
      description: 'd',
      tags: ['java'],
      labels: {},
      annotations: {},
      links: [{ url: 'https://a' }],
    };
    const document = { apiVersion: 'backstage.io/v1alpha1', kind, metadata, spec };
    return { document, resolved: document, place: {} };
  });
  for (const { kind, properties } of mapDocuments(documents).drafts) {
    for (const key of Object.keys(properties)) expect(mapped.get(kind), kind).toContain(`".properties.${key}"`);
  }
});
