import type { Readable } from 'node:stream';
import { fillDataFolder } from '../../platform/db/fill-data-folder.ts';
import { BackupError } from './backup-format.ts';
import { type Restored, type RestoreOptions, restoreBackup } from './restore-backup.ts';

/** Restores a backup as the embedded database of a data folder that has none. @throws BackupError, FolderInUseError */
export function restoreFolder(dataDir: string, file: Readable, options: RestoreOptions): Promise<Restored> {
  return fillDataFolder(
    dataDir,
    (engine) => restoreBackup(engine, file, options),
    () =>
      new BackupError(
        `The data folder ${dataDir} has a database already. Name another folder, or move its subfolder db away; nothing was ` +
          'changed in it.',
      ),
  );
}
