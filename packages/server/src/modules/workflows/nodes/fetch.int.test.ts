import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';
import { fields, row } from '../../../platform/db/row.ts';

const authorsRow = row(fields('entities', 'text_authors'));

let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
  world = createNodeWorld(app);
  blueprint = await createBlueprint(app.request, 'host', {
    schema: { properties: { size: { type: 'number' }, note: { type: 'string' } } },
  });
  for (const [identifier, size] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const) {
    await createEntity(app.request, blueprint, { identifier, properties: { size, note: `n${size}` } });
  }
});
afterAll(async () => {
  await world.close();
  await app.close();
});

const sizeAbove = (value: unknown) => ({
  combinator: 'and',
  rules: [{ property: 'size', operator: '>', value }],
});
const fetch = (more: object = {}) => ({ type: 'FETCH' as const, blueprintIdentifier: blueprint, ...more });
const failed = (message: unknown) => ({ kind: 'ended', result: 'FAILED', message });

test('a step reads what its query finds, with values that are templates, and only the keys it names', async () => {
  const config = fetch({ query: sizeAbove('{{ .outputs.trigger.n }}'), include: ['$identifier', 'size'] });
  const outcome = await world.outcomeOf(config, { trigger: { n: 1 } });
  expect(outcome).toMatchObject({
    result: 'SUCCESS',
    raw: {
      entities: [
        { identifier: 'b', properties: { size: 2 } },
        { identifier: 'c', properties: { size: 3 } },
      ],
      count: 2,
      hasMore: false,
    },
    input: { query: sizeAbove(1) },
  });
  expect(JSON.stringify(outcome)).not.toContain('n2');
});

test('without a query all are read, up to its limit, and it says that there are more', async () => {
  expect(await world.outcomeOf(fetch({ limit: 2 }))).toMatchObject({ raw: { count: 2, hasMore: true } });
  expect(await world.outcomeOf(fetch())).toMatchObject({ raw: { count: 3, hasMore: false } });
});

test('a step that expects one entity gives it, or null, and fails where several match', async () => {
  const single = (n: number) => world.outcomeOf(fetch({ single: true, query: sizeAbove(n) }));
  expect(await single(2)).toMatchObject({ raw: { entity: { identifier: 'c' } } });
  expect(await single(3)).toMatchObject({ result: 'SUCCESS', raw: { entity: null } });
  expect(await single(1)).toMatchObject(failed(expect.stringContaining('Several entities match')));
});

test('it reads no more than whoever saved the workflow may', async () => {
  const asMember = { kind: 'person', id: 'jo@example.com', roles: ['Member'] } as const;
  const closed = await createBlueprint(app.request, 'closed');
  await createEntity(app.request, closed, { identifier: 'x' });
  const path = `/v1/blueprints/${closed}/permissions`;
  const entities = { read: { roles: ['Admin'], users: [], teams: [], ownedByTeam: false } };
  const locked = await app.request('PATCH', path, { body: { entities } });
  expect(locked.status, JSON.stringify(locked.body)).toBe(200);
  const config = { type: 'FETCH', blueprintIdentifier: closed } as const;
  expect(await world.outcomeOf(config)).toMatchObject({ raw: { count: 1 } });
  const seen = await world.outcomeOf(config, { actor: asMember });
  expect(JSON.stringify(seen)).not.toContain('"x"');
  const narrow = await world.outcomeOf(config, { actor: { scopes: ['read:actions'] } });
  expect(narrow).toMatchObject(failed(expect.stringContaining('read:entities')));
});

test('a template never leads to a blueprint of the platform', async () => {
  const config = { type: 'FETCH', blueprintIdentifier: '{{ .outputs.trigger.b }}' } as const;
  const outcome = await world.outcomeOf(config, { trigger: { b: '_user' } });
  expect(outcome).toMatchObject(failed(expect.stringContaining('belongs to the platform')));
  expect(await world.outcomeOf({ type: 'FETCH', blueprintIdentifier: '_user' })).toMatchObject({ result: 'SUCCESS' });
});

test('a query that comes to none, an unknown blueprint and one that came to nothing fail in words', async () => {
  const query = { combinator: 'and', rules: [{ property: 'size', operator: '>', value: '{{ .outputs.trigger.n }}' }] };
  const odd = await world.outcomeOf(fetch({ query }), { trigger: { n: {} } });
  expect(odd).toMatchObject(failed(expect.stringContaining('came to none')));
  const gone = await world.outcomeOf({ type: 'FETCH', blueprintIdentifier: unique('gone') });
  expect(gone).toMatchObject(failed(expect.stringContaining('Nothing was read')));
  const none = await world.outcomeOf({ type: 'FETCH', blueprintIdentifier: '{{ .outputs.none }}' });
  expect(none).toMatchObject(failed('The blueprint came to nothing'));
});

test('what it read counts as written by others', async () => {
  const thing = await createBlueprint(app.request, 'thing');
  const mapping = { identifier: 'x', title: 'n {{ .outputs.r.count }}' };
  const outcome = await world.outcomeOf(
    { type: 'UPSERT_ENTITY', blueprintIdentifier: thing, mapping },
    { outputs: { r: { count: 1 } }, others: [{ identifier: 'r', config: fetch() }] },
  );
  expect(outcome).toMatchObject({ result: 'SUCCESS' });
  const rows = await app.database.transaction((tx) =>
    tx.rows(authorsRow.sql`
      select e.text_authors as "textAuthors" from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
      where e.org_id = ${app.organization.id} and b.identifier = ${thing}`),
  );
  expect(rows[0]?.textAuthors).toContain('outside');
});

test('a query without templates is checked when the workflow is saved, with the place of each fault', async () => {
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    {
      identifier: 'read',
      config: fetch({ query: { combinator: 'and', rules: [{ property: 'size', operator: 'near', value: 1 }] } }),
    },
    { identifier: 'free', config: fetch({ query: sizeAbove('{{ .outputs.trigger.n }}') }) },
    { identifier: 'much', config: fetch({ limit: 1001 }) },
  ];
  const { body } = await app.request('POST', '/v1/workflows/validate', {
    body: { identifier: unique('flow'), nodes, connections: [] },
  });
  expect(body.isValid).toBe(false);
  const places = body.issues.map(({ path, code }: { path: string; code: string }) => `${code} ${path}`);
  expect(places).toEqual([
    'shape /nodes/3/config/limit',
    expect.stringMatching(/^query_invalid \/nodes\/1\/config\/query\/rules\/0/),
  ]);
});
