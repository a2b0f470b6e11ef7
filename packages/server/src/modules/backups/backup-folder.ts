import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const whole = /^portolan-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.ptb$/;
const unfinished = /^portolan-\d{8}T\d{6}Z\.ptb\.part$/;
/** After so long without a byte, an unfinished backup is nobody's. */
const abandonedMs = 10 * 60_000;

/** `portolan-20261127T051500Z.ptb` */
export function backupFileName(takenAt: string): string {
  return `portolan-${takenAt.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.ptb`;
}

export interface BackupFolder {
  /** When the newest whole backup was taken. */
  readonly newest: Date | undefined;
  /** Whether somebody, of whichever process, is writing one. */
  readonly isBusy: boolean;
}

/** What scheduled backups left in a folder; one that is not there yet is empty. Files of other names are not looked at. */
export async function lookIntoFolder(folder: string): Promise<BackupFolder> {
  const names = await listNames(folder);
  const last = names.filter((name) => whole.test(name)).at(-1);
  const isWritten = await Promise.all(
    names.filter((name) => unfinished.test(name)).map(async (name) => !(await isAbandoned(join(folder, name)))),
  );
  return { newest: last === undefined ? undefined : readMoment(last), isBusy: isWritten.includes(true) };
}

/** Makes the folder, and takes away what is abandoned in it. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await listNames(folder)) {
    const path = join(folder, name);
    if (unfinished.test(name) && (await isAbandoned(path))) await rm(path, { force: true });
  }
}

/** Removes all scheduled backups but the newest. */
export async function keepNewest(folder: string, keep: number): Promise<void> {
  const backups = (await listNames(folder)).filter((name) => whole.test(name));
  for (const name of backups.slice(0, -keep)) await rm(join(folder, name), { force: true });
}

/** In the order of their names, which is that of time. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readMoment(name: string): Date {
  const [, year, month, day, hour, minute, second] = whole.exec(name) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Measured by the clock of the disk's files, which is that of this machine. */
async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}
