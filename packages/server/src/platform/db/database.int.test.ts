import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { createDatabase, type Database, type Tx } from './database.ts';
import { DatabaseError } from './database-error.ts';

let given: TestDatabase;
let database: Database;
beforeAll(async () => {
  given = await createTestDatabase();
  database = given.database;
  await database.transaction((tx) => tx.execute(sql`create table counters (id text primary key, value int not null)`));
});
afterAll(() => given.drop());
beforeEach(async () => {
  await database.transaction(async (tx) => {
    await tx.execute(sql`delete from counters`);
    await tx.execute(sql`insert into counters values ('a', 0), ('b', 0)`);
  });
});

const increment = (tx: Tx, id: string): Promise<number> =>
  tx.execute(sql`update counters set value = value + 1 where id = ${id}`);
const values = (): Promise<{ id: string; value: number }[]> => database.rows(sql`select * from counters order by id`);

describe('reading', () => {
  test('gives all rows, the first, or none', async () => {
    expect(await values()).toEqual([
      { id: 'a', value: 0 },
      { id: 'b', value: 0 },
    ]);
    expect(await database.first(sql`select id from counters order by id desc`)).toEqual({ id: 'b' });
    expect(await database.first(sql`select id from counters where id = ${'none'}`)).toBeUndefined();
  });

  test('survives a column that is added under a prepared statement', async () => {
    const everything = () => database.first(sql`select * from counters where id = ${'a'}`);
    for (let use = 1; use <= 3; use += 1) await everything();
    await database.transaction((tx) => tx.execute(sql`alter table counters add column added int`));
    expect(await everything()).toEqual({ id: 'a', value: 0, added: null });
    await database.transaction((tx) => tx.execute(sql`alter table counters drop column added`));
    expect(await database.transaction((tx) => tx.first(sql`select * from counters where id = ${'a'}`))).toEqual({
      id: 'a',
      value: 0,
    });
  });
});

