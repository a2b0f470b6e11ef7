import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { distribute, readDistribution } from './distribute.ts';
import { type FoundTable, listTables } from './distribution.store.ts';
import { planDistribution } from './plan-distribution.ts';
import { otherPlaces } from './table-places.ts';

let given: TestDatabase;
let tables: readonly FoundTable[];
beforeAll(async () => {
  given = await createTestDatabase();
  const connection = await given.engine.connectDirectly();
  tables = await listTables(connection);
  connection.release();
});
afterAll(() => given.drop());

test('every table has a place, and the list names no table that is gone', () => {
  const planned = planDistribution(tables, new Map());
  expect(planned).toHaveLength(tables.length);
  const names = tables.map(({ name }) => name);
  expect(
    Object.values(otherPlaces)
      .flat()
      .filter((name) => !names.includes(name)),
  ).toEqual([]);
});

test('a table comes after those that it names, and what lies on every node comes first', () => {
  const order = planDistribution(tables, new Map());
  const place = (name: string): number => order.findIndex((table) => table.name === name);
  const early = tables.flatMap(({ name, parents }) => parents.filter((parent) => place(parent) > place(name)));
  expect(early).toEqual([]);
  const lastReference = Math.max(...otherPlaces.reference.map(place));
  expect(order.findIndex((table) => table.place === 'organization')).toBeGreaterThan(lastReference);
});

test('new tables are moved, also if Citus knows them, and what lies in its place stays', () => {
  const moved = new Map(planDistribution(tables, new Map()).map(({ name, place }) => [name, place]));
  moved.delete('entities');
  moved.set('notices', 'joined');
  const open = planDistribution(tables, moved).filter(({ isDone }) => !isDone);
  expect(open.map(({ name }) => name)).toEqual(['entities', 'notices']);
});

test('a table without an organization and a place is told', () => {
  const table = { name: 'loose', hasOrganization: false, parents: [] };
  expect(() => planDistribution([table], new Map())).toThrow('loose has no org_id');
});

onlyOn('postgres', 'the embedded engine is not offered', () => {
  test('a database without Citus is refused', async () => {
    await expect(readDistribution(given.engine)).rejects.toThrow('This database has no Citus.');
    await expect(distribute(given.engine)).rejects.toThrow('This database has no Citus.');
  });

  test('one that Citus is not ready for is refused, and so is moving tables that servers use', async ({ skip }) => {
    const own = await createTestDatabase();
    const admin = new pg.Client({ connectionString: own.environment['DATABASE_URL'], application_name: 'admin' });
    await admin.connect();
    const refusal = () => readDistribution(own.engine).then(String, (error: Error) => error.message);
    const { rows } = await admin.query('select usesuper from pg_user where usename = current_user');
    try {
      if (!rows[0]?.usesuper) skip('the user of the test database may not write catalogs');
      // what Citus would have put into the catalogs
      await admin.query(`
        set allow_system_table_mods = on;
        insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
          values (99999, 'citus', 10, 11, false, '12.1-1');
        create table pg_catalog.pg_dist_node (groupid int, noderole text, isactive bool);
        create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod char, repmodel char);
        create table pg_catalog.pg_dist_object (classid oid, objid oid);
        insert into pg_dist_node values (1, 'primary', false), (2, 'secondary', true)`);
      expect(await refusal()).toBe('Citus 12.1-1 is too old: Portolan is distributed by Citus 13 or newer.');
      await admin.query(`update pg_extension set extversion = '13.2-1' where extname = 'citus'`);
      expect(await refusal()).toMatch(/^Citus knows no workers\..*citus_add_node/);
      await admin.query('update pg_dist_node set isactive = true');
      expect(await refusal()).toMatch(/^The workers do not know the coordinator\..*citus_set_coordinator_host/);
      await admin.query(`insert into pg_dist_node values (0, 'primary', true)`);
      expect(await readDistribution(own.engine)).toMatchObject({ citus: '13.2-1', workers: 1 });
      await admin.query(`set application_name = 'portolan of a replica'`);
      await expect(distribute(own.engine)).rejects.toThrow('Servers use this database. Stop them first');
    } finally {
      await admin.end();
      await own.drop();
    }
  });
});
