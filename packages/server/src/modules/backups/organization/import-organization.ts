import type { Readable } from 'node:stream';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import type { Connection, Engine } from '../../../platform/db/engine.ts';
import { parseJson } from '../../../platform/parse-json.ts';
import { createSealer } from '../../identity/index.ts';
import { BackupError } from '../backup-format.ts';
import { holdSchema, insertRows } from '../restore.store.ts';
import { beginRestore, commit, listMigrations, listTables, rollBack, type Table } from '../tables.store.ts';
import { type MoveOptions, requireMasterKey } from './export-organization.ts';
import { isOfOrganizations, movedTables, organizationsTable } from './moved-tables.ts';
import type { OrganizationHeader } from './organization-file.ts';
import {
  findOrganization,
  forgetRemoval,
  liftSequence,
  listOtherOrganizations,
  listTablesWithRows,
  sharesAddress,
} from './organization-rows.store.ts';
import { type OrganizationPart, readOrganization, refuseLine } from './read-organization.ts';
import { type Seals, sealForHere } from './reseal.ts';
import { type Change, listChanges } from './what-to-change.ts';

export interface Imported {
  readonly header: OrganizationHeader;
  readonly tables: number;
  readonly rows: number;
  /** What the operator has to do besides. */
  readonly changes: readonly Change[];
}

/**
 * Imports an organization beside others, in one transaction: nothing of it is there until all of it is. The file is read to
 * its end before anything is written, and once more to write it.
 * @throws BackupError for a file that cannot be used here, and an organization that is here already
 */
export async function importOrganization(
  engine: Engine,
  open: () => Readable,
  options: MoveOptions & { readonly isPlan?: boolean },
): Promise<Imported> {
  const connection = await engine.connect();
  let isBroken = true;
  try {
    await beginRestore(connection);
    const masterKey = await requireMasterKey(connection, options.masterKey);
    await holdSchema(connection);
    const target = await readTarget(connection);
    const planned = await checkFile(readOrganization(open(), options.passphrase), target);
    await requireAbsent(connection, planned.header, target.all);
    const imported = options.isPlan
      ? { ...planned, changes: [] }
      : await writeFile(connection, open(), target, { ...options, masterKey });
    await (options.isPlan ? rollBack(connection) : commit(connection));
    isBroken = false;
    return imported;
  } catch (error) {
    if (isBroken) {
      await rollBack(connection).then(
        () => (isBroken = false),
        () => undefined,
      );
    }
    throw error;
  } finally {
    connection.release(isBroken);
  }
}

interface Target {
  readonly migrations: readonly string[];
  readonly moved: ReadonlyMap<string, Table>;
  /** With those whose rows stay behind. */
  readonly all: readonly Table[];
}

async function readTarget(connection: Connection): Promise<Target> {
  const tables = await listTables(connection);
  return {
    migrations: await listMigrations(connection),
    moved: new Map(movedTables(tables).map((table) => [table.name, table])),
    all: tables.filter(isOfOrganizations),
  };
}

/** Reads a file to its end, against the tables that are here. */
async function checkFile(
  parts: AsyncGenerator<OrganizationPart>,
  target: Target,
): Promise<{ header: OrganizationHeader; tables: number; rows: number }> {
  let header: OrganizationHeader | undefined;
  const missing = new Set(target.moved.keys());
  const counted = { tables: 0, rows: 0 };
  for await (const part of parts) {
    if (part.kind === 'header') {
      header = part.header;
      requireSameSchema(header, target.migrations);
    } else if (part.kind === 'table') {
      asWritten(target, part);
      if (!missing.delete(part.table)) throw refuseLine(part.line, part.table, 'the table stands in the file twice');
      counted.tables += 1;
    } else if (part.kind === 'tableEnd') counted.rows += part.count;
    else if (part.kind === 'rows' && part.table === organizationsTable) requireSettled(part.rows, part.line);
  }
  const [first] = missing;
  if (!header || first !== undefined) throw new BackupError(`The table ${first} is not in the file. Use a whole copy.`);
  return { header, ...counted };
}

/** @throws BackupError for another schema: rows of one do not fit the tables of another */
function requireSameSchema({ migrations, release }: OrganizationHeader, here: readonly string[]): void {
  const newer = migrations.filter((name) => !here.includes(name));
  if (newer.length > 0) {
    throw new BackupError(
      `The file was written by release ${release} and has the migration ${newer[0]}, which this installation does not have. ` +
        'Upgrade this installation first.',
    );
  }
  const older = here.filter((name) => !migrations.includes(name));
  if (older.length > 0) {
    throw new BackupError(
      `The file was written by release ${release} and lacks the migration ${older[0]} of this installation. Upgrade the ` +
        'installation that it comes from, and export anew.',
    );
  }
}

/** The table with its columns in the order of the file. */
function asWritten(target: Target, { table, columns, line }: Extract<OrganizationPart, { kind: 'table' }>): Table {
  const known = target.moved.get(table);
  if (!known) throw refuseLine(line, table, 'this is no table whose rows move with an organization');
  const found = columns.flatMap((each) => known.columns.find(({ name }) => name === each) ?? []);
  const isSame = found.length === columns.length && new Set(columns).size === known.columns.length;
  if (!isSame) throw refuseLine(line, table, 'its columns are not those of the table here');
  return { name: table, columns: found };
}

