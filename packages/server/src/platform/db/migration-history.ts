import { compareReleases } from '../release.ts';
import { StartError } from '../start-error.ts';
import type { Connection } from './engine.ts';
import type { Migration } from './migration-files.ts';

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  /** The oldest release that works on the schema after it; null where no release could tell yet. */
  readonly oldestRelease: string | null;
}

/** Makes the table that says which migrations are applied, unless it is there. */
export async function createHistory(connection: Connection): Promise<void> {
  await connection.script(`
    create table if not exists schema_migrations (
      name text not null primary key,
      checksum text not null,
      applied_at timestamptz not null default now(),
      oldest_release text
    )`);
  // adding it takes a lock that readers wait for, so only where it is not there
  if (!(await knowsReleases(connection))) {
    await connection.script('alter table schema_migrations add column if not exists oldest_release text');
  }
}

/** What is applied, by name; nothing in a database without the table. */
export async function readHistory(connection: Connection): Promise<ReadonlyMap<string, AppliedMigration>> {
  const { rows: tables } = await connection.query(`select to_regclass('schema_migrations') is not null as "isThere"`);
  if (tables[0]?.['isThere'] !== true) return new Map();
  const oldest = (await knowsReleases(connection)) ? 'oldest_release' : 'null';
  const { rows } = await connection.query(`select name, checksum, ${oldest} as "oldestRelease" from schema_migrations`);
  return new Map((rows as unknown as AppliedMigration[]).map((each) => [each.name, each]));
}

async function knowsReleases(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(
    `select 1 from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'oldest_release'
      and not attisdropped`,
  );
  return rows.length > 0;
}

/**
 * The files that are not applied yet. A database may have others that a newer release applied, as long as this one still
 * works with what they left.
 * @throws StartError naming the file or the release that is needed
 */
export function checkHistory(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, AppliedMigration>,
  release: string,
): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  checkUnknown(
    [...applied.values()].filter(({ name }) => !known.has(name)),
    release,
  );
  const last = [...applied.keys()].sort().at(-1) ?? '';
  for (const { name, checksum, phase } of migrations) {
    const before = applied.get(name);
    if (before === undefined && name < last && phase.kind === 'expand') {
      throw new StartError(
        `Migration ${name} is new but sorts before ${last}, which is applied: give it a higher number`,
      );
    }
    if (before !== undefined && before.checksum !== checksum) {
      throw new StartError(
        `Migration ${name} was changed after it was applied: undo the change and write a new migration`,
      );
    }
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** @throws StartError where a newer release left the schema without something that this one needs */
function checkUnknown(unknown: readonly AppliedMigration[], release: string): void {
  const untold = unknown.find(({ oldestRelease }) => oldestRelease === null);
  if (untold) {
    throw new StartError(
      `The database has migration ${untold.name}, which this release does not know: use a newer release`,
    );
  }
  const needed = unknown.flatMap((each) =>
    each.oldestRelease === null ? [] : [{ ...each, needs: each.oldestRelease }],
  );
  const tooNew = needed.filter(({ needs }) => compareReleases(release, needs) < 0);
  if (tooNew.length === 0) return;
  const most = tooNew.reduce((one, other) => (compareReleases(one.needs, other.needs) < 0 ? other : one));
  throw new StartError(
    `The database has migration ${most.name}, after which release ${most.needs} or a newer one is needed; this is ` +
      `${release}. Start that one, or restore a backup from before the upgrade.`,
  );
}
