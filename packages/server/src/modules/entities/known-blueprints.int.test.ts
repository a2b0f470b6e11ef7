import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  token = await app.organization.memberToken();
});
afterAll(() => app.close());

/** Changes a blueprint's row as another replica would: this process is not told. */
const elsewhere = (blueprint: string, change: ReturnType<typeof sql>) =>
  app.database.transaction((tx) =>
    tx.execute(sql`
      update blueprints set ${change} where org_id = ${app.organization.id} and identifier = ${blueprint}`),
  );

const search = (blueprint: string, body: object, as?: string) =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body, ...(as ? { token: as } : {}) });

async function known(): Promise<string> {
  const blueprint = await createBlueprint(app.request, 'known', { properties: { n: { type: 'number' } } });
  await createEntity(app.request, blueprint, { identifier: 'a', properties: { n: 1 } });
  for (const as of [undefined, token]) {
    expect((await app.request('GET', entityPath(blueprint, 'a'), as ? { token: as } : {})).status).toBe(200);
    expect((await search(blueprint, {}, as)).body.entities).toHaveLength(1);
  }
  return blueprint;
}

describe('a blueprint that was read before', () => {
  test('is not read again for an entity or a page of them', async () => {
    const blueprint = await known();
    const sent = await app.countStatements(async () => {
      await app.request('GET', entityPath(blueprint, 'a'));
      await search(blueprint, { limit: 5 });
    });
    expect(sent).toBe(2);
  });

  test('grants nothing once its rights were taken away elsewhere, also where the version stayed', async () => {
    const blueprint = await known();
    await elsewhere(blueprint, sql`permissions = ${JSON.stringify({ read: { roles: ['Admin'] } })}`);
    expect((await app.request('GET', entityPath(blueprint, 'a'), { token })).status).toBe(404);
    expect((await search(blueprint, {}, token)).status).toBe(404);
    await elsewhere(blueprint, sql`permissions = null`);
    expect((await app.request('GET', entityPath(blueprint, 'a'), { token })).status).toBe(200);
  });

  test('refuses nothing that it has come to allow elsewhere', async () => {
    const blueprint = await known();
    const more = { n: { type: 'number' }, added: { type: 'number' } };
    await elsewhere(
      blueprint,
      sql`definition = jsonb_set(definition, '{schema,properties}', ${JSON.stringify(more)}::jsonb)`,
    );
    const sorted = await search(blueprint, { sort: [{ property: 'added', order: 'asc' }] });
    expect([sorted.status, sorted.body.entities?.[0]?.properties]).toEqual([200, { n: 1, added: null }]);
  });

  test('is nowhere once it has another name, and what takes its name is another one', async () => {
    const blueprint = await known();
    await elsewhere(blueprint, sql`identifier = identifier || '_before'`);
    expect((await app.request('GET', entityPath(blueprint, 'a'))).status).toBe(404);
    expect((await search(blueprint, {})).status).toBe(404);
    const body = { identifier: blueprint, title: 'Other', schema: { properties: {} } };
    expect((await app.request('POST', '/v1/blueprints', { body })).status).toBe(201);
    expect((await search(blueprint, {})).body.entities).toEqual([]);
  });
});
