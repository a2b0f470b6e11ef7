import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Connection, Engine } from '../../../platform/db/engine.ts';
import { release } from '../../../platform/release.ts';
import { createSealer, masterKeyId, opensKeyCheck, type SealedColumn } from '../../identity/index.ts';
import { explainFile } from '../backup-file.ts';
import { BackupError } from '../backup-format.ts';
import {
  beginSnapshot,
  closeRows,
  fetchRows,
  findKeyCheck,
  listMigrations,
  listSequences,
  listTables,
  readServerVersion,
  rollBack,
  type Table,
} from '../tables.store.ts';
import { isOfOrganizations, movedTables } from './moved-tables.ts';
import { type OrganizationHeader, organizationFormatVersion, writeOrganizationHeader } from './organization-file.ts';
import { findOrganization, isSetUp, openOwnRows } from './organization-rows.store.ts';
import { type Seals, sealForTransfer } from './reseal.ts';
import { createTransferKey, passphraseLengthMin } from './transfer-key.ts';
import { type Change, listChanges } from './what-to-change.ts';

export interface MoveOptions {
  readonly passphrase: string;
  /** In base64; undefined where it is not known. */
  readonly masterKey: string | undefined;
  /** Where sealed values stand, as the modules declare. */
  readonly sealedColumns: readonly SealedColumn[];
}

export interface ExportOptions extends MoveOptions {
  readonly orgId: string;
  readonly takenAt: Date;
}

export interface Exported {
  readonly header: OrganizationHeader;
  readonly rows: number;
  /** What the operator has to do besides. */
  readonly changes: readonly Change[];
}

/**
 * Exports an organization into a stream, as it is at one moment; everybody goes on meanwhile. The stream is opened when the first
 * line is there. @throws BackupError
 */
export function exportOrganization(
  engine: Engine,
  openDestination: () => Writable,
  options: ExportOptions,
): Promise<Exported> {
  return withSnapshot(engine, async (connection) => {
    const { orgId, passphrase, sealedColumns, takenAt } = options;
    const masterKey = await requireMasterKey(connection, options.masterKey);
    await requireMovable(connection, orgId);
    requireLongPassphrase(passphrase);
    const tables = movedTables(await listTables(connection));
    const organization = await findOrganization(connection, orgId);
    const seals: Seals = {
      orgId,
      sealer: createSealer(masterKey),
      key: createTransferKey(passphrase, orgId),
      columns: sealedColumns,
    };
    const header: OrganizationHeader = {
      format: 'organization',
      version: organizationFormatVersion,
      release,
      migrations: [...(await listMigrations(connection))],
      engine: `${engine.kind} ${await readServerVersion(connection)}`,
      takenAt: takenAt.toISOString(),
      organization: { id: orgId, name: organization?.name ?? '' },
      keys: await givenKeys(connection, tables),
    };
    const counted = { rows: 0 };
    const lines = writeLines(connection, tables, { header, seals, counted, keyId: masterKeyId(masterKey) });
    await pipeline(Readable.from(lines, { highWaterMark: 1 }), createGzip({ level: 5 }), openDestination());
    return { header, rows: counted.rows, changes: await listChanges(connection, orgId, 'source') };
  });
}

/** Exports into a file, which has its name once it is whole and on the disk. */
export async function exportOrganizationFile(engine: Engine, path: string, options: ExportOptions): Promise<Exported> {
  const unfinished = `${path}.part`;
  try {
    const exported = await exportOrganization(
      engine,
      () => createWriteStream(unfinished, { mode: 0o600, flush: true }),
      options,
    );
    await rename(unfinished, path);
    return exported;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explainFile(error, path);
  }
}

/** A transaction that sees one moment; of the embedded engine a copy does. */
async function withSnapshot<T>(engine: Engine, read: (connection: Connection) => Promise<T>): Promise<T> {
  const copy = await engine.openCopy?.();
  try {
    const connection = await (copy ?? engine).connect();
    let isBroken = true;
    try {
      await beginSnapshot(connection);
      const answer = await read(connection);
      await rollBack(connection);
      isBroken = false;
      return answer;
    } finally {
      connection.release(isBroken);
    }
  } finally {
    await copy?.close();
  }
}

