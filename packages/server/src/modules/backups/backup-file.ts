import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Engine } from '../../platform/db/engine.ts';
import { BackupError, type BackupHeader } from './backup-format.ts';
import { type OpenBackup, openBackup } from './open-backup.ts';

/** Packs an open backup into a stream and ends it; what the reader does not take is not read. */
export async function streamBackup({ lines }: OpenBackup, destination: Writable): Promise<void> {
  await pipeline(Readable.from(lines, { highWaterMark: 1 }), createGzip({ level: 5 }), destination);
}

/** Takes a backup into a stream. */
export async function takeBackup(engine: Engine, destination: Writable, takenAt: Date): Promise<BackupHeader> {
  const backup = await openBackup(engine, takenAt);
  try {
    await streamBackup(backup, destination);
    return backup.header;
  } finally {
    await backup.close();
  }
}

/** Takes a backup into a file, which has its name once it is whole and on the disk. */
export async function takeBackupFile(engine: Engine, path: string, takenAt: Date): Promise<BackupHeader> {
  const unfinished = `${path}.part`;
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
    const header = await takeBackup(engine, file, takenAt);
    await rename(unfinished, path);
    return header;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explainFile(error, path);
  }
}

/** What the system says of a backup's file, in words. */
export function explainFile(error: unknown, path: string): unknown {
  const remedy = remedies[(error as NodeJS.ErrnoException).code ?? ''];
  return remedy === undefined ? error : new BackupError(`${path} ${remedy}`, { cause: error });
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'does not fit: the disk is full. Make room, or name a file on another disk.',
  EDQUOT: 'does not fit: the quota is used up. Make room, or name a file on another disk.',
  ENOENT: 'is not there. Check the path.',
  EISDIR: 'is a folder. Name a file.',
  ENOTDIR: 'is below something that is no folder. Name another file.',
  EACCES: 'may not be used by this user. Name another file, or give the right.',
  EROFS: 'is on a file system that cannot be written. Name another file.',
};
