import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity } from '../../../test/catalog-fixtures.ts';
import { unchanged } from '../accounts/index.ts';
import { setBlueprintRights } from '../blueprints/index.ts';
import type { EntityRights } from '../rights/index.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  token = await app.organization.memberToken();
});
afterAll(() => app.close());

/** A blueprint with the entity `old`, and what a member may do with it. */
async function granting(rights: EntityRights): Promise<string> {
  const blueprint = await createBlueprint(app.request, 'granted');
  await createEntity(app.request, blueprint, { identifier: 'old', title: 'Old' });
  await app.database.transaction((tx) => setBlueprintRights(tx, app.organization.id, blueprint, unchanged(rights)));
  return blueprint;
}

const members = { roles: ['Member'] };
const upsert = (blueprint: string, identifier: string) =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, { body: { identifier, title: 'X' }, token });

describe('who may only update', () => {
  test('creates nothing by an upsert, alone or in bulk', async () => {
    const blueprint = await granting({ update: members });
    expect((await upsert(blueprint, 'old')).status).toBe(201);
    const refused = await upsert(blueprint, 'new');
    expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
    const body = { entities: [{ identifier: 'new' }, { identifier: 'old', title: 'Y' }] };
    const bulk = await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, { body, token });
    expect(bulk.body.errors).toMatchObject([{ index: 0, statusCode: 403, error: 'missing_permissions' }]);
    expect((await readEntity(app.request, blueprint, 'old')).title).toBe('Y');
    expect((await app.request('GET', entityPath(blueprint, 'new'))).status).toBe(404);
  });

  test('may not create what a relation misses', async () => {
    const target = await granting({ read: members });
    const blueprint = await createBlueprint(app.request, 'source', { relations: { to: { target } } });
    const rights = { update: members, register: members };
    await app.database.transaction((tx) => setBlueprintRights(tx, app.organization.id, blueprint, unchanged(rights)));
    const answer = await app.request(
      'POST',
      `/v1/blueprints/${blueprint}/entities?create_missing_related_entities=true`,
      {
        body: { identifier: 'a', relations: { to: 'new' } },
        token,
      },
    );
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
    expect((await app.request('GET', entityPath(target, 'new'))).status).toBe(404);
  });
});

test('who may only register changes nothing by an upsert', async () => {
  const blueprint = await granting({ register: members });
  expect((await upsert(blueprint, 'new')).status).toBe(201);
  expect((await upsert(blueprint, 'old')).status).toBe(403);
  expect((await app.request('PATCH', entityPath(blueprint, 'old'), { body: { title: 'X' }, token })).status).toBe(403);
  expect((await readEntity(app.request, blueprint, 'old')).title).toBe('Old');
});

test('who may not read finds nothing, in the words for what is not there', async () => {
  const nobody = { roles: [] };
  const blueprint = await granting({ read: nobody, register: nobody, update: nobody, unregister: nobody });
  const asked = async (name: string) => {
    const path = `/v1/blueprints/${name}`;
    const search = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: name }] };
    const answers = [
      await app.request('GET', `${path}/entities`, { token }),
      await app.request('GET', `${path}/entities/old`, { token }),
      await app.request('GET', `${path}/entities-count`, { token }),
      await app.request('POST', `${path}/entities`, { body: {}, token }),
      await app.request('PATCH', `${path}/entities/old`, { body: {}, token }),
      await app.request('DELETE', `${path}/entities/old`, { token }),
      await app.request('POST', `${path}/entities/search`, { body: {}, token }),
      await app.request('POST', '/v1/entities/search', { body: search, token }),
    ];
    return answers.map(({ status, body }) => `${status} ${JSON.stringify(body).replaceAll(name, '*')}`);
  };
  expect(await asked(blueprint)).toEqual(await asked('nobody'));
});
