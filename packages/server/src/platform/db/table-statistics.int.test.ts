import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint } from '../../../test/catalog-fixtures.ts';
import { analyzeTable, listOutgrown } from './table-statistics.store.ts';
import { createTableStatistics } from './table-statistics.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  // PostgreSQL does the same, a minute later
  await app.database.executeAlone(sql`alter table entities set (autovacuum_enabled = false) /* all organizations */`);
});
afterAll(() => app.close());

const knownRows = async (): Promise<number> => {
  const [found] = await app.database.rows<{ rows: number }>(sql`
    select reltuples::float8 as rows from pg_class where relname = 'entities'`);
  return found?.rows ?? 0;
};

test('what an import wrote is analyzed soon after, without anybody asking for it', async () => {
  const blueprint = await createBlueprint(app.request, 'service');
  const before = await knownRows();
  for (let chunk = 0; chunk < 60; chunk += 1) {
    const entities = Array.from({ length: 20 }, (_, at) => ({ identifier: `s-${chunk}-${at}` }));
    const path = `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`;
    expect((await app.request('POST', path, { body: { entities } })).status).toBe(200);
  }
  await vi.waitFor(async () => expect(await knownRows()).toBeGreaterThan(Math.max(0, before)), { timeout: 30_000 });
});

test('a table that was never analyzed is, whatever the counters have forgotten', async () => {
  await app.database.executeAlone(sql`create table known_to_nobody as select generate_series(1, 2000) as number`);
  await app.database.executeAlone(sql`select pg_stat_reset_single_table_counters('known_to_nobody'::regclass)`);
  expect(await listOutgrown(app.database, 1e9)).toContain('public.known_to_nobody');
  await analyzeTable(app.database, 'public.known_to_nobody');
  expect(await listOutgrown(app.database, 1e9)).not.toContain('public.known_to_nobody');
});

test('a look that is under way ends before the database is closed, and none follows', async () => {
  const statistics = createTableStatistics({
    database: app.database,
    log: pino({ level: 'silent' }),
    limits: { recordsMin: 1, waitMs: 0 },
  });
  statistics.note(1);
  await statistics.close();
  statistics.note(1);
  await statistics.close();
});
