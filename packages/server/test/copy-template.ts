import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, type Database, type DatabaseOptions } from '../src/platform/db/database.ts';
import { openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import type { Engine } from '../src/platform/db/engine.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { createRowCheck } from './check-rows.ts';
import { databaseUrl, runOn, type TestDatabaseAddress } from './database-setup.ts';

/** A migrated database that belongs to the test that asked for it. */
export interface TestDatabase {
  readonly database: Database;
  readonly engine: Engine;
  /** How `database` is opened: every read is guarded, and every result compared with the shape of its rows. */
  readonly options: DatabaseOptions;
  /** How a process of the product is told to use it; close `engine` first when it is the embedded one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the database once more, as another replica would. Only PostgreSQL allows that. */
  openReplica(): Promise<Engine>;
  /** Closes what is open and removes the database. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  readonly statementTimeoutMs?: number;
}

/** A fresh copy of the migrated template: about 50 ms on PostgreSQL and a second on the embedded engine. */
export function copyTemplate(address: TestDatabaseAddress, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  return address.engine === 'postgres'
    ? clonePostgres([address.url, ...address.workers], address.template, name, options)
    : copyEmbedded(address.templateFolder, join(address.runFolder, name), options);
}

async function clonePostgres(
  [serverUrl = '', ...workers]: readonly string[],
  template: string,
  name: string,
  options: TestDatabaseOptions,
): Promise<TestDatabase> {
  const connectionString = databaseUrl(serverUrl, name);
  const open = (): Promise<Engine> => openPostgresEngine({ connectionString, poolSize: 5, ...options });
  const runAsAdmin = async (statement: string): Promise<void> => {
    await Promise.all([serverUrl, ...workers].map((url) => runOn(url, statement)));
  };
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`);
  const engine = await open();
  // Citus does not say from which column a value comes
  const checked = workers.length > 0 ? { guardsReads: true } : await strictly(engine);
  const replicas: Engine[] = [];
  return {
    engine,
    options: checked,
    database: createDatabase(engine, checked),
    environment: { DATABASE_URL: connectionString },
    async openReplica() {
      const replica = await open();
      replicas.push(replica);
      return replica;
    },
    async drop() {
      await Promise.all([engine, ...replicas].map((each) => each.close()));
      await runAsAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

async function copyEmbedded(
  templateFolder: string,
  dataDir: string,
  options: TestDatabaseOptions,
): Promise<TestDatabase> {
  await mkdir(dataDir);
  // The system's `cp`: Node's takes a second for these thousand files.
  await promisify(execFile)('cp', ['-R', templateFolder, join(dataDir, 'db')]);
  const engine = await openEmbeddedEngine({ dataDir, ...options });
  const checked = await strictly(engine);
  return {
    engine,
    options: checked,
    database: createDatabase(engine, checked),
    environment: { PORTOLAN_DATA_DIR: dataDir },
    openReplica: () => Promise.reject(new Error('The embedded engine has one process and one connection')),
    async drop() {
      await engine.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let check: ReturnType<typeof createRowCheck> | undefined;

/** Copies of one template have one catalog: it is read once. */
async function strictly(engine: Engine): Promise<DatabaseOptions> {
  check ??= createRowCheck(engine);
  return { guardsReads: true, checkRows: await check };
}
