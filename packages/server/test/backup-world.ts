import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { inject } from 'vitest';
import { restoreBackup, restoreFolder, takeBackup } from '../src/modules/backups/index.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import type { Engine } from '../src/platform/db/engine.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { databaseUrl } from './database-setup.ts';

export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));
export const takenAt = new Date('2026-11-27T05:00:00Z');

/** The bytes of a backup as they lie in a file. */
export async function backUp(engine: Engine): Promise<Buffer> {
  const into = new PassThrough();
  const [bytes] = await Promise.all([buffer(into), takeBackup(engine, into, takenAt)]);
  return bytes;
}

/** The lines of a backup after its head. */
export function readRows(bytes: Buffer): string[] {
  return gunzipSync(bytes).toString('utf8').trimEnd().split('\n').slice(1);
}

export interface RestoreTarget {
  /** How a process of the product is told to use it. */
  readonly environment: Readonly<Record<string, string>>;
  restore(
    bytes: Buffer,
    options?: { readonly masterKeyId?: string; readonly migrationsFolder?: string },
  ): ReturnType<typeof restoreBackup>;
  /** Opens what was restored. */
  open(): Promise<{ readonly engine: Engine; readonly database: Database }>;
  /** Names of tables that are there; none where there is no database. */
  tables(): Promise<string[]>;
  drop(): Promise<void>;
}

/** A place on the disk for the embedded engine, with nothing in it. */
export async function emptyFolder(): Promise<RestoreTarget> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-restored-'));
  const opened: Engine[] = [];
  const open = async () => {
    const engine = await openEmbeddedEngine({ dataDir });
    opened.push(engine);
    return { engine, database: createDatabase(engine) };
  };
  return {
    environment: { PORTOLAN_DATA_DIR: dataDir },
    restore: (bytes, options = {}) => restoreFolder(dataDir, Readable.from([bytes]), { migrationsFolder, ...options }),
    open,
    tables: async () => {
      const { engine } = await open();
      const names = await listTables(engine);
      await engine.close();
      return names;
    },
    drop: async () => {
      for (const engine of opened) await engine.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A database of the test's server, with nothing in it. */
export async function emptyDatabase(): Promise<RestoreTarget> {
  const address = inject('testDatabase');
  if (address.engine !== 'postgres') throw new Error('There is no server here');
  const name = `restored_${randomBytes(8).toString('hex')}`;
  const connectionString = databaseUrl(address.url, name);
  await runAsAdmin(address.url, `create database ${name} encoding 'UTF8' template template0`);
  const engines: Engine[] = [];
  const open = async () => {
    const engine = await openPostgresEngine({ connectionString, poolSize: 3 });
    engines.push(engine);
    return { engine, database: createDatabase(engine) };
  };
  return {
    environment: { DATABASE_URL: connectionString },
    restore: async (bytes, options = {}) =>
      restoreBackup((await open()).engine, Readable.from([bytes]), { migrationsFolder, ...options }),
    open,
    tables: async () => listTables((await open()).engine),
    drop: async () => {
      for (const engine of engines) await engine.close();
      await runAsAdmin(address.url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** An empty place on the engine of the project. */
export function emptyPlace(): Promise<RestoreTarget> {
  return inject('testDatabase').engine === 'postgres' ? emptyDatabase() : emptyFolder();
}

async function listTables(engine: Engine): Promise<string[]> {
  const connection = await engine.connect();
  try {
    const { rows } = await connection.query(`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname collate "C"`);
    return rows.map(({ name }) => name as string);
  } finally {
    connection.release();
  }
}

async function runAsAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
