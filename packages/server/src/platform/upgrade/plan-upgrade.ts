import { createDatabase } from '../db/database.ts';
import type { Engine } from '../db/engine.ts';
import { type Migration, readMigrations } from '../db/migration-files.ts';
import { checkHistory, readHistory } from '../db/migration-history.ts';
import { aliveSeconds, listSeenReplicas, type SeenReplica } from '../db/seen-replicas.ts';
import { readHealth } from '../health/database-health.store.ts';
import { judgeDatabase } from '../health/judge-database.ts';
import { judgeStandbys } from '../health/judge-standbys.ts';
import { readStandbyHealth } from '../health/standby-health.store.ts';
import { compareReleases, findOldest } from '../release.ts';
import { StartError } from '../start-error.ts';
import { judgeSpace, measureSpace, type Space } from './judge-space.ts';
import { listTableLocks, type TableLock } from './table-locks.ts';
import { listTableWrites, type TableWrite } from './table-writes.ts';
import { countConnected, readServerVersion, readTableSizes } from './upgrade.store.ts';

export interface PendingMigration {
  readonly name: string;
  readonly phase: 'expand' | 'contract';
  /** The release that must have ended before it is applied; null where nothing is waited for. */
  readonly waitsFor: string | null;
  readonly locks: readonly TableLock[];
  readonly writes: readonly TableWrite[];
}

/** What the start of a release would do to a database, and to those who use it. */
export interface UpgradePlan {
  readonly release: string;
  readonly running: {
    readonly replicas: readonly SeenReplica[];
    /** The oldest release that runs: what all replicas together understand. */
    readonly release: string | null;
    /** Processes of releases that do not yet say which they are. */
    readonly untold: boolean;
  };
  readonly database: { readonly version: string; readonly migrations: number };
  readonly pending: readonly PendingMigration[];
  readonly space: Space;
  /** Whether replicas can be replaced one by one, must all end first, or the upgrade must not be tried. */
  readonly verdict: 'rolling' | 'stop' | 'refused';
  /** Why it is not rolling, as sentences that say what to do. */
  readonly reasons: readonly string[];
  /** What of the database to look at first, as sentences; an upgrade is not refused for it. */
  readonly warnings: readonly string[];
}

/** Looks at a database and changes nothing. `freeBytes` are those of the disk it is on, where somebody knows. */
export async function planUpgrade(
  engine: Engine,
  folder: string,
  release: string,
  freeBytes: number | null = null,
): Promise<UpgradePlan> {
  const migrations = await readMigrations(folder);
  const database = createDatabase(engine);
  const health = await readHealth(database);
  const standbys = engine.kind === 'postgres' ? judgeStandbys(await readStandbyHealth(database)) : [];
  const findings = [...judgeDatabase(health, engine.kind), ...standbys];
  const known = { databaseBytes: health.bytes, freeBytes };
  const connection = await engine.connect();
  try {
    const applied = await readHistory(connection);
    const replicas = await listSeenReplicas(connection, aliveSeconds);
    const oldest = findOldest(replicas.map((each) => each.release)) ?? null;
    const isUntold = replicas.length === 0 && (await countConnected(connection)) > 0;
    const looked = {
      release,
      running: { replicas, release: oldest, untold: isUntold },
      database: { version: await readServerVersion(connection), migrations: applied.size },
      warnings: findings.map(({ message }) => message),
    };
    let missing: readonly Migration[];
    try {
      missing = checkHistory(migrations, applied, release);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      const space = measureSpace([], [], known);
      return {
        ...looked,
        pending: [],
        space,
        verdict: 'refused',
        reasons: [`${error.message}.`.replace(/\.\.$/, '.')],
      };
    }
    const pending = missing.map(({ name, phase, text }) => ({
      name,
      phase: phase.kind,
      waitsFor: phase.kind === 'contract' ? phase.after : null,
      locks: listTableLocks(text),
      writes: listTableWrites(text),
    }));
    const writes = pending.flatMap((each) => each.writes);
    const sizes = await readTableSizes(connection, [...new Set(writes.map(({ table }) => table))]);
    const space = measureSpace(writes, sizes, known);
    const narrow = judgeSpace(space);
    const warnings = [...looked.warnings, ...(narrow === undefined ? [] : [narrow])];
    return { ...looked, warnings, pending, space, ...judge(release, oldest, missing) };
  } finally {
    connection.release();
  }
}

function judge(
  release: string,
  oldest: string | null,
  missing: readonly Migration[],
): Pick<UpgradePlan, 'verdict' | 'reasons'> {
  if (oldest === null) return { verdict: 'rolling', reasons: [] };
  const between = skippedMinor(oldest, release);
  if (between !== undefined) {
    return {
      verdict: 'refused',
      reasons: [`Release ${oldest} runs, and ${release} was not made to run beside it. Upgrade to ${between} first.`],
    };
  }
  const reasons = missing.flatMap(({ name, phase, oldestRelease }) =>
    phase.kind === 'expand' && oldestRelease !== null && compareReleases(oldest, oldestRelease) < 0
      ? [`Release ${oldest} does not work after the migration ${name}: end every replica, then start ${release}.`]
      : [],
  );
  return { verdict: reasons.length > 0 ? 'stop' : 'rolling', reasons };
}

/** The minor release that should have come between two, as `0.8`; undefined where none is skipped. */
function skippedMinor(from: string, to: string): string | undefined {
  const [[fromMajor = 0, fromMinor = 0], [toMajor = 0, toMinor = 0]] = [from, to].map((each) =>
    each.split('.').map(Number),
  ) as [number[], number[]];
  if (fromMajor === toMajor) return toMinor - fromMinor > 1 ? `${toMajor}.${fromMinor + 1}` : undefined;
  if (toMajor < fromMajor) return undefined;
  return toMajor - fromMajor > 1 || toMinor > 0 ? `${fromMajor + 1}.0` : undefined;
}
