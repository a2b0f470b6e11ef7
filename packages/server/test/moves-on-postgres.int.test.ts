import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { programArguments } from '../../../tools/lib/program-arguments.ts';
import { top } from '../../../tools/lib/source-files.ts';
import { freezeOrganization } from '../src/modules/backups/index.ts';
import { checkMasterKey } from '../src/modules/identity/index.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { emptyFolder, migrationsFolder } from './backup-world.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { exported, fillOrganization, imported, newMasterKey, orgId, passphrase, readMovedLines } from './move-world.ts';

// each import is a process of its own, and the embedded engine takes seconds to start
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const [sourceKey, targetKey] = [newMasterKey(), newMasterKey()];
let source: TestDatabase;
let target: TestDatabase;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-moves-'));
  [source, target] = [await createTestDatabase(), await createTestDatabase()];
  await fillOrganization(source.database, sourceKey);
  await checkMasterKey(target.database, targetKey);
});
afterEach(async () => {
  await source.drop();
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the program of the command line; kills it after so long, unless it ended before. */
async function runProgram(on: TestDatabase, masterKey: string, given: readonly string[], killAfterMs?: number) {
  const started = performance.now();
  const child = spawn(process.execPath, [...programArguments('server', 'move'), ...given, '--database'], {
    cwd: top,
    env: { PATH: process.env['PATH'], PORTOLAN_DATA_DIR: folder, PORTOLAN_MASTER_KEY: masterKey, ...on.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const closed = once(child, 'close');
  if (killAfterMs !== undefined) {
    await Promise.race([closed, delay(killAfterMs)]);
    child.kill('SIGKILL');
  }
  const [code] = (await closed) as [number | null];
  return { code, printed, tookMs: performance.now() - started };
}

test('an organization goes from a server to the embedded engine and back, equal to the byte', async () => {
  const bytes = await exported(source.engine, sourceKey);
  const place = await emptyFolder();
  try {
    const { engine, database } = await place.open();
    await migrate(engine, migrationsFolder);
    const embeddedKey = newMasterKey();
    await checkMasterKey(createDatabase(engine), embeddedKey);
    await imported(engine, bytes, embeddedKey);
    const there = await exported(engine, embeddedKey);
    expect(readMovedLines(there)).toEqual(readMovedLines(bytes));
    expect(await database.rows(sql`select id from organizations`)).toEqual([{ id: orgId }]);
    await imported(target.engine, there, targetKey);
    expect(readMovedLines(await exported(target.engine, targetKey))).toEqual(readMovedLines(bytes));
  } finally {
    await place.drop();
  }
});

test('an import that is killed leaves nothing, whenever that is, and can be begun again', async () => {
  // enough that the rows take a while
  await source.database.executeAlone(sql`
    insert into journal (org_id, id, at, event, action, resource_type, identifier, actor_id, actor_kind, origin, datasource, after)
    select ${orgId}, 'many ' || n, now(), 'e', 'OTHER', 'entity', 'i' || n, 'a', 'person', 'API', 'd',
      jsonb_build_object('n', md5(n::text) || md5((n + 1)::text) || md5((n + 2)::text))
    from generate_series(1, 12000) as n`);
  const phrase = join(folder, 'passphrase');
  await writeFile(phrase, `${passphrase}\n`);
  const file = join(folder, 'acme.pto');
  const how = ['--passphrase-file', phrase];
  const out = await runProgram(source, sourceKey, ['export', orgId, '--to', file, ...how]);
  expect(out, out.printed).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Exported 12\d\d\d rows of Acme/),
  });
  expect((await readdir(folder)).sort()).toEqual(['acme.pto', 'passphrase']);
  const bytes = await exported(source.engine, sourceKey);
  const isThere = async () =>
    (await target.database.rows(sql`select 1 as one from journal where org_id = ${orgId} limit 1`)).length > 0;

  const dry = await runProgram(target, targetKey, ['import', file, ...how, '--dry-run']);
  expect(dry, dry.printed).toMatchObject({ code: 0, printed: expect.stringMatching(/^Could import 12\d\d\d rows/) });
  expect(await isThere()).toBe(false);

  let kills = 0;
  for (const part of [0.8, 1.3]) {
    const { code } = await runProgram(target, targetKey, ['import', file, ...how], dry.tookMs * part);
    if (code === 0 || (await hasEnded())) break;
    kills += 1;
    expect(await isThere()).toBe(false);
  }
  expect(kills).toBeGreaterThan(0);
  const last = await runProgram(target, targetKey, ['import', file, ...how]);
  if (last.code === 0)
    expect(last.printed).toMatch(/^Imported 12\d\d\d rows of Acme "Logistics" \(org 0\)[\s\S]*What to do now/);
  else expect(last.printed).toContain('is here already');
  expect(readMovedLines(await exported(target.engine, targetKey))).toEqual(readMovedLines(bytes));
  // the key was there before the rows: nothing of the file is seen twice, and others' keys go on
  const again = await runProgram(target, targetKey, ['import', file, ...how]);
  expect(again).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^portolan: The organization org 0 is here already/),
  });

  /** The commit may have come before the kill. A killed session still holds its locks for a moment. */
  async function hasEnded(): Promise<boolean> {
    return (await target.database.rows(sql`select 1 as one from organizations where id = ${orgId}`)).length > 0;
  }
});

