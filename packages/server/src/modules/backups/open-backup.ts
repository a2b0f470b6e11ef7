import manifest from '../../../package.json' with { type: 'json' };
import type { Engine } from '../../platform/db/engine.ts';
import { type BackupHeader, formatVersion } from './backup-format.ts';
import { beginSnapshot, findKeyCheck, listMigrations, readServerVersion, rollBack } from './tables.store.ts';
import { writeBackup } from './write-backup.ts';

/** A backup whose moment is fixed, and whose rows are read as its lines are taken. */
export interface OpenBackup {
  readonly header: BackupHeader;
  readonly lines: AsyncGenerator<string>;
  /** Must be called, whether the lines were taken or not. */
  close(): Promise<void>;
}

/**
 * Fixes the moment of a backup; others go on writing. On PostgreSQL a transaction keeps the view of that moment, on the
 * embedded engine a copy of its files does, since its one connection is everybody's.
 */
export async function openBackup(engine: Engine, takenAt: Date): Promise<OpenBackup> {
  const copy = await engine.openCopy?.();
  const source = copy ?? engine;
  let release = (): void => undefined;
  try {
    const connection = await source.connect();
    let isOver = false;
    release = () => {
      if (!isOver) connection.release(true);
      isOver = true;
    };
    await beginSnapshot(connection);
    const header: BackupHeader = {
      format: 'backup',
      version: formatVersion,
      release: manifest.version,
      migrations: [...(await listMigrations(connection))],
      engine: `${engine.kind} ${await readServerVersion(connection)}`,
      takenAt: takenAt.toISOString(),
      masterKey: readKeyId(await findKeyCheck(connection)),
    };
    return {
      header,
      lines: writeBackup(connection, header),
      async close() {
        await rollBack(connection).then(
          () => {
            if (!isOver) connection.release();
            isOver = true;
          },
          () => release(),
        );
        await copy?.close();
      },
    };
  } catch (error) {
    release();
    await copy?.close();
    throw error;
  }
}

/** Sealed values name the key that they were sealed with. */
function readKeyId(sealed: string | undefined): string | null {
  return sealed?.split('.')[1] ?? null;
}
