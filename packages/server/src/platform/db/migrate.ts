import { compareReleases, release as thisRelease } from '../release.ts';
import { StartError } from '../start-error.ts';
import { DatabaseError } from './database-error.ts';
import type { Connection, Engine } from './engine.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { type AppliedMigration, checkHistory, createHistory, readHistory } from './migration-history.ts';
import { aliveSeconds, listSeenReplicas } from './seen-replicas.ts';

/** Any number, as long as every replica uses the same and nothing else does. Held by whoever changes the schema. */
export const migrationLock = 4_771_002;

export interface MigrateOptions {
  /** The release that migrates: this one, unless told. */
  readonly release?: string;
  /** Contracts as soon as no older replica runs, and refuses while one does; else contractions may wait for a later start. */
  readonly isFinish?: boolean;
  /** Told before and after each file, with the session that applies it. */
  readonly watch?: (migration: Migration, connection: Connection) => Promise<() => Promise<void>>;
  readonly locks?: Partial<typeof lockDefaults>;
}

const lockDefaults = {
  /** Statements on a table wait behind whoever waits for its lock, so nobody does so for longer. */
  waitMs: 2_000,
  attempts: 10,
  /** Doubled after each attempt, up to five seconds. */
  pauseMs: 250,
};
const pauseMaxMs = 5_000;
/** How long no older replica may have been seen before a start contracts by itself. */
const quietSeconds = 60;

/**
 * Brings the database up to the files `NNNN-name.sql` of a folder, in order, each in its own transaction, and returns
 * the names of those it applied. Replicas that start together wait for one another. What contracts waits until no release
 * runs that needs what goes.
 * @throws StartError naming the file, when an applied file has changed, is missing, or a new one sorts before it; and where
 * a newer release took away what this one needs
 */
export async function migrate(
  engine: Engine,
  folder: string,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const connection = await engine.connectDirectly();
  try {
    await connection.query('set statement_timeout = 0');
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      return await applyMissing(connection, migrations, options);
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [migrationLock]);
      await connection.query('reset lock_timeout');
      await connection.query('reset statement_timeout');
    }
  } finally {
    connection.release();
  }
}

async function applyMissing(
  connection: Connection,
  migrations: readonly Migration[],
  { release = thisRelease, isFinish = false, watch, locks = {} }: MigrateOptions,
): Promise<readonly string[]> {
  await createHistory(connection);
  const missing = checkHistory(migrations, await readHistory(connection), release);
  const applied: string[] = [];
  for (const migration of missing) {
    if (await mustWait(connection, migration, release, isFinish)) continue;
    const watched = await watch?.(migration, connection);
    await apply(connection, migration, { ...lockDefaults, ...locks });
    await watched?.();
    applied.push(migration.name);
  }
  return applied;
}

/** Whether a file takes away what a replica may still need. @throws StartError where it is to be applied all the same */
async function mustWait(
  connection: Connection,
  { name, phase }: Migration,
  release: string,
  isFinish: boolean,
): Promise<boolean> {
  if (phase.kind === 'expand') return false;
  const seen = await listSeenReplicas(connection, isFinish ? aliveSeconds : quietSeconds);
  const older = seen.filter((replica) => compareReleases(replica.release, phase.after) <= 0);
  const isTooOld = compareReleases(release, phase.after) <= 0;
  if (!isFinish) return isTooOld || older.length > 0;
  if (isTooOld) throw new StartError(`Migration ${name} is for releases after ${phase.after}, and this is ${release}`);
  if (older.length === 0) return false;
  const running = older.map((replica) => `${replica.address} (${replica.release})`).join(', ');
  throw new StartError(
    `Migration ${name} takes away what release ${phase.after} needs, and these replicas run it: ${running}. Replace them ` +
      'first.',
  );
}

/** Applies a migration in the open transaction of the connection. */
export async function applyWithin(connection: Connection, migration: Migration): Promise<void> {
  // what is built beside writers cannot be built in a transaction, and here are none
  await connection.script(migration.text.replaceAll(/\bconcurrently\b/gi, ''));
  await record(connection, migration);
}

function record(connection: Connection, { name, checksum, oldestRelease }: Migration | AppliedMigration) {
  return connection.query('insert into schema_migrations (name, checksum, oldest_release) values ($1, $2, $3)', [
    name,
    checksum,
    oldestRelease,
  ]);
}

async function apply(connection: Connection, migration: Migration, locks: typeof lockDefaults): Promise<void> {
  const { name, text } = migration;
  const isBesideWriters = /^(?!--).*\bconcurrently\b/im.test(text);
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (isBesideWriters) await applyBesideWriters(connection, migration);
      else await applyInTransaction(connection, migration, locks.waitMs);
      return;
    } catch (error) {
      const isLocked = error instanceof DatabaseError && error.code === '55P03';
      if (!isLocked) throw new StartError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      if (attempt === locks.attempts) {
        throw new StartError(
          `Migration ${name} did not get its lock in ${locks.attempts} attempts of ${locks.waitMs / 1_000} s: a transaction ` +
            'holds the table. Nothing of the file was applied. End what is open for so long, and try again.',
          { cause: error },
        );
      }
      const pauseMs = Math.min(locks.pauseMs * 2 ** (attempt - 1), pauseMaxMs) * (0.75 + Math.random() / 2);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function applyInTransaction(connection: Connection, migration: Migration, lockMs: number): Promise<void> {
  await connection.query(`set lock_timeout = ${lockMs}`);
  await connection.query('begin');
  try {
    await connection.script(migration.text);
    await record(connection, migration);
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback');
    throw error;
  }
}

/** Builds one index while others write. A build that broke off left one that is not valid, which is removed first. */
async function applyBesideWriters(connection: Connection, migration: Migration): Promise<void> {
  // its waits hold nobody up
  await connection.query('set lock_timeout = 0');
  const [, index] = /\bindex\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i.exec(migration.text) ?? [];
  if (index !== undefined) {
    const { rows } = await connection.query(
      'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    );
    if (rows.length > 0) await connection.script(`drop index concurrently ${index}`);
  }
  await connection.script(migration.text);
  await record(connection, migration);
}
