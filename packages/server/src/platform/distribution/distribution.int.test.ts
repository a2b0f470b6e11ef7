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
});
