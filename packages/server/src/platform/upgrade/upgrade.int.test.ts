import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { migrate } from '../db/migrate.ts';
import { planUpgrade } from './plan-upgrade.ts';
import { rehearseUpgrade } from './rehearse-upgrade.ts';
import { planText, rehearsalText } from './upgrade-text.ts';

let given: TestDatabase;
let folder: string;
beforeAll(async () => {
  given = await createTestDatabase();
});
afterAll(() => given.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-upgrade-'));
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`delete from schema_migrations`);
    await tx.execute(sql`delete from replicas`);
    await tx.execute(sql`drop table if exists trial`);
    await tx.execute(sql`create table trial (id int, old int)`);
  });
  await write('0119-before.sql', 'select 1;');
  await migrate(given.engine, folder, { release: '0.8.0' });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, ...lines: string[]) => writeFile(join(folder, name), `${lines.join('\n')}\n`);
const see = (release: string, id = release) =>
  given.database.transaction((tx) =>
    tx.execute(
      sql`insert into replicas (id, release, role, address) values (${id}, ${release}, 'all', ${`pod-${id}:3000`})`,
    ),
  );
const writeUpgrade = async () => {
  await write('0120-expand.sql', '-- phase: expand', 'alter table trial add column new int;');
  await write(
    '0121-contract.sql',
    '-- phase: contract after 0.8.2',
    '-- oldest release: 0.9.0',
    'alter table trial drop column old;',
  );
};
const plan = (release = '0.9.0') => planUpgrade(given.engine, folder, release);

describe('a check', () => {
  test('says what would be done, what waits, and changes nothing', async () => {
    await writeUpgrade();
    await see('0.8.2', 'a');
    await see('0.8.2', 'b');
    const found = await plan();
    expect(found).toMatchObject({
      release: '0.9.0',
      running: { release: '0.8.2', untold: false },
      database: { migrations: 1 },
      pending: [
        { name: '0120-expand', phase: 'expand', waitsFor: null, locks: [{ table: 'trial', keepsOut: 'everybody' }] },
        { name: '0121-contract', phase: 'contract', waitsFor: '0.8.2' },
      ],
      verdict: 'rolling',
      reasons: [],
    });
    expect(planText(found)).toMatch(
      /running +2 replicas \(2 of 0\.8\.2\)[\s\S]*1 to expand, 1 to contract[\s\S]*going back is possible/,
    );
    expect(planText(found)).toContain('space       no table that exists is rewritten');
    expect(await given.database.rows(sql`select name from schema_migrations`)).toEqual([{ name: '0119-before' }]);
    const { rows } = await (async () => {
      const connection = await given.engine.connect();
      try {
        return await connection.query(
          `select 1 from pg_attribute where attrelid = 'trial'::regclass and attname = 'new'`,
        );
      } finally {
        connection.release();
      }
    })();
    expect(rows).toEqual([]);
  });

  test('compares what is rewritten with what is said to be free', async () => {
    await given.database.executeAlone(sql`insert into trial select n, n from generate_series(1, 20000) n`);
    await write('0120-expand.sql', '-- phase: expand', 'create index trial_old on trial (old);');
    const asked = (free: number) => planUpgrade(given.engine, folder, '0.9.0', free);
    const { space, warnings } = await asked(1024 ** 3);
    expect(space).toMatchObject({ tables: ['trial'], writtenBytes: expect.toSatisfy((bytes) => bytes > 500_000) });
    expect((await asked(1_000_000)).warnings).toEqual([
      ...warnings,
      expect.stringMatching(/rewrite up to 1 MB of trial.*more than the 1 MB that are free/),
    ]);
  });

  test.each([
    ['0.8.0', '0.9.0', 'rolling'],
    ['0.8.7', '0.9.0', 'rolling'],
    ['0.7.9', '0.9.0', 'refused'],
    ['0.9.1', '1.0.0', 'rolling'],
    ['0.9.1', '1.1.0', 'refused'],
    ['0.9.1', '2.0.0', 'refused'],
    ['1.1.0', '1.0.3', 'rolling'],
  ])('of replicas of %s by %s ends as %s', async (running, release, verdict) => {
    await see(running);
    expect((await plan(release)).verdict).toBe(verdict);
  });

  test('needs a stop where the release that runs does not work on the new schema', async () => {
    await write('0120-expand.sql', '-- phase: expand', '-- oldest release: 0.9.0', 'select 1;');
    await see('0.8.2');
    expect(await plan()).toMatchObject({
      verdict: 'stop',
      reasons: [expect.stringMatching(/0\.8\.2 .* 0120-expand: end every/)],
    });
    await given.database.transaction((tx) => tx.execute(sql`delete from replicas`));
    expect((await plan()).verdict).toBe('rolling');
  });

  test('is refused on a schema that has moved too far', async () => {
    await writeUpgrade();
    await migrate(given.engine, folder, { release: '0.9.0' });
    await rm(join(folder, '0121-contract.sql'));
    expect(await plan('0.8.9')).toMatchObject({ verdict: 'refused', reasons: [expect.stringContaining('0.9.0')] });
  });
});

onlyOn('postgres', 'copies are made of servers', () => {
  const copy = async () => {
    const replica = await given.openReplica();
    return replica;
  };

  test('a rehearsal refuses a database that a replica uses', async () => {
    await writeUpgrade();
    await given.engine.connect().then((connection) => connection.release());
    await expect(rehearseUpgrade(await copy(), folder, '0.9.0')).rejects.toThrow(
      /Replicas use this database.*Rehearse on a copy/,
    );
    expect(await given.database.rows(sql`select name from schema_migrations`)).toEqual([{ name: '0119-before' }]);
  });
});

test('the text of a rehearsal has a line for each file and their sum', () => {
  const text = rehearsalText([
    { name: '0120-expand', ms: 1200, longestLock: { table: 'trial', mode: 'AccessExclusiveLock', ms: 80 } },
    { name: '0121-contract', ms: 3, longestLock: null },
  ]);
  expect(text).toBe(
    '0120-expand       1200 ms  AccessExclusiveLock on trial for 80 ms\n' +
      '0121-contract        3 ms  no lock was seen\n' +
      'in all            1203 ms\n',
  );
});
