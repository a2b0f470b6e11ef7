import type { Readable } from 'node:stream';
import { readMigrations } from '../../platform/db/migration-files.ts';
import type { BackupHeader } from './backup-format.ts';
import { readBackup } from './read-backup.ts';
import { type RestoreOptions, readHead, requireKey, splitMigrations } from './restore-backup.ts';

export interface RestorePlan {
  readonly header: BackupHeader;
  /** Tables that have rows, and how many. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly migrations: readonly string[];
}

/** Reads a backup to its end as a restore would, and writes nothing. @throws BackupError as the restore would */
export async function planRestore(file: Readable, options: RestoreOptions): Promise<RestorePlan> {
  const parts = readBackup(file);
  const header = await readHead(parts);
  const { after } = splitMigrations(await readMigrations(options.migrationsFolder), header);
  requireKey(header, options.masterKeyId);
  const tables: { table: string; rows: number }[] = [];
  for await (const part of parts) {
    if (part.kind === 'tableEnd' && part.count > 0) tables.push({ table: part.table, rows: part.count });
  }
  return { header, tables, migrations: after.map(({ name }) => name) };
}