async function requireMovable(connection: Connection, orgId: string): Promise<void> {
  const found = await findOrganization(connection, orgId);
  const refuse = (why: string): never => {
    throw new BackupError(why);
  };
  if (!found) return refuse(`There is no organization ${orgId} here; "portolan org list" shows them.`);
  if (found.isBeingRemoved) refuse(`${orgId} is being removed. Nothing of it can be moved.`);
  if (found.demoOf !== null) refuse(`${orgId} is the demo of ${found.demoOf}. A demo is made anew where it is wanted.`);
  if (found.isMigrating) refuse(`Users and teams of ${orgId} are being migrated. Finish that first.`);
}

/** @throws BackupError for a key that does not open what is sealed here */
export async function requireMasterKey(connection: Connection, masterKey: string | undefined): Promise<Buffer> {
  const kept = (await isSetUp(connection)) ? await findKeyCheck(connection) : undefined;
  if (kept === undefined) throw new BackupError('Portolan was never started with this database. Start it once first.');
  if (masterKey === undefined || !opensKeyCheck(masterKey, kept)) {
    throw new BackupError(
      `Secrets here are sealed by the master key ${kept.split('.')[1]}. Set PORTOLAN_MASTER_KEY to it, or --data-dir to the folder ` +
        'that has it in secrets.json.',
    );
  }
  return Buffer.from(masterKey, 'base64');
}

function requireLongPassphrase(passphrase: string): void {
  if (passphrase.length >= passphraseLengthMin) return;
  throw new BackupError(
    `The passphrase is too short: it protects every secret in the file. Use at least ${passphraseLengthMin} characters, such as ` +
      'those of "openssl rand -base64 32".',
  );
}

async function givenKeys(connection: Connection, tables: readonly Table[]): Promise<Record<string, string>> {
  const last = await listSequences(connection);
  const own = new Set(tables.filter(isOfOrganizations).map(({ name }) => name));
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(last)) {
    if (value !== null && own.has(name.split('.')[0] ?? '')) given[name] = value;
  }
  return given;
}

interface Writing {
  readonly header: OrganizationHeader;
  readonly seals: Seals;
  readonly counted: { rows: number };
  readonly keyId: string;
}

/** How many rows are read at once, by what those before them took. */
const steps = [20, 200, 1_000] as const;
const bytesWanted = 1_000_000;

async function* writeLines(connection: Connection, tables: readonly Table[], writing: Writing): AsyncGenerator<string> {
  const { header, seals } = writing;
  yield writeOrganizationHeader(header, seals.key);
  const whole = createHash('sha256');
  for (const [index, table] of tables.entries()) {
    for await (const text of writeTable(connection, table, `moved_rows_${index}`, writing)) {
      whole.update(text);
      yield text;
    }
  }
  const sha256 = whole.digest('hex');
  yield `${JSON.stringify({ end: true, tables: tables.length, sha256, mac: seals.key.sign(sha256) })}\n`;
}

async function* writeTable(
  connection: Connection,
  table: Table,
  cursor: string,
  { seals, counted, keyId }: Writing,
): AsyncGenerator<string> {
  const columns = table.columns.map(({ name }) => name);
  yield `${JSON.stringify({ table: table.name, columns })}\n`;
  const hash = createHash('sha256');
  let count = 0;
  await openOwnRows(connection, cursor, table, seals.orgId);
  for (let step: number = steps[0]; ; ) {
    const rows = await fetchRows(connection, cursor, step);
    const sealed = rows.map((row) => sealForTransfer(seals, table.name, row));
    const text = sealed.map((row) => `${JSON.stringify(columns.map((name) => row[name]))}\n`).join('');
    if (text.includes(`v1.${keyId}.`)) {
      throw new BackupError(
        `${table.name} has a value that is sealed by the master key, and this release does not know what for.`,
      );
    }
    if (text !== '') {
      hash.update(text);
      yield text;
    }
    count += rows.length;
    if (rows.length < step) break;
    const fitting = (bytesWanted * rows.length) / text.length;
    step = steps.findLast((each) => each <= fitting) ?? steps[0];
  }
  await closeRows(connection, cursor);
  counted.rows += count;
  yield `${JSON.stringify({ table: table.name, rows: count, sha256: hash.digest('hex') })}\n`;
}
