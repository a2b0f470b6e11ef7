import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew' });
});
afterAll(() => app.close());

const preview = (sourceBlueprint: string, mapping: unknown, query = '?dry_run=true') =>
  app.request('POST', `/v1/migrations${query}`, { body: { sourceBlueprint, mapping } });

async function fill(name: string, entities: number): Promise<void> {
  for (let from = 0; from < entities; from += 20) {
    const items = Array.from({ length: Math.min(20, entities - from) }, (_, n) => ({
      identifier: `e${from + n}`,
      properties: { n: from + n },
    }));
    expect(
      (await app.request('POST', `/v1/blueprints/${name}/entities/bulk`, { body: { entities: items } })).status,
    ).toBe(200);
  }
}

const numbered = {
  ownership: { type: 'Direct' },
  properties: { n: { type: 'number' }, small: { type: 'number', maximum: 1 } },
};

describe('dry_run', () => {
  test('shows before and after, counts, failures, and writes nothing', async () => {
    const name = await createBlueprint(app.request, 'tried', numbered);
    await createEntity(app.request, name, { identifier: 'a', properties: { n: 1 } });
    await createEntity(app.request, name, { identifier: 'b', properties: { n: 2 } });
    await createEntity(app.request, name, {
      identifier: 'same',
      title: 'T',
      team: ['crew'],
      properties: { n: 0, small: 0 },
    });
    await createEntity(app.request, name, { identifier: 'out', properties: { n: -1 } });
    const counts = async () => [
      await app.count('entities'),
      await app.count('journal'),
      await app.count('data_migrations'),
      await app.count('data_migration_images'),
      await app.count('jobs'),
    ];
    const before = await counts();
    const answer = await preview(name, {
      filter: '.properties.n >= 0',
      entity: { title: '"T"', team: '"crew"', properties: { small: '.properties.n' } },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['ok', 'preview']);
    const { diffs, errors, ...rest } = answer.body.preview;
    expect(rest).toEqual({
      totalCount: 4,
      examinedCount: 4,
      isWhole: true,
      filteredCount: 1,
      createCount: 0,
      updateCount: 1,
      unchangedCount: 1,
      failureCount: 1,
    });
    expect(diffs).toMatchObject([
      {
        identifier: 'a',
        change: 'UPDATE',
        before: { title: null, team: [], properties: { small: null } },
        after: { title: 'T', team: ['crew'], properties: { n: 1, small: 1 } },
      },
    ]);
    expect(errors).toMatchObject([
      { identifier: 'b', error: 'invalid_request', details: [{ path: '/properties/small' }] },
    ]);
    expect(await counts()).toEqual(before);
    expect((await readEntity(app.request, name, 'a')).title).toBeNull();
  });

  test('finds the few that a filter lets through among many, and stops at 20 differences', async () => {
    const name = await createBlueprint(app.request, 'many', numbered);
    await fill(name, 450);
    const few = (await preview(name, { filter: '.identifier == "e444"', entity: { title: '"T"' } })).body.preview;
    expect(few).toMatchObject({
      totalCount: 450,
      examinedCount: 450,
      filteredCount: 449,
      updateCount: 1,
      isWhole: true,
    });
    expect(few.diffs).toHaveLength(1);
    const all = (await preview(name, { entity: { title: '"T"' } })).body.preview;
    expect([all.updateCount, all.diffs.length]).toEqual([450, 20]);
  });

  test('shows entities that would come to be in another blueprint', async () => {
    const source = await createBlueprint(app.request, 'source', numbered);
    const target = await createBlueprint(app.request, 'target');
    await createEntity(app.request, source, { identifier: 'a' });
    const { diffs } = (await preview(source, { blueprint: target, entity: {} })).body.preview;
    expect(diffs).toMatchObject([{ identifier: 'a', change: 'CREATE', before: null, after: { blueprint: target } }]);
    expect((await app.request('GET', `/v1/blueprints/${target}/entities/a`)).status).toBe(404);
  });

  test.each([
    ['?dry_run=perhaps', { entity: {} }, 422],
    ['?dry_run=true', { entity: { team: '(' } }, 422],
    ['?dry_run=true', { blueprint: 'none', entity: {} }, 404],
  ])('%s %j: %i, and nothing begins', async (query, mapping, status) => {
    const name = await createBlueprint(app.request, 'source', numbered);
    const before = await app.count('data_migrations');
    expect((await preview(name, mapping, query)).status).toBe(status);
    expect(await app.count('data_migrations')).toBe(before);
  });
});
