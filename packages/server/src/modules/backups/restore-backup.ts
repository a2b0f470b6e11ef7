import type { Readable } from 'node:stream';
import type { Connection, Engine } from '../../platform/db/engine.ts';
import { applyWithin } from '../../platform/db/migrate.ts';
import { type Migration, readMigrations } from '../../platform/db/migration-files.ts';
import { createHistory } from '../../platform/db/migration-history.ts';
import { BackupError, type BackupHeader, changed } from './backup-format.ts';
import { type BackupPart, readBackup } from './read-backup.ts';
import { advanceSequence, analyze, emptyTable, holdSchema, listPresent } from './restore.store.ts';
import { beginRestore, commit, listTables, rollBack, type Table } from './tables.store.ts';
import { writeRows } from './write-rows.ts';

export interface RestoreOptions {
  /** Where the migrations of this release are. */
  readonly migrationsFolder: string;
  /** The id of the key that the restored installation will have; undefined where it is not known. */
  readonly masterKeyId?: string | undefined;
}

export interface Restored {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
  /** Migrations of this release that the backup did not have, applied after its rows. */
  readonly migrated: readonly string[];
}

/**
 * Restores a backup into an empty database, in one transaction: its rows are written into the tables of its own release,
 * and what this release changed since is applied to them afterwards. Nothing of it is there until all of it is.
 * @throws BackupError for a database that is not empty, a file that cannot be used, and another master key
 */
export async function restoreBackup(engine: Engine, file: Readable, options: RestoreOptions): Promise<Restored> {
  const parts = readBackup(file);
  const header = await readHead(parts);
  const known = await readMigrations(options.migrationsFolder);
  const { before, after } = splitMigrations(known, header);
  requireKey(header, options.masterKeyId);
  const connection = await engine.connect();
  let isBroken = true;
  try {
    await beginRestore(connection);
    const counts = await restoreWithin(connection, parts, before);
    for (const migration of after) await applyWithin(connection, migration);
    await commit(connection);
    isBroken = false;
    await analyze(connection);
    return { header, ...counts, migrated: after.map(({ name }) => name) };
  } catch (error) {
    if (isBroken) await rollBack(connection).catch(() => undefined);
    throw error;
  } finally {
    await parts.return(undefined);
    connection.release(isBroken);
  }
}

/** The head of a backup; the parts that follow are left in the generator. */
export async function readHead(parts: AsyncGenerator<BackupPart>): Promise<BackupHeader> {
  const { value } = await parts.next();
  if (value?.kind !== 'header') throw changed('it has no head');
  return value.header;
}

/** What was applied when the backup was taken, and what this release adds. @throws BackupError for a newer release's */
export function splitMigrations(known: readonly Migration[], { migrations, release }: BackupHeader) {
  const names = new Set(migrations);
  const unknown = migrations.find((name) => !known.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new BackupError(
      `The backup was taken by release ${release} and has the migration ${unknown}, which this release does not know. ` +
        'Restore it with that release or a newer one.',
    );
  }
  const before = known.filter(({ name }) => names.has(name));
  const after = known.filter(({ name }) => !names.has(name));
  const last = before.at(-1)?.name ?? '';
  const between = after.find(({ name, phase }) => name < last && phase.kind === 'expand');
  if (between) throw changed(`it lacks the migration ${between.name}, which stands before others that it has`);
  return { before, after };
}

/** @throws BackupError where sealed values could not be read after the restore */
export function requireKey({ masterKey }: BackupHeader, given: string | undefined): void {
  if (masterKey === null || given === undefined || masterKey === given) return;
  throw new BackupError(
    `The sealed values of the backup belong to the master key ${masterKey}, and this installation has ${given}: nothing that ` +
      'is sealed could be read. Set PORTOLAN_MASTER_KEY to the key of the installation that was backed up.',
  );
}

async function restoreWithin(
  connection: Connection,
  parts: AsyncGenerator<BackupPart>,
  migrations: readonly Migration[],
): Promise<{ tables: number; rows: number }> {
  await holdSchema(connection);
  const present = await listPresent(connection);
  if (present.length > 0) {
    throw new BackupError(
      `The database is not empty: it has ${present.join(', ')}. Restore into a new one; nothing was changed in this.`,
    );
  }
  await createHistory(connection);
  for (const migration of migrations) await applyWithin(connection, migration);
  const tables = await listTables(connection);
  for (const table of [...tables].reverse()) await emptyTable(connection, table);
  const missing = new Map(tables.map((table) => [table.name, table]));
  let current: Table | undefined;
  let rows = 0;
  for await (const part of parts) {
    if (part.kind === 'table') {
      current = asWritten(missing.get(part.table), part.table, part.columns);
      missing.delete(part.table);
    } else if (part.kind === 'rows' && current) {
      const written = await writeRows(connection, current, part, refuseLine);
      if (written !== part.rows.length) throw changed(`rows of ${part.table} are not what they were`);
      rows += written;
    } else if (part.kind === 'sequences') await advance(connection, tables, part.last);
  }
  const [first] = missing.keys();
  if (first !== undefined) throw changed(`the table ${first} is not in it`);
  return { tables: tables.length, rows };
}

function refuseLine(line: number, table: string, why: string): BackupError {
  return new BackupError(`Line ${line}, ${table}: ${why}. Nothing was restored. Use another copy, or take a new one.`);
}

/** The table with its columns in the order of the file. */
function asWritten(table: Table | undefined, name: string, columns: readonly string[]): Table {
  const found = columns.flatMap((each) => table?.columns.find((column) => column.name === each) ?? []);
  const isSame = found.length === columns.length && new Set(columns).size === table?.columns.length;
  if (!table || !isSame) {
    throw changed(`${name} is not a table of its release with these columns`);
  }
  return { name, columns: found };
}

async function advance(
  connection: Connection,
  tables: readonly Table[],
  last: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
      await advanceSequence(connection, name, column.name, last[`${name}.${column.name}`] ?? null);
    }
  }
}
