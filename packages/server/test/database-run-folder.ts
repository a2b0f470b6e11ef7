import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that belongs to one run of the tests and goes with it. */
export interface RunFolder {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Makes a temporary folder for this run, and first removes those of runs that died; `beforeRemoval` may stop what such
 * a run left running.
 */
export async function createRunFolder(
  kind: string,
  beforeRemoval: (folder: string) => Promise<void> = async () => undefined,
): Promise<RunFolder> {
  const prefix = `portolan-test-${kind}-`;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    const owner = Number(await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => ''));
    if (owner > 0 && !isRunning(owner)) await removeFolder(folder, beforeRemoval);
  }
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'owner.pid'), String(process.pid));
  return { folder, remove: () => removeFolder(folder, beforeRemoval) };
}

async function removeFolder(folder: string, beforeRemoval: (folder: string) => Promise<void>): Promise<void> {
  await beforeRemoval(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
