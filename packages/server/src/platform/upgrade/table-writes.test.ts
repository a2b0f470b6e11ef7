import { expect, test } from 'vitest';
import { listTableWrites } from './table-writes.ts';

test.each([
  ['create index concurrently if not exists a on jobs (id);', [{ table: 'jobs', what: 'index' }]],
  ['create unique index on jobs (id); create index on jobs (name);', Array(2).fill({ table: 'jobs', what: 'index' })],
  ['alter table jobs add constraint a unique (id);', [{ table: 'jobs', what: 'index' }]],
  ['alter table jobs add constraint a unique using index jobs_a;', []],
  ['alter table jobs alter column id type bigint;', [{ table: 'jobs', what: 'rows' }]],
  ['alter table jobs add column a int generated always as identity;', [{ table: 'jobs', what: 'rows' }]],
  ['alter table jobs add column a text default gen_random_uuid();', [{ table: 'jobs', what: 'rows' }]],
  ["alter table jobs add column a int not null default 0, add column b text default 'f(';", []],
  ['update jobs set name = lower(name);', [{ table: 'jobs', what: 'rows' }]],
  ['create table crews (id int); create index on crews (id); update crews set id = 1;', []],
  ["insert into teams values ('update jobs');", []],
])('%s writes of what is there', (text, writes) => {
  expect(listTableWrites(text)).toEqual(writes);
});
