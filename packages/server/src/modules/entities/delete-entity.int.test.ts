import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
  searchIn,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Three blueprints, each requiring the one before, and a fourth that only points. */
async function setUp() {
  const base = await createBlueprint(app.request, 'base');
  const middle = await createBlueprint(app.request, 'middle', {
    relations: { base: { target: base, required: true } },
  });
  const leaf = await createBlueprint(app.request, 'leaf', {
    relations: { middle: { target: middle, required: true } },
  });
  const loose = await createBlueprint(app.request, 'loose', {
    relations: { one: { target: base }, many: { target: base, many: true } },
    mirrorProperties: { name: { path: 'one.$title' }, names: { path: 'many.$title' } },
  });
  await createEntity(app.request, base, { identifier: 'b', title: 'B' });
  await createEntity(app.request, base, { identifier: 'c', title: 'C' });
  await createEntity(app.request, middle, { identifier: 'm', relations: { base: 'b' } });
  await createEntity(app.request, leaf, { identifier: 'l', relations: { middle: 'm' } });
  await createEntity(app.request, loose, { identifier: 'o', relations: { one: 'b', many: ['c', 'b'] } });
  const exists = async (blueprint: string, identifier: string) =>
    (await app.request('GET', entityPath(blueprint, identifier))).status === 200;
  return { base, middle, leaf, loose, exists };
}

const bulkDelete = (blueprint: string, entities: unknown, query = '') =>
  app.request('POST', `/v1/blueprints/${blueprint}/bulk/entities/delete${query}`, { body: { entities } });

describe('one', () => {
  test('is gone, with its relations and what counted or mirrored it', async () => {
    const { leaf, middle, exists } = await setUp();
    const answer = await app.request('DELETE', entityPath(leaf, 'l'));
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(await exists(leaf, 'l')).toBe(false);
    expect((await app.organization.journal()).at(-1)).toBe('entity.deleted l');
    expect((await app.request('DELETE', entityPath(middle, 'm'))).status).toBe(200);
  });

  test('that others require is kept, and so are they', async () => {
    const { base, exists } = await setUp();
    const before = await app.organization.journal();
    const answer = await app.request('DELETE', entityPath(base, 'b'));
    expect([answer.status, answer.body.error]).toEqual([409, 'has_dependents']);
    expect(answer.body.details.dependents).toHaveLength(1);
    expect(await exists(base, 'b')).toBe(true);
    expect(await app.organization.journal()).toEqual(before);
  });

  test('takes along those that require it, if told, over any number of steps, and no others', async () => {
    const { base, middle, leaf, loose, exists } = await setUp();
    const before = (await app.organization.journal()).length;
    expect((await app.request('DELETE', `${entityPath(base, 'b')}?delete_dependents=true`)).status).toBe(200);
    expect([await exists(base, 'b'), await exists(middle, 'm'), await exists(leaf, 'l')]).toEqual([
      false,
      false,
      false,
    ]);
    const left = await readEntity(app.request, loose, 'o');
    expect(left.relations).toEqual({ one: null, many: ['c'] });
    expect(left.properties).toEqual({ name: null, names: ['C'] });
    const said = (await app.organization.journal()).slice(before);
    expect(said.sort()).toEqual(['entity.deleted b', 'entity.deleted l', 'entity.deleted m']);
  });

  test('that is the last of a list leaves an empty one, which is found as empty', async () => {
    const { base, loose } = await setUp();
    expect((await app.request('DELETE', entityPath(base, 'c'))).status).toBe(200);
    await app.request('PATCH', entityPath(loose, 'o'), { body: { relations: { one: null, many: ['b'] } } });
    await createEntity(app.request, base, { identifier: 'd' });
    await createEntity(app.request, loose, { identifier: 'p', relations: { many: ['d'] } });
    await createEntity(app.request, loose, { identifier: 'q', relations: { many: [] } });
    await app.request('DELETE', entityPath(base, 'd'));
    expect((await readEntity(app.request, loose, 'p')).relations['many']).toEqual([]);
    expect(await searchIn(app.request, loose, { property: 'many', operator: 'isEmpty' })).toEqual(['p', 'q']);
  });

  test('that requires itself goes', async () => {
    const blueprint = await createBlueprint(app.request, 'self');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { to: { target: blueprint, required: true } } },
    });
    const made = await app.request('POST', `/v1/blueprints/${blueprint}/entities`, {
      body: { identifier: 'a', relations: { to: 'a' } },
    });
    expect(made.status).toBe(201);
    expect((await app.request('DELETE', entityPath(blueprint, 'a'))).status).toBe(200);
  });

  test.each([
    ['none', 'a'],
    ['_team', 'ghost'],
  ])('404 for %s/%s', async (blueprint, identifier) => {
    const answer = await app.request('DELETE', entityPath(blueprint, identifier));
    expect([answer.status, answer.body.ok, answer.body.error]).toEqual([404, false, 'not_found']);
  });
});

describe('many', () => {
  test('go together', async () => {
    const { base, middle, leaf, exists } = await setUp();
    const answer = await bulkDelete(leaf, ['l', 'l']);
    expect([answer.status, answer.body]).toEqual([200, { ok: true, deletedEntities: ['l'] }]);
    expect((await bulkDelete(middle, ['m'])).status).toBe(200);
    expect((await bulkDelete(base, ['c', 'b'])).body.deletedEntities).toEqual(['c', 'b']);
    expect([await exists(base, 'b'), await exists(base, 'c')]).toEqual([false, false]);
  });

  test('or none of them: one is required, or one is missing', async () => {
    const { base, exists } = await setUp();
    const before = await app.organization.journal();
    const blocked = await bulkDelete(base, ['c', 'b']);
    expect([blocked.status, blocked.body.error]).toEqual([409, 'has_dependents']);
    const missing = await bulkDelete(base, ['c', 'ghost']);
    expect([missing.status, missing.body.error]).toEqual([404, 'not_found']);
    expect(await exists(base, 'c')).toBe(true);
    expect(await app.organization.journal()).toEqual(before);
    expect((await bulkDelete(base, ['c', 'b'], '?delete_dependents=true')).status).toBe(200);
  });

  test('each may require another of them', async () => {
    const blueprint = await createBlueprint(app.request, 'pair');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { to: { target: blueprint, required: true } } },
    });
    const body = {
      entities: [
        { identifier: 'a', relations: { to: 'b' } },
        { identifier: 'b', relations: { to: 'a' } },
      ],
    };
    await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body });
    expect((await bulkDelete(blueprint, ['a'])).status).toBe(409);
    expect((await bulkDelete(blueprint, ['a', 'b'])).status).toBe(200);
  });

  test.each([[[]], [Array.from({ length: 101 }, (_, index) => `e${index}`)], [undefined], [[1]], ['a']])(
    '422 for a list that is none, empty, longer than 100 or not of texts',
    async (entities) => {
      const answer = await bulkDelete('_team', entities);
      expect(answer.status).toBe(422);
      expect(issuePaths(answer.body)[0]).toMatch(/^\/entities/);
    },
  );
});
