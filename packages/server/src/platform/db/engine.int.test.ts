import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import type { DatabaseError } from './engine.ts';

let given: TestDatabase;
beforeAll(async () => {
  given = await createTestDatabase();
});
afterAll(() => given.drop());

describe('an engine', () => {
  test('answers', async () => {
    expect(await given.database.first(sql`select 1 as one`)).toEqual({ one: 1 });
  });

  test('gives the SQLSTATE', async () => {
    await expect(given.database.rows(sql`select * from nowhere`)).rejects.toMatchObject({
      name: 'DatabaseError',
      code: '42P01',
    } satisfies Partial<DatabaseError>);
  });
});
