import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { migrate } from './migrate.ts';

let given: TestDatabase;
let folder: string;
beforeAll(async () => {
  given = await createTestDatabase();
});
afterAll(() => given.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-window-'));
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`delete from schema_migrations`);
    await tx.execute(sql`delete from replicas`);
    await tx.execute(sql`drop table if exists trial`);
    await tx.execute(sql`create table trial (id int, old int)`);
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, ...lines: string[]) => writeFile(join(folder, name), `${lines.join('\n')}\n`);
const columns = async () =>
  (
    await given.database.rows<{ name: string }>(sql`
      select attname as name from pg_attribute where attrelid = 'trial'::regclass and attnum > 0 and not attisdropped
      order by attnum`)
  ).map(({ name }) => name);
const see = (release: string, secondsAgo: number) =>
  given.database.transaction((tx) =>
    tx.execute(sql`insert into replicas (id, release, role, address, seen_at)
      values (${`r-${release}`}, ${release}, 'all', '10.0.0.7:3000', now() - make_interval(secs => ${secondsAgo}))`),
  );

const expands = ['-- phase: expand', 'alter table trial add column new int;'];
const contracts = ['-- phase: contract after 0.8.4', '-- oldest release: 0.9.0', 'alter table trial drop column old;'];

describe('the head of a file', () => {
  test.each([
    ['no phase', ['select 1;'], /0120-trial does not begin with "-- phase: expand"/],
    ['an unknown phase', ['-- phase: shrink'], /0120-trial does not begin with/],
    ['a contraction after no release', ['-- phase: contract after next'], /0120-trial does not begin with/],
    ['a contraction that does not say what works', [contracts[0]!, 'select 1;'], /second line must be/],
    ['an oldest release that is none', [expands[0]!, '-- oldest release: soon'], /names "soon" as oldest release/],
  ])('with %s is refused', async (_name, lines, message) => {
    await write('0120-trial.sql', ...lines);
    await expect(migrate(given.engine, folder)).rejects.toThrow(message);
  });

  test('is not asked of files from before', async () => {
    await write('0119-trial.sql', 'select 1;');
    expect(await migrate(given.engine, folder)).toEqual(['0119-trial']);
  });
});

describe('a release on a schema with files that it does not know', () => {
  const start = async (release: string) => {
    await rm(join(folder, '0121-later.sql'), { force: true });
    return migrate(given.engine, folder, { release });
  };

  test('starts where they only added', async () => {
    await write('0120-first.sql', ...expands);
    await write('0121-later.sql', '-- phase: expand', 'alter table trial add column later int;');
    await migrate(given.engine, folder, { release: '0.9.0' });
    expect(await start('0.8.4')).toEqual([]);
  });

  test('starts where it is new enough for them, and else names the release that is needed', async () => {
    await write('0120-first.sql', ...expands);
    await write('0121-later.sql', ...contracts);
    await migrate(given.engine, folder, { release: '0.9.3' });
    expect(await start('0.9.0')).toEqual([]);
    await expect(start('0.8.9')).rejects.toThrow(/0121-later, after which release 0\.9\.0 or a newer one is needed/);
  });
});

describe('what contracts', () => {
  beforeEach(async () => {
    await write('0120-contract.sql', ...contracts);
    await write('0121-expand.sql', ...expands);
  });
  const upgrade = (isFinish = false) => migrate(given.engine, folder, { release: '0.9.0', isFinish });

  test('waits while a replica of before was seen within a minute; what expands does not', async () => {
    await see('0.8.4', 50);
    expect(await upgrade()).toEqual(['0121-expand']);
    expect(await columns()).toEqual(['id', 'old', 'new']);
    await given.database.transaction((tx) => tx.execute(sql`update replicas set seen_at = now() - interval '61 s'`));
    expect(await upgrade()).toEqual(['0120-contract']);
    expect(await columns()).toEqual(['id', 'new']);
  });

  test('does not wait for replicas that no longer need it', async () => {
    await see('0.8.5', 1);
    expect(await upgrade()).toEqual(['0120-contract', '0121-expand']);
  });

  test('is not applied by a release that needs it itself', async () => {
    expect(await migrate(given.engine, folder, { release: '0.8.4' })).toEqual(['0121-expand']);
  });

  test('is refused while an older replica runs, and finished as soon as none does', async () => {
    await see('0.8.4', 10);
    await expect(upgrade(true)).rejects.toThrow(/0120-contract .*10\.0\.0\.7:3000 \(0\.8\.4\)/);
    await given.database.transaction((tx) => tx.execute(sql`update replicas set seen_at = now() - interval '21 s'`));
    expect(await upgrade(true)).toEqual(['0120-contract', '0121-expand']);
  });
});

test('an index is built beside writers, and anew after a build that broke off', async () => {
  await write('0120-index.sql', '-- phase: expand', 'create index concurrently if not exists trial_id on trial (id);');
  await given.database.transaction((tx) => tx.execute(sql`create index trial_id on trial (id)`));
  await given.database.transaction((tx) =>
    tx.execute(sql`update pg_index set indisvalid = false where indexrelid = 'trial_id'::regclass`),
  );
  expect(await migrate(given.engine, folder)).toEqual(['0120-index']);
  const [index] = await given.database.rows<{ isValid: boolean }>(
    sql`select indisvalid as "isValid" from pg_index where indexrelid = 'trial_id'::regclass`,
  );
  expect(index).toEqual({ isValid: true });
});

onlyOn('postgres', 'on the embedded engine nobody else can hold a lock', () => {
  const locks = { waitMs: 50, attempts: 4, pauseMs: 20 };
  const holdTable = async () => {
    const holder = await (await given.openReplica()).connect();
    await holder.query('begin');
    await holder.query('lock table trial in access share mode');
    return async () => {
      await holder.query('rollback');
      holder.release();
    };
  };

  test('a file waits for its lock only briefly, so that others go on, and fails whole after some attempts', async () => {
    await write('0120-trial.sql', '-- phase: expand', 'create table trial_two (id int);', ...expands.slice(1));
    const release = await holdTable();
    const reading = (async () => {
      const waits: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        const before = performance.now();
        await given.database.rows(sql`select id from trial`);
        waits.push(performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return Math.max(...waits);
    })();
    await expect(migrate(given.engine, folder, { locks })).rejects.toThrow(/0120-trial did not get its lock in 4/);
    expect(await reading).toBeLessThan(1_000);
    expect(await columns()).toEqual(['id', 'old']);
    expect(await given.database.rows(sql`select 1 as there from pg_tables where tablename = 'trial_two'`)).toEqual([]);
    await release();
  });

  test('a file that gets its lock at a later attempt is applied once', async () => {
    await write('0120-trial.sql', ...expands);
    const release = await holdTable();
    const migrating = migrate(given.engine, folder, { locks: { ...locks, attempts: 50 } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await release();
    expect(await migrating).toEqual(['0120-trial']);
    expect(await columns()).toEqual(['id', 'old', 'new']);
  });
});
