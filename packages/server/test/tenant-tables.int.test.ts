import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { unboundStatements, undistributable } from './query-log.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

/** How a request finds its organization, and what belongs to the installation as a whole (the migrations say why). */
const ofNoOrganization = [
  'credential_directory',
  'installation',
  'job_schedules',
  'organizations',
  'removed_organizations',
  'replicas',
  'schema_migrations',
];

describe('every table of organizations', () => {
  test('has an org_id, except those that are known to belong to none', async () => {
    const rows = await test_.database.rows<{ name: string; nullable: boolean | null }>(sql`
      select c.relname as name, not a.attnotnull as nullable from pg_class c
      left join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by c.relname`);
    const without = rows.filter(({ name, nullable }) => nullable === null && !name.includes('migration'));
    expect(without.map(({ name }) => name)).toEqual(
      ofNoOrganization.filter((name) => !name.includes('migration') && name !== 'credential_directory'),
    );
    expect(rows.filter(({ nullable }) => nullable === true)).toEqual([]);
  });

  test('has a primary key, and it and every unique index begin with org_id', async () => {
    const rows = await test_.database.rows<{ name: string; index: string; first: string; isPrimary: boolean }>(sql`
      select c.relname as name, x.relname as index, i.indisprimary as "isPrimary",
        pg_get_indexdef(i.indexrelid, 1, true) as first
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_class x on x.oid = i.indexrelid
      where i.indisunique and c.relnamespace = current_schema()::regnamespace order by x.relname`);
    const tenant = rows.filter(({ name }) => !ofNoOrganization.includes(name) && !name.includes('migration'));
    expect(tenant.filter(({ first }) => first !== 'org_id')).toEqual([]);
    const tables = await test_.database.rows<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`);
    const keyed = new Set(rows.filter(({ isPrimary }) => isPrimary).map(({ name }) => name));
    expect(tables.filter(({ name }) => !keyed.has(name))).toEqual([]);
  });

  test('has no foreign key out of its organization', async () => {
    const rows = await test_.database.rows<{ name: string }>(sql`
      select conname as name from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace
        and pg_get_constraintdef(oid) !~ 'FOREIGN KEY \\(org_id'`);
    expect(rows).toEqual([]);
  });
});

describe('the check of statements', () => {
  const check = (text: string) => unboundStatements([text], ['entities', 'teams']).length === 0;

  test.each([
    'select 1 from entities e where e.org_id = $1',
    'insert into teams (org_id, key) values ($1, $2)',
    'update "entities" e set title = $1 where e.org_id = $2',
    'select 1 from entities e join teams t on t.org_id = e.org_id where e.org_id = $1',
    'select 1 from entities_of_another where x = 1',
    'delete from entities where key = $1 /* all organizations */',
  ])('lets pass: %s', (text) => {
    expect(check(text)).toBe(true);
  });

  test.each([
    'select 1 from entities e where e.key = $1',
    'update entities set title = $1',
    'delete from teams using entities e where e.org_id = $1',
    'select 1 from entities e join teams t on t.key = any(e.team_refs) where e.org_id = $1',
  ])('catches: %s', (text) => {
    expect(check(text)).toBe(false);
  });
});

describe('the check of what a distributed database refuses', () => {
  const check = (text: string) => undistributable([text], ['entities', 'jobs', 'teams'], ['jobs']).length === 0;

  test.each([
    'select 1 from entities e where e.org_id = $1 for update skip locked',
    'select org_id, id from jobs order by run_at for update skip locked /* all organizations */',
    'select distinct org_id from entities /* all organizations */',
    'with recursive up as (select 1 from teams where org_id = $1) select 1 from up',
    'insert into teams (org_id, key) select $1, max(e.key) from entities e where e.org_id = $1',
    'insert into teams (org_id, key) values ($1, $2) returning key',
    'update entities set properties = jsonb_set(properties, $1, $2) where org_id = $3',
    "update teams set title = $1 where org_id = $2 returning jsonb_build_object('key', key)",
  ])('lets pass: %s', (text) => {
    expect(check(text)).toBe(true);
  });

  test.each([
    'select 1 from entities e for update skip locked /* all organizations */',
    'select e.key from entities e order by e.key for no key update /* all organizations */',
    'with recursive up as (select 1 from teams) select 1 from up /* all organizations */',
    'insert into teams (org_id, key) values ($1, (select max(key) from entities where org_id = $1))',
    'insert into teams (org_id) values ($1) returning (select key from entities where org_id = $1) as key',
    'update entities set properties = properties || jsonb_build_object($1, properties) where org_id = $2',
    'select key from entity_keys($1, $2, $3) k join entities e on e.org_id = $1',
  ])('catches: %s', (text) => {
    expect(check(text)).toBe(false);
  });
});
