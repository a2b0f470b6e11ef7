import { expect, test } from 'vitest';
import { listTableLocks } from './table-locks.ts';

test.each([
  ['alter table entities add column size int;', [{ table: 'entities', keepsOut: 'everybody' }]],
  ['drop table if exists teams; drop table teams;', [{ table: 'teams', keepsOut: 'everybody' }]],
  ['create index on jobs (id);', [{ table: 'jobs', keepsOut: 'writers' }]],
  ['create index concurrently if not exists a on jobs (id);', [{ table: 'jobs', keepsOut: 'changes of the schema' }]],
  [
    'create trigger t after insert on journal for each row execute function f();',
    [{ table: 'journal', keepsOut: 'writers' }],
  ],
  [
    'create table crews (id int references teams (id)); create index on crews (id);',
    [{ table: 'teams', keepsOut: 'writers' }],
  ],
  ["insert into teams values ('alter table jobs');", []],
])('%s locks what others use', (text, locks) => {
  expect(listTableLocks(text)).toEqual(locks);
});
