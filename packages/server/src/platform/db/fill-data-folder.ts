import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedEngine, unfinishedPrefix } from './embedded-engine.ts';
import type { Engine } from './engine.ts';
import { lockFolder } from './folder-lock.ts';

/** No statement that fills a database should be ended for its length. */
const statementMs = 24 * 60 * 60 * 1000;

/**
 * Gives a data folder a database that `fill` writes. It is there once `fill` has ended well and everything is on the disk;
 * whatever ends the process before leaves the folder without one.
 * @throws FolderInUseError; whatever `refuse` answers when the folder has a database
 */
export async function fillDataFolder<T>(
  dataDir: string,
  fill: (engine: Engine) => Promise<T>,
  refuse: () => Error,
): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  const unfinished = join(dataDir, `${unfinishedPrefix}filled-${process.pid}`);
  try {
    if (existsSync(join(dataDir, 'db'))) throw refuse();
    for (const name of await readdir(dataDir)) {
      if (name.startsWith(unfinishedPrefix)) await rm(join(dataDir, name), { recursive: true, force: true });
    }
    const filled = await fillEngine(unfinished, fill);
    await syncFolder(join(unfinished, 'db'));
    await rename(join(unfinished, 'db'), join(dataDir, 'db'));
    await syncFile(dataDir);
    return filled;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await lock.release();
  }
}

async function fillEngine<T>(dataDir: string, fill: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEmbeddedEngine({ dataDir, statementTimeoutMs: statementMs });
  try {
    return await fill(engine);
  } finally {
    await engine.close();
  }
}

/** The embedded engine leaves its files to the operating system. */
async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFile(folder);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
