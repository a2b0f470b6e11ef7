import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { firstWithPhase, readMigrations } from '../packages/server/src/platform/db/migration-files.ts';
import { largeTables, migrationFindings } from './lib/migration-rules.ts';
import { filesUnder, top } from './lib/source-files.ts';

const folder = 'packages/server/migrations';
const files = filesUnder([folder], /\.sql$/).filter(({ path }) => basename(path) >= firstWithPhase);
const check = (...lines: string[]) => migrationFindings({ path: '0130-trial.sql', text: `${lines.join('\n')}\n` });

test('every migration since releases tell says its phase, and does nothing that a running release would notice', async () => {
  await readMigrations(join(top, folder));
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(migrationFindings)).toEqual([]);
});

test('the tables that count as large are tables', () => {
  const schema = readFileSync(join(top, 'packages/server/schema.sql'), 'utf8').toLowerCase();
  expect(largeTables.filter((name) => !new RegExp(`create table (?:\\w+\\.)?"?${name}"? `).test(schema))).toEqual([]);
});

test.each([
  ['no phase', ['select 1;']],
  ['a contraction after nothing', ['-- phase: contract after', 'select 1;']],
])('%s is found', (_name, lines) => {
  expect(check(...lines)).toHaveLength(1);
});

const taking = [
  'drop table teams;',
  'drop index if exists teams_by_name;',
  'alter table teams drop column name;',
  'alter table teams drop constraint teams_check;',
  'alter table teams rename column name to title;',
  'alter table teams rename to crews;',
  'alter table teams alter column name set not null;',
  'alter table teams alter column name type varchar(20);',
  'alter table teams add column crew text not null;',
  'alter table teams add column one text, add two int not null, add three int;',
  'ALTER TABLE "teams" DROP COLUMN "name"',
];
test.each(taking)('where files expand, "%s" is found; where they contract it is not', (statement) => {
  expect(check('-- phase: expand', statement)).toHaveLength(1);
  expect(check('-- phase: contract after 0.9.0', '-- oldest release: 0.9.1', statement)).toEqual([]);
});

test('a check that the same statement puts back is no loss, and another that it drops is one', () => {
  const replaced = 'alter table teams drop constraint teams_kind, add constraint teams_kind check (kind in (1, 2));';
  expect(check('-- phase: expand', replaced)).toEqual([]);
  expect(
    check('-- phase: expand', replaced.replace('add constraint teams_kind', 'add constraint teams_size')),
  ).toHaveLength(1);
  expect(check('-- phase: expand', replaced.replace(' check ', ' unique '))).toHaveLength(1);
});

test.each([
  'create index on entities (org_id);',
  'create unique index journal_two on journal (org_id);',
  'create index concurrently journal_two on journal (org_id);',
  'create index concurrently if not exists journal_two on journal (org_id); select 1;',
  'alter table jobs add constraint jobs_check check (attempt > 0);',
  'alter table jobs add foreign key (org_id) references organizations (id);',
  'alter table jobs add constraint jobs_two unique (org_id, name);',
])('"%s" would hold up everybody, and is found in either phase', (statement) => {
  expect(check('-- phase: expand', statement).length).toBeGreaterThan(0);
  expect(check('-- phase: contract after 0.9.0', statement).length).toBeGreaterThan(0);
});

test.each([
  'create table crews (org_id text not null, name text not null); create index on crews (org_id);',
  'create table jobs (id int not null); create index on jobs (id); alter table jobs rename id to key;',
  'alter table teams add column crew text;',
  "alter table teams add column crew text not null default 'rename; drop table teams';",
  'alter table entities add column size int generated always as (1) stored not null;',
  'alter table entities add constraint entities_check check (key > 0) not valid;',
  'create index on teams (org_id, crew);',
  'create index concurrently if not exists entities_two on entities (org_id);',
  '-- drop table teams;\nselect 1; /* rename */',
  'create function f() returns void language sql as $$ drop table teams; $$;',
])('"%s" passes', (statement) => {
  expect(check('-- phase: expand', statement)).toEqual([]);
});
