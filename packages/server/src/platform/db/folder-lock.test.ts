import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FolderInUseError, lockFolder } from './folder-lock.ts';

const lockModule = new URL('./folder-lock.ts', import.meta.url).href;
/** Takes the lock when a line comes in, says what became of it, and lives until its input ends. */
const starter = `
  import { createInterface } from 'node:readline';
  import { lockFolder } from '${lockModule}';
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  console.log('ready');
  await lines.next();
  try { await lockFolder(process.argv[1]); console.log('held'); }
  catch (error) { console.log('refused: ' + error.message); }
  await lines.next();
`;

let folder: string;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-lock-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

interface Starter {
  readonly child: ChildProcess;
  next(): Promise<string>;
  go(): void;
}

async function startProcess(): Promise<Starter> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', starter, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  expect(await next()).toBe('ready');
  return { child, next, go: () => child.stdin.write('\n') };
}

const kill = async ({ child }: Starter): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

describe('the lock of a folder', () => {
  test('is free again after its release, which may be repeated', async () => {
    const lock = await lockFolder(folder);
    await lock.release();
    await lock.release();
    const again = await lockFolder(folder);
    await again.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('is refused to the process that holds it', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderInUseError);
    await lock.release();
  });

  test('is refused while another process lives, in a sentence that names it', async () => {
    const holder = await startProcess();
    holder.go();
    expect(await holder.next()).toBe('held');
    const message = await lockFolder(folder).then(
      () => 'held',
      (error: Error) => error.message,
    );
    expect(message).toContain(`The data folder ${folder} is in use by process ${holder.child.pid} on `);
    expect(message).toContain('PORTOLAN_DATA_DIR');
  });

  test('is free after kill -9 of its holder', async () => {
    const holder = await startProcess();
    holder.go();
    expect(await holder.next()).toBe('held');
    await kill(holder);
    expect(await readdir(folder)).toHaveLength(1);
    const lock = await lockFolder(folder);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('goes to exactly one of several that start at once, also over the lock of a dead process', async () => {
    const dead = await startProcess();
    dead.go();
    await dead.next();
    await kill(dead);
    const starters = await Promise.all([1, 2, 3, 4].map(() => startProcess()));
    for (const each of starters) each.go();
    const answers = await Promise.all(starters.map((each) => each.next()));
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith('refused: The data folder'))).toHaveLength(3);
  });

  test('is not held by a process that has the pid of a dead holder', async () => {
    const holder = await startProcess();
    holder.go();
    await holder.next();
    const [name = ''] = await readdir(folder);
    await rm(join(folder, name));
    // The same pid, but started at another time.
    await writeFile(join(folder, name.replace(/-(\d+)-(\w+)-/, '-$1-1-')), '');
    const lock = await lockFolder(folder);
    await lock.release();
  });

  test('of another host is free once it was silent for a minute, and taken while it gives signs of life', async () => {
    const foreign = join(folder, 'portolan-7-123-0123456789ab.lock');
    await writeFile(foreign, '{"pid":7,"host":"elsewhere"}');
    const touch = setInterval(() => {
      utimes(foreign, new Date(), new Date()).catch(() => undefined);
    }, 100);
    try {
      await expect(lockFolder(folder)).rejects.toThrow(/in use by process 7 on elsewhere/);
    } finally {
      clearInterval(touch);
    }
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(foreign, longAgo, longAgo);
    const lock = await lockFolder(folder);
    await lock.release();
  });
});