describe('a transaction', () => {
  test('is committed, and says how many rows a write changed', async () => {
    const changed = await database.transaction((tx) => tx.execute(sql`update counters set value = 5`));
    expect(changed).toBe(2);
    expect((await values()).map((row) => row.value)).toEqual([5, 5]);
  });

  test('is rolled back when its body throws', async () => {
    const failing = database.transaction(async (tx) => {
      await increment(tx, 'a');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await values())[0]).toEqual({ id: 'a', value: 0 });
  });

  test('fails with the first error when its body swallowed it', async () => {
    const swallowing = database.transaction(async (tx) => {
      await increment(tx, 'a');
      await tx.execute(sql`select 1/0`).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ code: '22012' });
    expect((await values())[0]).toEqual({ id: 'a', value: 0 });
  });

  test('sends a write ahead of what is read next', async () => {
    const seen = await database.transaction(async (tx) => {
      tx.send(sql`update counters set value = 7 where id = 'a'`);
      return tx.first(sql`select value from counters where id = 'a'`);
    });
    expect(seen).toEqual({ value: 7 });
  });

  test.each([
    ['last of all', async () => undefined],
    ['before another statement', (tx: Tx) => tx.rows(sql`select 1`)],
  ])('fails with the error of a write that was sent %s', async (_when, next) => {
    const failing = database.transaction(async (tx) => {
      await increment(tx, 'a');
      tx.send(sql`select 1/0`);
      await next(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect((await values())[0]).toEqual({ id: 'a', value: 0 });
  });

  test('may go on behind a savepoint', async () => {
    await database.transaction(async (tx) => {
      await increment(tx, 'a');
      await tx.execute(sql`savepoint before`);
      await tx.execute(sql`insert into counters values ('a', 1)`).catch(() => undefined);
      await tx.execute(sql`rollback to savepoint before`);
    });
    expect((await values())[0]).toEqual({ id: 'a', value: 1 });
  });

  test('cannot be used after its end', async () => {
    let kept: Tx | undefined;
    await database.transaction(async (tx) => {
      kept = tx;
    });
    await expect(kept?.rows(sql`select 1`)).rejects.toThrow(/has ended/);
  });

  test('refuses a read through the database handle, and a second transaction', async () => {
    await database.transaction(async () => {
      await expect(values()).rejects.toThrow(/inside an open transaction/);
      await expect(Promise.resolve().then(() => database.first(sql`select 1`))).rejects.toThrow(/inside an open/);
      await expect(database.transaction(async () => 1)).rejects.toThrow(/inside an open transaction/);
    });
    expect(await values()).toHaveLength(2);
  });

  test('does not stand in the way of reads by others', async () => {
    let others: Promise<unknown> | undefined;
    const elsewhere = new Promise<void>((resolve) => {
      setTimeout(() => {
        others = values();
        resolve();
      }, 1);
    });
    await database.transaction(async (tx) => {
      await increment(tx, 'a');
      await elsewhere;
      await increment(tx, 'b');
    });
    expect(await others).toHaveLength(2);
  });

  test('calls what was asked for after its commit, once, and never after a rollback', async () => {
    const called: string[] = [];
    await database.transaction(async (tx) => {
      tx.afterCommit(() => called.push('committed'));
      await increment(tx, 'a');
      expect(called).toEqual([]);
    });
    await database
      .transaction(async (tx) => {
        tx.afterCommit(() => called.push('rolled back'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(called).toEqual(['committed']);
  });

  test('is repeated after a serialisation failure, even if the body hides the error', async () => {
    const called: string[] = [];
    let runs = 0;
    const result = await database.transaction(async (tx) => {
      runs += 1;
      tx.afterCommit(() => called.push(`run ${runs}`));
      await increment(tx, 'a');
      if (runs < 3) {
        await tx
          .execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
          .catch((cause: unknown) => {
            throw new Error('hidden', { cause });
          });
      }
      return runs;
    });
    expect(result).toBe(3);
    expect(called).toEqual(['run 3']);
    expect((await values())[0]).toEqual({ id: 'a', value: 1 });
  });

  test('gives up after ten repetitions', async () => {
    let runs = 0;
    const hopeless = database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`);
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40P01' });
    expect(runs).toBe(11);
  });

  test('runs statements that were sent together in their order', async () => {
    const seen = await database.transaction(async (tx) => {
      const [, , rows] = await Promise.all([
        increment(tx, 'a'),
        increment(tx, 'a'),
        tx.rows(sql`select value from counters where id = 'a'`),
      ]);
      return rows;
    });
    expect(seen).toEqual([{ value: 2 }]);
  });

  test('many at once lose no update', async () => {
    await Promise.all(Array.from({ length: 40 }, () => database.transaction((tx) => increment(tx, 'a'))));
    expect((await values())[0]).toEqual({ id: 'a', value: 40 });
  });
});

onlyOn('postgres', 'one connection cannot meet itself', () => {
  test('a deadlock is resolved by repeating one of the two', async () => {
    let meet: () => void = () => undefined;
    const bothHold = new Promise<void>((resolve) => {
      let holders = 0;
      meet = () => {
        holders += 1;
        if (holders === 2) resolve();
      };
    });
    const cross = (first: string, second: string): Promise<void> =>
      database.transaction(async (tx) => {
        await increment(tx, first);
        meet();
        await bothHold;
        await increment(tx, second);
      });
    await Promise.all([cross('a', 'b'), cross('b', 'a')]);
    expect((await values()).map((row) => row.value)).toEqual([2, 2]);
  });

  test('a transaction whose connection is cut fails, and the next one works', async () => {
    const cut = database.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
    await expect(cut).rejects.toBeInstanceOf(DatabaseError);
    await database.transaction((tx) => increment(tx, 'a'));
    expect((await values())[0]).toEqual({ id: 'a', value: 1 });
  });

  test('two replicas see what the other committed', async () => {
    const replica = createDatabase(await given.openReplica());
    await replica.transaction((tx) => increment(tx, 'b'));
    expect((await values())[1]).toEqual({ id: 'b', value: 1 });
  });
});
