import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { programArguments } from '../../../tools/lib/program-arguments.ts';
import { top } from '../../../tools/lib/source-files.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { rehearseUpgrade } from '../src/platform/upgrade/rehearse-upgrade.ts';
import { applicationName } from '../src/platform/upgrade/upgrade.store.ts';
import { createTestDatabase } from './database.ts';

async function upgrade(url: string, ...given: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...programArguments('server', 'upgrade'), ...given, '--database'], {
    cwd: top,
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.err += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...printed };
}

test('check ends with 0, 3 or 4 as replicas can be replaced, must stop, or must not be upgraded', async () => {
  const database = await createTestDatabase();
  const url = database.environment['DATABASE_URL'] as string;
  try {
    const rolling = await upgrade(url, 'check', '--json');
    expect([rolling.code, rolling.err]).toEqual([0, '']);
    expect(JSON.parse(rolling.out)).toMatchObject({ verdict: 'rolling', pending: [] });
    await database.database.transaction((tx) =>
      tx.execute(
        sql`insert into schema_migrations (name, checksum, oldest_release) values ('9999-later', '', '99.0.0')`,
      ),
    );
    const refused = await upgrade(url, 'check');
    expect([refused.code, refused.out]).toEqual([
      4,
      expect.stringMatching(/refused[\s\S]*release 99\.0\.0 or a newer/),
    ]);
  } finally {
    await database.drop();
  }
}, 90_000);

test('a rehearsal on a copy applies what is missing, and says what held the longest lock', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'portolan-rehearsal-'));
  try {
    await database.database.transaction(async (tx) => {
      await tx.execute(sql`delete from schema_migrations`);
      await tx.execute(sql`create table trial (id int)`);
    });
    await database.engine.close();
    const connectionString = database.environment['DATABASE_URL'] as string;
    const engine = await openPostgresEngine({ connectionString, poolSize: 3, applicationName });
    await writeFile(
      join(folder, '0120-trial.sql'),
      '-- phase: expand\nalter table trial add column new int;\nselect pg_sleep(0.3);\n',
    );
    const [rehearsed] = await rehearseUpgrade(engine, folder, '0.9.0');
    await engine.close();
    expect(rehearsed).toMatchObject({
      name: '0120-trial',
      longestLock: { table: 'trial', mode: 'AccessExclusiveLock' },
    });
    expect(rehearsed?.ms).toBeGreaterThanOrEqual(300);
    expect(rehearsed?.longestLock?.ms).toBeGreaterThan(200);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
