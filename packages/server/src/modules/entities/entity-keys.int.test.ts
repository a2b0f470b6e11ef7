import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('entities are found without reading those beside them, also before the first statistics', async () => {
  // as in the first minute of an import, and for long on the embedded engine
  await app.database.executeAlone(sql`alter table entities set (autovacuum_enabled = false) /* all organizations */`);
  const blueprint = await createBlueprint(app.request, 'service');
  await app.database.executeAlone(sql`
    insert into entities (org_id, blueprint_key, identifier, title, properties, relations, derived, datasource, seen_at,
      created_at, created_by, updated_at, updated_by)
    select b.org_id, b.key, 's-' || i, 'S', '{}', '{}', '{}', 'test', now(), now(), 'test', now(), 'test'
    from blueprints b cross join generate_series(1, 5000) i
    where b.org_id = ${app.organization.id} and b.identifier = ${blueprint}`);
  const [{ blueprintKey } = { blueprintKey: 0 }] = await app.database.rows<{ blueprintKey: number }>(sql`
    select key as "blueprintKey" from blueprints where org_id = ${app.organization.id} and identifier = ${blueprint}`);
  const look = sql`select name, key from entity_keys(${app.organization.id}, ${blueprintKey}::bigint,
    array['s-7', 'missing', 's-4999'])`;

  const found = await app.database.rows<{ name: string }>(look);
  expect(found.map(({ name }) => name).sort()).toEqual(['s-4999', 's-7']);
  const explained = await app.database.rows<Record<'QUERY PLAN', [{ Plan: Record<string, number> }]>>(
    sql`explain (analyze, buffers, format json) ${look}`,
  );
  const plan = explained[0]?.['QUERY PLAN'][0].Plan ?? {};
  const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(100);
});
