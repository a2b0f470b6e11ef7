import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { Connection, Engine } from './engine.ts';

export interface Migration {
  /** `0001-platform` */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Any number, as long as every replica uses the same and nothing else does. Held by whoever changes the schema. */
export const migrationLock = 4_771_002;

/**
 * Brings the database up to the files `NNNN-name.sql` of a folder, in order, each in its own transaction, and returns
 * the names of those it applied. Replicas that start together wait for one another.
 * @throws Error naming the file, when an applied file has changed, is missing, or a new one sorts before it
 */
export async function migrate(engine: Engine, folder: string): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const connection = await engine.connectDirectly();
  try {
    await connection.query('set statement_timeout = 0');
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      return await applyMissing(connection, migrations);
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [migrationLock]);
      await connection.query('reset statement_timeout');
    }
  } finally {
    connection.release();
  }
}

/** @throws StartError for a folder that is not as it was released */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Migration[] = [];
  for (const file of names) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(file)) throw new StartError(`Migration ${file} is not named NNNN-name.sql`);
    const name = file.slice(0, -'.sql'.length);
    const previous = migrations.at(-1);
    if (previous?.name.slice(0, 4) === name.slice(0, 4)) {
      throw new StartError(`Migrations ${previous.name} and ${name} have the same number`);
    }
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ name, text, checksum: createHash('sha256').update(text).digest('hex') });
  }
  return migrations;
}

async function applyMissing(connection: Connection, migrations: readonly Migration[]): Promise<readonly string[]> {
  await createHistory(connection);
  const { rows } = await connection.query('select name, checksum from schema_migrations');
  const applied = new Map(rows.map((row) => [row['name'] as string, row['checksum'] as string]));
  const missing = checkHistory(migrations, applied);
  for (const migration of missing) await apply(connection, migration);
  return missing.map(({ name }) => name);
}

/** Makes the table that says which migrations are applied, unless it is there. */
export async function createHistory(connection: Connection): Promise<void> {
  await connection.script(`
    create table if not exists schema_migrations (
      name text not null primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

function checkHistory(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const last = [...applied.keys()].sort().at(-1) ?? '';
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new StartError(`The database has migration ${name}, which this release does not know: use a newer release`);
    }
  }
  for (const { name, checksum } of migrations) {
    const before = applied.get(name);
    if (before === undefined && name < last) {
      throw new StartError(
        `Migration ${name} is new but sorts before ${last}, which is applied: give it a higher number`,
      );
    }
    if (before !== undefined && before !== checksum) {
      throw new StartError(
        `Migration ${name} was changed after it was applied: undo the change and write a new migration`,
      );
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Applies a migration in the open transaction of the connection. */
export async function applyWithin(connection: Connection, { name, text, checksum }: Migration): Promise<void> {
  await connection.script(text);
  await connection.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function apply(connection: Connection, migration: Migration): Promise<void> {
  const { name } = migration;
  await connection.query('begin');
  try {
    await applyWithin(connection, migration);
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback');
    throw new StartError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
