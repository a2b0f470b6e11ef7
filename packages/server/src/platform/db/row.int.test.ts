import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { computed, type Fields, field, fields, row } from './row.ts';

let given: TestDatabase;
beforeAll(async () => {
  given = await createTestDatabase();
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into organizations (id, name, model, plan, created_at, updated_at)
      values ('o', 'Test', 'beta', 'free', now(), now())`);
    await tx.execute(sql`
      insert into teams (org_id, key, identifier, title, name_key, created_at, updated_at)
      values ('o', 'k', 'i', 'Title', 'title', now(), now())`);
  });
});
afterAll(() => given.drop());

const team = {
  ...fields('teams', 'org_id', 'description'),
  id: field('teams', 'identifier'),
  count: computed.number,
};
const teams = sql`
  select org_id as "orgId", description, identifier as id, (select count(*) from users) as count from teams`;

/** What the check says of a result, through the database and through a transaction. */
async function faultOf(statement: ReturnType<typeof sql>, shape: Fields): Promise<string> {
  const shaped = row(shape).sql`${statement}`;
  const told = [
    given.database.rows(shaped),
    given.database.first(shaped),
    given.database.transaction((tx) => tx.rows(shaped)),
    given.database.transaction((tx) => tx.first(shaped)),
  ].map((reading) =>
    reading.then(
      () => 'none',
      (error: Error) => error.message.split('\n')[0],
    ),
  );
  const [fault, ...others] = await Promise.all(told);
  expect(new Set(others)).toEqual(new Set([fault]));
  return fault as string;
}

describe('a shape that fits the result', () => {
  test('gives rows with the types of their columns', async () => {
    const first = await given.database.first(row(team).sql`${teams}`);
    const typed: { orgId: string; description: string | null; id: string; count: number } | undefined = first;
    expect(typed).toEqual({ orgId: 'o', description: null, id: 'i', count: 0 });
  });

  test('may have a bare null where it allows null', async () => {
    const shape = { roles: field('users', 'moderated_blueprints').orNull(), at: computed.time.orNull() };
    expect(await faultOf(sql`select null as roles, null as at`, shape)).toBe('none');
  });

  test('follows a column through subqueries and outer joins', async () => {
    const statement = sql`
      select u.identifier from (select org_id, identifier from teams) t
      left join users u on u.org_id = t.org_id and u.identifier = t.identifier`;
    expect(await faultOf(statement, { identifier: field('users', 'identifier').orNull() })).toBe('none');
  });
});

describe('a shape that does not', () => {
  const { id, count, orgId, description } = team;
  const other = sql`select identifier, title, description from teams`;
  test.each<[string, typeof other, Fields, string]>([
    ['has a name too many', teams, { ...team, title: id }, 'title is not in the result'],
    ['lacks a name', teams, { id, count, orgId }, 'description is not in the shape'],
    ['is given two of a name', sql`select 1 as one, 2 as one`, { one: computed.number }, 'two columns are called one'],
    [
      'misspells a name',
      teams,
      { id, count, org_id: orgId, description },
      'org_id is not in the result; orgId is not in the shape',
    ],
    [
      'names another column',
      other,
      { ...fields('teams', 'identifier', 'description'), title: orgId },
      'title is teams.title, not teams.org_id',
    ],
    [
      'names the column of another table',
      sql`select identifier from teams`,
      fields('users', 'identifier'),
      'identifier is teams.identifier, not users.identifier',
    ],
    [
      'takes a computed value for a column',
      sql`select lower(title) as title from teams`,
      fields('teams', 'title'),
      'title is computed, not teams.title',
    ],
    [
      'has another type',
      sql`select count(*)::text as count from teams`,
      { count },
      'count arrives as text, not number',
    ],
    [
      'forgets that a computed value is null',
      sql`select max(title) as last from teams where false`,
      { last: computed.text },
      'last is null, so it needs orNull()',
    ],
    [
      'forgets the nulls of an outer join',
      sql`select u.identifier from teams t left join users u on u.org_id = t.org_id`,
      fields('users', 'identifier'),
      'identifier is null, so it needs orNull()',
    ],
    [
      'calls a column never null that is',
      sql`select description from teams`,
      { description: description.notNull() },
      'description is null, so it needs orNull()',
    ],
    [
      'takes a column that may be null for a computed value',
      sql`select description from teams where false`,
      { description: computed.text },
      'description is teams.description, which may be null: orNull() or notNull()',
    ],
  ])('%s', async (_, statement, shape, fault) => {
    expect(await faultOf(statement, shape)).toBe(`The rows are not what their shape says: ${fault}`);
  });
});
