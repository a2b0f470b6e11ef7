import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { migrate } from './migrate.ts';

const released = fileURLToPath(new URL('../../../migrations', import.meta.url));
let given: TestDatabase;
let folder: string;
beforeAll(async () => {
  given = await createTestDatabase();
});
afterAll(() => given.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-migrations-'));
  // Begin with an empty history beside the template's tables.
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`delete from schema_migrations`);
    await tx.execute(sql`drop table if exists trial_one, trial_two, trial_three, trial_other`);
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const tables = async (): Promise<string[]> =>
  (
    await given.database.rows<{ name: string }>(
      sql`select tablename as name from pg_tables where tablename like 'trial%' order by 1`,
    )
  ).map(({ name }) => name);

test('the released migrations leave nothing to do on the template', async () => {
  const fresh = await createTestDatabase();
  try {
    expect(await migrate(fresh.engine, released)).toEqual([]);
  } finally {
    await fresh.drop();
  }
});

test('applies what is missing, in order, once', async () => {
  await write('0002-second.sql', 'alter table trial_one add column two int;');
  await write('0001-first.sql', 'create table trial_one (id int); insert into trial_one values (1);');
  expect(await migrate(given.engine, folder)).toEqual(['0001-first', '0002-second']);
  expect(await migrate(given.engine, folder)).toEqual([]);
  await write('0003-third.sql', 'create table trial_three (id int);');
  expect(await migrate(given.engine, folder)).toEqual(['0003-third']);
  expect(await tables()).toEqual(['trial_one', 'trial_three']);
});

test('a file that fails leaves nothing of itself, and keeps those before it', async () => {
  await write('0001-good.sql', 'create table trial_one (id int);');
  await write('0002-bad.sql', 'create table trial_two (id int); select 1/0;');
  await expect(migrate(given.engine, folder)).rejects.toThrow('Migration 0002-bad failed: division by zero');
  expect(await tables()).toEqual(['trial_one']);
  await write('0002-bad.sql', 'create table trial_two (id int);');
  expect(await migrate(given.engine, folder)).toEqual(['0002-bad']);
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['a changed file', () => write('0001-first.sql', 'create table trial_other (id int);'), /0001-first was changed/],
  ['a file that went', () => rm(join(folder, '0001-first.sql')), /has migration 0001-first, which this release/],
  ['a new file in front', () => write('0000-zero.sql', 'select 1;'), /0000-zero is new but sorts before 0002-second/],
  ['a number used twice', () => write('0002-third.sql', 'select 1;'), /0002-second and 0002-third have the same/],
  ['a bad name', () => write('3-three.sql', 'select 1;'), /3-three.sql is not named/],
])('%s is refused by name', async (_name, change, message) => {
  await write('0001-first.sql', 'create table trial_one (id int);');
  await write('0002-second.sql', 'create table trial_two (id int);');
  await migrate(given.engine, folder);
  await change();
  await expect(migrate(given.engine, folder)).rejects.toThrow(message);
});

test('line ends of another system are no change', async () => {
  await write('0001-first.sql', 'create table trial_one (\n id int);\n');
  await migrate(given.engine, folder);
  await write('0001-first.sql', 'create table trial_one (\r\n id int);\r\n');
  expect(await migrate(given.engine, folder)).toEqual([]);
});

test('callers that start together apply everything once', async () => {
  await write('0001-first.sql', 'create table trial_one (id int); select pg_sleep(0.1);');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(given.engine, folder)));
  expect(applied.flat()).toEqual(['0001-first']);
});

onlyOn('postgres', 'the embedded engine has one process', () => {
  test('replicas that start together apply everything once', async () => {
    await write('0001-first.sql', 'create table trial_one (id int); select pg_sleep(0.1);');
    const replicas = await Promise.all([given.openReplica(), given.openReplica(), given.openReplica()]);
    const applied = await Promise.all(replicas.map((replica) => migrate(replica, folder)));
    expect(applied.flat()).toEqual(['0001-first']);
  });
});

test('what runs of earlier releases said before their compensations failed is found in their message', async () => {
  const migration = await readFile(join(released, '0136-notices.sql'), 'utf8');
  const [filling] = /^update workflow_runs set message_before[^;]*/m.exec(migration) ?? [];
  const messages = [
    'Not undone, because its compensation failed: "a"',
    'The step "x" failed: no. Not undone, because its compensation failed: "a", "b"',
    'Cancelled: v1.\nDone. Not undone, because its compensation failed: "a"',
    'The step "x" failed: Not undone',
  ];
  const found = await given.database.transaction(async (tx) => {
    await tx.execute(sql`create temp table workflow_runs (message text, message_before jsonb) on commit drop`);
    await tx.execute(sql`insert into workflow_runs select unnest(${messages}::text[])`);
    await tx.execute(sql`${raw(filling ?? '')}`);
    return tx.rows<{ before: unknown }>(sql`select message_before as before from workflow_runs order by ctid`);
  });
  const befores = [null, 'The step "x" failed: no', 'Cancelled: v1.\nDone'].map((message) => ({ message }));
  // an update leaves the row that it does not touch in its place, before the others
  expect(found.map(({ before }) => before)).toEqual([null, ...befores]);
});