function requireSettled(rows: readonly Readonly<Record<string, string | null>>[], line: number): void {
  for (const [index, row] of rows.entries()) {
    const isSettled = ['demo_of', 'removal_requested_at', 'migration_phase', 'frozen_at'].every(
      (column) => (row[column] ?? null) === null,
    );
    if (!isSettled) throw refuseLine(line + index, organizationsTable, 'such an organization is never exported');
  }
}

async function requireAbsent(
  connection: Connection,
  { organization }: OrganizationHeader,
  tables: readonly Table[],
): Promise<void> {
  const present = await findOrganization(connection, organization.id);
  if (present) {
    throw new BackupError(
      `The organization ${organization.id} is here already (${present.name}). Nothing was imported. To replace it, delete it ` +
        `first: portolan org delete ${organization.id} --yes`,
    );
  }
  const left = await listTablesWithRows(connection, tables, organization.id);
  if (left.length === 0) return;
  throw new BackupError(
    `Rows of ${organization.id} are here without their organization (${left.slice(0, 3).join(', ')}): it is still being removed, ` +
      'or was restored by halves. Nothing was imported. "portolan restore verify" says more.',
  );
}

async function writeFile(
  connection: Connection,
  file: Readable,
  target: Target,
  options: Omit<MoveOptions, 'masterKey'> & { readonly masterKey: Buffer },
): Promise<Imported> {
  let header: OrganizationHeader | undefined;
  let seals: Seals | undefined;
  let others: ReadonlySet<string> = new Set();
  let current: Table | undefined;
  let rows = 0;
  for await (const part of readOrganization(file, options.passphrase)) {
    if (part.kind === 'header' && part.key) {
      header = part.header;
      const orgId = header.organization.id;
      seals = { orgId, key: part.key, sealer: createSealer(options.masterKey), columns: options.sealedColumns };
      others = await listOtherOrganizations(connection, orgId);
      await forgetRemoval(connection, orgId);
    } else if (part.kind === 'table') current = asWritten(target, part);
    else if (part.kind === 'rows' && current && seals) {
      await writeRows(connection, current, prepareRows(part, current, seals, others), part.line);
      rows += part.rows.length;
    }
  }
  if (!header) throw new BackupError('The file has no head.');
  for (const { name, columns } of target.moved.values()) {
    for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
      const last = header.keys[`${name}.${column.name}`];
      if (last !== undefined) await liftSequence(connection, name, column.name, last);
    }
  }
  if (await sharesAddress(connection, header.organization.id)) {
    throw new BackupError(
      'A source of the file has the address for events of another organization. Nothing was imported.',
    );
  }
  const changes = await listChanges(connection, header.organization.id, 'target');
  return { header, tables: target.moved.size, rows, changes };
}

/** Rows as texts for the database, with secrets sealed for here. */
function prepareRows(
  { table, rows, line }: Extract<OrganizationPart, { kind: 'rows' }>,
  { columns }: Table,
  seals: Seals,
  others: ReadonlySet<string>,
): readonly string[] {
  return rows.map((row, index) => {
    // a job does what its input says, and no input of one organization names another
    if (table === 'jobs' && namesAny(parseJson(row['input'] ?? 'null'), others)) {
      throw refuseLine(line + index, table, 'the job names another organization of this installation');
    }
    let own: Readonly<Record<string, string | null>>;
    try {
      own = sealForHere(seals, table, row);
    } catch {
      throw refuseLine(line + index, table, 'a secret was not sealed there with the passphrase of the file');
    }
    return JSON.stringify(columns.map(({ name }) => own[name] ?? null));
  });
}

function namesAny(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return ids.has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => ids.has(key) || namesAny(each, ids));
}

/** Writes a batch; if the database refuses it, finds the row that it refuses. */
async function writeRows(connection: Connection, table: Table, rows: readonly string[], line: number): Promise<void> {
  await connection.script('savepoint batch');
  try {
    await insertRows(connection, table, rows);
    await connection.script('release savepoint batch');
    return;
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    await connection.script('rollback to savepoint batch');
  }
  for (const [index, row] of rows.entries()) {
    try {
      await insertRows(connection, table, [row]);
    } catch (error) {
      if (!isAboutRows(error)) throw error;
      throw refuseLine(line + index, table.name, reasons[error.code] ?? `the database refuses the row (${error.code})`);
    }
  }
}

/** Data exceptions and violated constraints; all else is no fault of a row. */
function isAboutRows(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^2[23]/.test(error.code);
}

const reasons: Readonly<Record<string, string>> = {
  '22P02': 'a value is not of the type of its column',
  '22007': 'a value is not of the type of its column',
  '22003': 'a number is too large for its column',
  '23502': 'a value is missing',
  '23503': 'it names a row that is not in the file',
  '23505': 'there is such a row already',
  '23514': 'a value is none that the column takes',
};