test('an export that is killed leaves no file of that name', async () => {
  const phrase = join(folder, 'passphrase');
  await writeFile(phrase, passphrase);
  const short = join(folder, 'short');
  await writeFile(short, 'short');
  const file = join(folder, 'acme.pto');
  const refused = await runProgram(source, sourceKey, ['export', orgId, '--to', file, '--passphrase-file', short]);
  expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('The passphrase is too short') });
  const nowhere = join(folder, 'no', 'acme.pto');
  const failed = await runProgram(source, sourceKey, [
    'export',
    orgId,
    '--to',
    nowhere,
    '--passphrase-file',
    phrase,
    '--freeze',
  ]);
  expect(failed).toMatchObject({ code: 1, printed: expect.stringContaining('is not there. Check the path') });
  expect(await source.database.rows(sql`select frozen_at as at from organizations where id = ${orgId}`)).toEqual([
    { at: null },
  ]);
  const whole = await runProgram(source, sourceKey, ['export', orgId, '--to', file, '--passphrase-file', phrase]);
  expect(whole.code, whole.printed).toBe(0);
  await rm(file);
  await runProgram(source, sourceKey, ['export', orgId, '--to', file, '--passphrase-file', phrase], whole.tookMs * 0.7);
  const left = (await readdir(folder)).filter((name) => name === 'acme.pto');
  for (const name of left) {
    const verified = await runProgram(source, sourceKey, ['verify', join(folder, name), '--passphrase-file', phrase]);
    expect(verified.code, verified.printed).toBe(0);
  }
});

test('a change under way is waited for and in the file; one that does not end leaves the organization thawed', async () => {
  const other = await source.openReplica();
  const connection = await other.connect();
  const write = async (id: string) => {
    await connection.script('begin');
    await connection.query(
      `insert into journal (org_id, id, at, event, action, resource_type, identifier, actor_id, actor_kind, origin, datasource)
      values ($1, $2, now(), 'e', 'OTHER', 'entity', 'i', 'a', 'person', 'API', 'd')`,
      [orgId, id],
    );
  };
  const isFrozen = async () =>
    (await source.database.rows(sql`select 1 as one from organizations where id = ${orgId} and frozen_at is not null`))
      .length > 0;
  await write('too long');
  await expect(freezeOrganization(source.engine, { orgId, waitMs: 300 })).rejects.toThrow(
    /for longer than 0\.3 seconds/,
  );
  expect(await isFrozen()).toBe(false);

  let isQuiet = false;
  const freezing = freezeOrganization(source.engine, { orgId }).then(() => {
    isQuiet = true;
  });
  await vi.waitUntil(isFrozen, { timeout: 20_000 });
  expect(isQuiet).toBe(false);
  await connection.script('commit');
  await freezing;
  expect(readMovedLines(await exported(source.engine, sourceKey)).join('\n')).toContain('"too long"');
  connection.release();
});
