import type { Readable } from 'node:stream';
import type { Connection, Engine } from '../../../platform/db/engine.ts';
import { parseJson } from '../../../platform/parse-json.ts';
import { createSealer } from '../../identity/index.ts';
import { BackupError } from '../backup-format.ts';
import { holdSchema } from '../restore.store.ts';
import { beginRestore, commit, listMigrations, listTables, rollBack, type Table } from '../tables.store.ts';
import { writeRows } from '../write-rows.ts';
import { findFault } from './check-values.ts';
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
      : await writeFile(connection, open(), target, { ...options, masterKey, planned });
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

interface CheckedFile {
  readonly header: OrganizationHeader;
  readonly tables: number;
  readonly rows: number;
  readonly sha256: string;
}

/** Reads a file to its end, against the tables that are here. */
async function checkFile(parts: AsyncGenerator<OrganizationPart>, target: Target): Promise<CheckedFile> {
  let header: OrganizationHeader | undefined;
  let current: Table | undefined;
  let sha256 = '';
  const missing = new Set(target.moved.keys());
  const counted = { tables: 0, rows: 0 };
  for await (const part of parts) {
    if (part.kind === 'header') {
      header = part.header;
      requireSameSchema(header, target.migrations);
    } else if (part.kind === 'table') {
      current = asWritten(target, part);
      if (!missing.delete(part.table)) throw refuseLine(part.line, part.table, 'the table stands in the file twice');
      counted.tables += 1;
    } else if (part.kind === 'tableEnd') counted.rows += part.count;
    else if (part.kind === 'end') sha256 = part.sha256;
    else if (part.kind === 'rows' && current && header) {
      requirePlainValues(part, current, header);
      if (part.table === organizationsTable) requireSettled(part.rows, part.line);
    }
  }
  const [first] = missing;
  if (!header || first !== undefined) throw new BackupError(`The table ${first} is not in the file. Use a whole copy.`);
  return { header, ...counted, sha256 };
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

/** @throws BackupError for what the database would take, and no installation writes */
function requirePlainValues(
  { table, rows, line }: Extract<OrganizationPart, { kind: 'rows' }>,
  { columns }: Table,
  header: OrganizationHeader,
): void {
  for (const [index, row] of rows.entries()) {
    for (const column of columns) {
      const text = row[column.name] ?? null;
      const fault = text === null ? undefined : findFault(table, column, text, header);
      if (fault !== undefined) throw refuseLine(line + index, table, fault);
    }
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
  options: Omit<MoveOptions, 'masterKey'> & { readonly masterKey: Buffer; readonly planned: CheckedFile },
): Promise<Imported> {
  let header: OrganizationHeader | undefined;
  let seals: Seals | undefined;
  let others: ReadonlySet<string> = new Set();
  let current: Table | undefined;
  let rows = 0;
  for await (const part of readOrganization(file, options.passphrase)) {
    if (part.kind === 'header' && part.key) {
      header = part.header;
      requireSame(header, options.planned.header);
      const orgId = header.organization.id;
      seals = { orgId, key: part.key, sealer: createSealer(options.masterKey), columns: options.sealedColumns };
      others = await listOtherOrganizations(connection, orgId);
      await forgetRemoval(connection, orgId);
    } else if (part.kind === 'table') current = asWritten(target, part);
    else if (part.kind === 'rows' && current && seals) {
      const { line } = part;
      await writeRows(connection, current, { rows: prepareRows(part, current, seals, others), line }, refuseLine);
      rows += part.rows.length;
    } else if (part.kind === 'end') requireSame(part.sha256, options.planned.sha256);
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

/** @throws BackupError where the file that is written is not the one that was checked */
function requireSame(now: unknown, before: unknown): void {
  if (JSON.stringify(now) === JSON.stringify(before)) return;
  throw new BackupError('The file changed while it was read. Nothing was imported. Use a copy that nobody writes.');
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
    if (table === 'jobs' && namesOther(parseJson(row['input'] ?? 'null'), seals.orgId, others)) {
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

/** Whether a value names an organization that is here, or says of whichever else that it is meant: that may come later. */
function namesOther(value: unknown, orgId: string, others: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return others.has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, each]) => {
    const isOwner = key === 'orgId' || key === 'organizationId';
    return (isOwner && each !== orgId) || others.has(key) || namesOther(each, orgId, others);
  });
}
