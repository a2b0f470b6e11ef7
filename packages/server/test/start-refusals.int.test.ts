import { cp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { checkMasterKey } from '../src/modules/identity/index.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { embeddedMajor, openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import { lockFolder } from '../src/platform/db/folder-lock.ts';
import { onlyOn } from './database.ts';
import { newDataDir, startProduct } from './product-process.ts';

// each test starts the product from its sources
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
beforeEach(async () => {
  dataDir = await newDataDir();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** What a start says that cannot go on. */
async function readRefusal(environment: Record<string, string> = {}, folder = dataDir): Promise<string> {
  const started = startProduct(folder, { PORTOLAN_DEMO: '0', ...environment });
  const failure = await started.then(
    async (product) => {
      await product.kill('SIGKILL');
      return new Error('it started');
    },
    (error: Error) => error,
  );
  expect(failure.message).toMatch(/^it ended with 1:/);
  expect(failure.message).not.toMatch(/^\s+at .+:\d+/m);
  return failure.message;
}

const useTemplate = async (): Promise<string> => {
  const address = inject('testDatabase');
  if (address.engine !== 'embedded') throw new Error('There is a template folder on the embedded engine alone');
  const folder = join(dataDir, 'db');
  await cp(address.templateFolder, folder, { recursive: true });
  return folder;
};

/** Leaves the mark of another key, as a first start does. */
async function checkedOnce(): Promise<void> {
  const engine = await openEmbeddedEngine({ dataDir });
  await checkMasterKey(createDatabase(engine), Buffer.alloc(32, 8).toString('base64'));
  await engine.close();
}

onlyOn('embedded', 'it is about its folder', () => {
  test('a data folder that is a file', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    expect(await readRefusal({}, file)).toMatch(/a-file.* is not a folder.*PORTOLAN_DATA_DIR/);
  });

  test('a data folder that is in use', async () => {
    const lock = await lockFolder(dataDir);
    expect(await readRefusal()).toMatch(/is in use by process \d+/);
    await lock.release();
  });

  test('a database of another major of PostgreSQL', async () => {
    const folder = await useTemplate();
    await writeFile(join(folder, 'PG_VERSION'), '19\n');
    expect(await readRefusal()).toMatch(new RegExp(`is of PostgreSQL 19, and this release has ${embeddedMajor}`));
  });

  test('a database whose files were cut short', async () => {
    const folder = await useTemplate();
    for (const file of ['global/pg_control', ...(await walFiles(folder))]) await truncate(join(folder, file));
    expect(await readRefusal()).toMatch(/cannot be opened.*Restore the folder from a backup/);
  });

  test('secrets that are no JSON', async () => {
    await useTemplate();
    await writeFile(join(dataDir, 'secrets.json'), '{"masterKey":');
    expect(await readRefusal()).toMatch(/secrets\.json cannot be read: restore it/);
  });

  test('a master key that is not that of the database', async () => {
    await useTemplate();
    await checkedOnce();
    const key = Buffer.alloc(32, 9).toString('base64');
    expect(await readRefusal({ PORTOLAN_MASTER_KEY: key })).toMatch(/master key is not the one/);
  });

  test('a port that is taken', async () => {
    await useTemplate();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    expect(await readRefusal({ PORT: String(port) })).toMatch(/port \d+ is in use by another process/);
    await new Promise((resolve) => taken.close(resolve));
  });
});

onlyOn('postgres', 'there is a server to reach', () => {
  test('a database that is not there', async () => {
    const environment = {
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
      PORTOLAN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    };
    expect(await readRefusal(environment)).toMatch(/The database cannot be reached: .*ECONNREFUSED/);
  });
});

async function walFiles(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'pg_wal'));
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).map((name) => `pg_wal/${name}`);
}

async function truncate(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.truncate(100);
  await handle.close();
}
