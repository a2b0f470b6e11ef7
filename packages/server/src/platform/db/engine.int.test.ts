import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase, testEngine } from '../../../test/database.ts';
import type { Connection, QueryResult } from './engine.ts';
import { json } from './json.ts';

let given: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  given = await createTestDatabase();
  connection = await given.engine.connect();
});
afterAll(async () => {
  connection.release();
  await given.drop();
});

const query = (text: string, values?: readonly unknown[]): Promise<QueryResult> => connection.query(text, values);
const read = async (expression: string, values?: readonly unknown[]): Promise<unknown> =>
  (await query(`select ${expression} as value`, values)).rows[0]?.['value'];

describe('values', () => {
  const moment = new Date('2026-02-03T04:05:06.789Z');
  const deep = { name: 'ä "quoted" \\ 😀', list: [1, 'two', null, { three: [] }], none: null };

  test.each<[string, string, unknown, unknown]>([
    ['text', '$1::text', 'ä\n\t"\\\' 😀', 'ä\n\t"\\\' 😀'],
    ['empty text', '$1::text', '', ''],
    ['boolean', '$1::boolean', true, true],
    ['integer', '$1::int', -7, -7],
    ['bigint', '$1::bigint', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['a JavaScript bigint', '$1::bigint', 12_345_678_901n, 12_345_678_901],
    ['numeric', '$1::numeric', 12.5, 12.5],
    ['double', '$1::float8', 0.1, 0.1],
    ['timestamptz', '$1::timestamptz', moment, moment],
    ['null', '$1::text', null, null],
    ['undefined, which is null', '$1::text', undefined, null],
    ['uuid', '$1::uuid', '0c3fba3e-6d7c-4b1e-9a1e-0a8f5d1f0001', '0c3fba3e-6d7c-4b1e-9a1e-0a8f5d1f0001'],
    ['bytes', '$1::bytea', Buffer.from([0, 1, 255]), Buffer.from([0, 1, 255])],
    ['text array', '$1::text[]', ['a', 'b,"c"', '', null, '{}'], ['a', 'b,"c"', '', null, '{}']],
    ['empty array', '$1::text[]', [], []],
    ['integer array', '$1::int[]', [1, null, 3], [1, null, 3]],
    ['bigint array', '$1::bigint[]', [1, 9_007_199_254_740_991], [1, 9_007_199_254_740_991]],
    ['timestamptz array', '$1::timestamptz[]', [moment, null], [moment, null]],
    ['jsonb object', '$1::jsonb', json(deep), deep],
    ['jsonb array', '$1::jsonb', json([1, 'a', null]), [1, 'a', null]],
    ['jsonb text', '$1::jsonb', json('a "b"'), 'a "b"'],
    ['jsonb number', '$1::jsonb', json(1.5), 1.5],
    ['jsonb null', '$1::jsonb', json(null), null],
    ['SQL null for a missing json value', '$1::jsonb', json(undefined), null],
    ['json', '$1::json', json(deep), deep],
    ['array of jsonb texts', '$1::jsonb[]', [json({ a: 1 }), json([2])], [{ a: 1 }, [2]]],
  ])('%s comes back as it went in', async (_name, expression, parameter, expected) => {
    expect(await read(expression, [parameter])).toEqual(expected);
  });

  test.each<[string, string, unknown]>([
    ['a count', '(select count(*) from (values (1), (2)) as v)', 2],
    ['a sum of bigint, which is numeric', '(select sum(v::bigint) from (values (1), (2)) as t (v))', 3],
    ['a date as text', `date '2026-02-03'`, '2026-02-03'],
    ['a timestamp without zone as text', `timestamp '2026-02-03 04:05:06'`, '2026-02-03 04:05:06'],
    ['a moment as text in UTC', `timestamptz '2026-02-03 04:05:06+02'::text`, '2026-02-03 02:05:06+00'],
    ['an interval as text', `interval '90 minutes'::text`, '01:30:00'],
    ['a record of json', `to_jsonb(row(1, 'a'))`, { f1: 1, f2: 'a' }],
    ['a name', `'abc'::name`, 'abc'],
    [
      'an array of arrays',
      `array[array['a', 'b'], array['c', 'd']]`,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('%s is read', async (_name, expression, expected) => {
    expect(await read(expression)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['an object', { a: 1 }],
    ['an array with an object', [{ a: 1 }]],
    ['a function', () => 1],
  ])('%s is no parameter and is refused before it is sent', async (_name, parameter) => {
    await expect(query('select $1::jsonb', [parameter])).rejects.toThrow(/json\(value\)/);
  });
});

describe('errors', () => {
  beforeAll(() =>
    connection.script(`
      create table error_cases (id int constraint error_cases_id primary key, positive int not null
        constraint error_cases_positive check (positive > 0));
      insert into error_cases values (1, 1);`),
  );

  test.each<[string, string, unknown[], string, string | undefined]>([
    ['an unknown table', 'select * from nowhere', [], '42P01', undefined],
    ['a syntax error', 'selec 1', [], '42601', undefined],
    ['a duplicate key', 'insert into error_cases values (1, 1)', [], '23505', 'error_cases_id'],
    ['a failed check', 'insert into error_cases values (2, $1)', [-1], '23514', 'error_cases_positive'],
    ['a missing value', 'insert into error_cases values (3, null)', [], '23502', undefined],
    ['a value of the wrong form', 'select $1::int', ['abc'], '22P02', undefined],
    ['U+0000 in a text', 'select $1::text', ['a\u0000b'], '22021', undefined],
    ['U+0000 in json', 'select $1::jsonb', [json({ a: '\u0000' })], '22P05', undefined],
    ['division by zero', 'select 1 / $1::int', [0], '22012', undefined],
    ['too few parameters', 'select $1::text, $2::text', ['a'], '08P01', undefined],
  ])('%s has its SQLSTATE and leaves the session usable', async (_name, text, values, code, constraint) => {
    // Twice more than needed: the statement gets a name on its second use, and fails when it is parsed, or later.
    for (let use = 1; use <= 3; use += 1) {
      await expect(query(text, values)).rejects.toMatchObject({ name: 'DatabaseError', code, constraint });
    }
    expect(await read('1')).toBe(1);
  });

  test('a script stops at its first error', async () => {
    await expect(connection.script('create table half (id int); select 1/0;')).rejects.toMatchObject({ code: '22012' });
    expect(await read(`to_regclass('half')`)).toBeNull();
  });
});

describe('statements', () => {
  const prepared = async (text: string): Promise<number> =>
    Number(await read('(select count(*) from pg_prepared_statements where statement = $1)', [text]));

  test('a text is prepared when it is used for the second time', async () => {
    const text = `select $1::int + 40 as prepared_once`;
    const counts: number[] = [];
    for (let use = 1; use <= 3; use += 1) {
      expect((await query(text, [use])).rows[0]).toEqual({ prepared_once: use + 40 });
      counts.push(await prepared(text));
    }
    expect(counts).toEqual([0, 1, 1]);
  });

  test('a long text is never prepared', async () => {
    const text = `select 1 /* ${'x'.repeat(9_000)} */ as long_text`;
    for (let use = 1; use <= 3; use += 1) await query(text);
    expect(await prepared(text)).toBe(0);
  });

  test('those sent without waiting run in order, and a failure is only its own', async () => {
    await connection.script('create table in_order (id serial, value text)');
    const sent = ['a', 'b', 'c'].map((value) => query('insert into in_order (value) values ($1)', [value]));
    const failed = query('select 1/0');
    const after = query('select string_agg(value, $1 order by id) as values from in_order', [',']);
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect((await Promise.all(sent)).map((result) => result.rowCount)).toEqual([1, 1, 1]);
    expect((await after).rows).toEqual([{ values: 'a,b,c' }]);
  });

  test('a large answer and a large parameter pass', async () => {
    const big = 'ä'.repeat(3_000_000);
    expect(await read('$1::text', [big])).toBe(big);
    expect((await query('select repeat($1, 1000) as v from generate_series(1, 5000)', ['x'])).rows).toHaveLength(5_000);
  });
});

test('a session that has prepared too many texts forgets them when it is given back', async () => {
  const other = await createTestDatabase();
  try {
    const lent = await other.engine.connect();
    for (let text = 0; text < 1_000; text += 1) {
      await lent.query(`select ${text} as v`);
      await lent.query(`select ${text} as v`);
    }
    lent.release();
    const again = await other.engine.connect();
    expect((await again.query('select count(*) from pg_prepared_statements')).rows).toEqual([{ count: 0 }]);
    expect((await again.query('select 999 as v')).rows).toEqual([{ v: 999 }]);
    again.release();
  } finally {
    await other.drop();
  }
});

describe('notifications', () => {
  test('reach every subscriber until it leaves, and only for its channel', async () => {
    const other = await createTestDatabase();
    try {
      const seen: string[] = [];
      const stopFirst = await other.engine.listen('news', (payload) => seen.push(`first ${payload}`));
      await other.engine.listen('news', (payload) => seen.push(`second ${payload}`));
      const send = async (channel: string, payload: string): Promise<void> => {
        const sender = await other.engine.connect();
        await sender.query('select pg_notify($1, $2)', [channel, payload]);
        sender.release();
      };
      await send('gossip', 'none');
      await send('news', 'a');
      await expect.poll(() => seen.toSorted(), { timeout: 5_000 }).toEqual(['first a', 'second a']);
      await stopFirst();
      await send('news', 'b');
      await expect.poll(() => seen, { timeout: 5_000 }).toContain('second b');
      expect(seen).not.toContain('first b');
    } finally {
      await other.drop();
    }
  });
});

test('close waits for the statement that runs, may be called twice, and ends the engine', async () => {
  const other = await createTestDatabase();
  const lent = await other.engine.connect();
  const running = lent.query('select count(*) from generate_series(1, 200000)');
  const closing = other.engine.close();
  expect((await running).rowCount).toBe(1);
  lent.release();
  await closing;
  await other.engine.close();
  await expect(other.engine.connect()).rejects.toThrow();
  await other.drop();
});

test('a statement that takes too long is cancelled, and the engine goes on, listening as before', async () => {
  const other = await createTestDatabase({ statementTimeoutMs: 1_000 });
  try {
    const seen: string[] = [];
    await other.engine.listen(
      'news',
      (payload) => seen.push(payload),
      () => seen.push('(gap)'),
    );
    const endless = 'select count(*) from generate_series(1, 1000000000) as n where n % 7 = 8';
    await expect(other.database.rows(raw(endless))).rejects.toMatchObject({ name: 'DatabaseError', code: '57014' });
    expect(await other.database.first(raw('select 1 as one'))).toEqual({ one: 1 });
    await other.database.transaction((tx) => tx.execute(raw(`select pg_notify('news', 'after')`)));
    await expect.poll(() => seen.at(-1), { timeout: 5_000 }).toBe('after');
  } finally {
    await other.drop();
  }
});

describe('what goes too deep for the engine is refused and harms nothing else', () => {
  test.each<[string, string]>([
    ['JSON', `'${'['.repeat(200_000)}${']'.repeat(200_000)}'::jsonb`],
    ['an expression', Array.from({ length: 100_000 }, () => '1').join('+')],
  ])('%s', async (_name, expression) => {
    await expect(query(`select ${expression}`)).rejects.toMatchObject({ code: '54001' });
    expect(await read('1')).toBe(1);
  });
});

onlyOn('postgres', 'the embedded session lives as long as its process', () => {
  test('a listener whose connection was cut listens again and says that there was a gap', async () => {
    const other = await createTestDatabase();
    try {
      const seen: string[] = [];
      await other.engine.listen(
        'news',
        (payload) => seen.push(payload),
        () => seen.push('(gap)'),
      );
      const killer = await other.engine.connect();
      await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'portolan listener'`);
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['(gap)']);
      await killer.query(`select pg_notify('news', 'back')`);
      await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['(gap)', 'back']);
      killer.release();
    } finally {
      await other.drop();
    }
  });

  test('a pool whose connections were cut makes new ones', async () => {
    const other = await createTestDatabase();
    try {
      const lent = await other.engine.connect();
      await expect(lent.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({
        name: 'DatabaseError',
      });
      lent.release(true);
      const next = await other.engine.connect();
      expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      next.release();
    } finally {
      await other.drop();
    }
  });
});

describe('metrics', () => {
  const figures = async (): Promise<ReadonlyMap<string, number>> => {
    const values = await Promise.all(
      given.engine.metrics.map(
        async (metric) =>
          (await metric.get()) as unknown as MetricObjectWithValues<
            MetricValue<string> & { readonly metricName?: string }
          >,
      ),
    );
    return new Map(
      values.flatMap(({ name, values: series }) =>
        series.map(
          ({ labels, value, metricName }) =>
            [`${metricName ?? name} ${Object.values(labels).join(' ')}`, value] as const,
        ),
      ),
    );
  };

  test('say who uses a connection, who waits for one, and how long it took', async () => {
    const before = await figures();
    const limit = before.get('portolan_database_connections main limit') ?? 0;
    expect(limit).toBe(testEngine === 'postgres' ? 5 : 1);
    // one is taken by this file
    const others = await Promise.all(Array.from({ length: limit - 1 }, () => given.engine.connect()));
    const next = given.engine.connect();
    await new Promise(setImmediate);
    const taken = await figures();
    expect(taken.get('portolan_database_connections main used')).toBe(limit);
    expect(taken.get('portolan_database_connections main idle')).toBe(0);
    expect(taken.get('portolan_database_waiting main')).toBe(1);
    for (const each of others) each.release();
    if (limit === 1) connection.release();
    const got = await next;
    if (limit === 1) connection = got;
    else got.release();
    const after = await figures();
    expect(after.get('portolan_database_waiting main')).toBe(0);
    const count = 'portolan_database_wait_seconds_count main';
    expect((after.get(count) ?? 0) - (before.get(count) ?? 0)).toBe(limit);
  });

  test('count a statement that failed once, by its reason, and not those that fail because it did', async () => {
    const before = await figures();
    const fail = (statement: string): Promise<unknown> => query(statement).catch(() => undefined);
    await fail(`select 1 / 0`);
    await query('begin');
    await fail(`do $$ begin raise exception 'x' using errcode = '57014'; end $$`);
    await fail('select 1');
    await query('rollback');
    await fail(`do $$ begin raise exception 'x' using errcode = '23505'; end $$`);
    await fail(`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`);
    const after = await figures();
    const more = [...after].filter(([name]) => name.startsWith('portolan_database_errors_total'));
    expect(
      Object.fromEntries(more.map(([name, value]) => [name.split(' ')[1], value - (before.get(name) ?? 0)])),
    ).toEqual({
      ...{ away: 0, full: 0, 'read-only': 0, contended: 1, slow: 1, constraint: 1, other: 1 },
    });
  });
});
