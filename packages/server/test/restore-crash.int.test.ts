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
import { backUp, emptyPlace, type RestoreTarget, readRows } from './backup-world.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { fillEveryTable } from './fill-every-table.ts';

// each restore is a process, which starts an engine
vi.setConfig({ testTimeout: 240_000 });

let filled: TestDatabase;
let target: RestoreTarget;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-crash-'));
  [filled, target] = await Promise.all([createTestDatabase(), emptyPlace()]);
});
afterEach(async () => {
  await target.drop();
  await filled.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly printed: string;
  readonly tookMs: number;
}

/** Runs the program of the command line on the empty place; kills it after so long, unless it ended before. */
async function runProgram(given: readonly string[], killAfterMs?: number): Promise<Ended> {
  const { DATABASE_URL } = target.environment;
  const where = DATABASE_URL ? ['--database'] : [];
  const started = performance.now();
  const child = spawn(process.execPath, [...programArguments('server', 'backup'), ...given, ...where], {
    cwd: top,
    env: { PATH: process.env['PATH'], PORTOLAN_DATA_DIR: folder, ...target.environment },
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

test('a restore that is killed leaves nothing, whenever that is, and can be begun again', async () => {
  await fillEveryTable(filled.database);
  // enough that the rows take a while
  await filled.database.executeAlone(sql`
    insert into journal (org_id, id, at, event, action, resource_type, identifier, actor_id, actor_kind, origin, datasource, after)
    select 'org 0', 'many ' || n, now(), 'e', 'OTHER', 'entity', 'i' || n, 'a', 'person', 'API', 'd', jsonb_build_object('n', repeat('x', 200))
    from generate_series(1, 8000) as n`);
  const bytes = await backUp(filled.engine);
  const file = join(folder, 'taken.ptb');
  await writeFile(file, bytes);
  const whole = await runProgram(['restore', file]);
  expect(whole, whole.printed).toMatchObject({ code: 0 });
  expect(whole.printed).toMatch(/^Restored 8\d\d\d rows of \d+ tables/);
  const again = await runProgram(['restore', file]);
  expect(again).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^portolan: .*(not empty|has a database already)/),
  });

  await target.drop();
  target = await emptyPlace();
  for (const part of [0.6, 0.9]) {
    const { code } = await runProgram(['restore', file], whole.tookMs * part);
    // a faster machine than before may have ended it in time
    if (code === 0) break;
    // nothing of it is seen before its end; what is there was restored in time, and is compared below
    if (target.environment['DATABASE_URL'] && (await target.tables()).length > 0) break;
    if (!target.environment['DATABASE_URL'])
      expect(await readdir(target.environment['PORTOLAN_DATA_DIR'] as string)).not.toContain('db');
  }
  const last = await runProgram(['restore', file]);
  if (last.code !== 0) expect(last.printed).toMatch(/not empty|has a database already/);
  expect(readRows(await backUp((await target.open()).engine))).toEqual(readRows(bytes));
});
