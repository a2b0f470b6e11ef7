import { statfs } from 'node:fs/promises';
import type { InstallationCheck } from '@portolan/contract/operator';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { aliveSeconds, listSeenReplicas } from '../../platform/db/seen-replicas.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { readHealth } from '../../platform/health/database-health.store.ts';
import { judgeDatabase } from '../../platform/health/judge-database.ts';
import { judgeStandbys, standbysText } from '../../platform/health/judge-standbys.ts';
import { readStandbyHealth } from '../../platform/health/standby-health.store.ts';
import { withinMs } from '../../platform/within.ts';
import type { Backlogs } from '../backlogs/index.ts';
import type { Backups } from '../backups/index.ts';
import { listFrozen } from './frozen.store.ts';
import { judgeBacklog } from './judge-backlog.ts';
import { judgeBackups } from './judge-backups.ts';
import { judgeDisk } from './judge-disk.ts';
import { judgeOrganizations } from './judge-organizations.ts';
import { judgeReplicas } from './judge-replicas.ts';

export interface ExaminationDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
  readonly backlogs: Pick<Backlogs, 'look'>;
  readonly backups: Pick<Backups, 'look'>;
  /** The folder of the embedded engine; undefined where the data is in PostgreSQL. */
  readonly dataDir: string | undefined;
}

type Name = InstallationCheck['name'];

/** For each part so long: a hanging disk must not keep the rest from being told. */
const patienceMs = 10_000;

/** What needs the operator, in the order in which one would look. A part that cannot be looked at says so and fails. */
export async function examineInstallation(deps: ExaminationDeps): Promise<InstallationCheck[]> {
  const { database, clock, log, backlogs, backups, dataDir } = deps;
  const { kind } = database.engine;
  const look = async (name: Name, examine: () => Promise<readonly InstallationCheck[]>) => {
    try {
      return await withinMs(examine(), patienceMs, `It did not answer within ${patienceMs / 1000} seconds`);
    } catch (error) {
      log.warn({ error, name }, 'a part of the installation could not be examined');
      const message = 'It could not be looked at; the log of the server says why.';
      return [{ name, status: 'failed', code: 'not_examined', message } as const];
    }
  };
  const examined = await Promise.all([
    look('database', () => examineDatabase(database)),
    // the embedded engine serves one process
    ...(kind === 'postgres'
      ? [
          look('standbys', () => examineStandbys(database)),
          look('replicas', async () => [judgeReplicas(await listReplicas(database))]),
        ]
      : []),
    look('jobs', async () => {
      const backlog = await backlogs.look();
      if (backlog === undefined) throw new Error('What waits could not be read');
      return judgeBacklog(backlog);
    }),
    look('organizations', async () => judgeOrganizations(await listFrozen(database))),
    look('backups', async () => [judgeBackups(await backups.look(), kind, clock.now())]),
    ...(dataDir === undefined ? [] : [look('disk', async () => [judgeDisk(await readDisk(dataDir))])]),
  ]);
  return examined.flat();
}

async function examineDatabase(database: Database): Promise<InstallationCheck[]> {
  const name = 'database';
  const { kind } = database.engine;
  const health = await readHealth(database);
  const findings = judgeDatabase(health, kind);
  if (findings.length > 0) return findings.map((finding) => ({ name, ...finding }));
  const engine = kind === 'embedded' ? 'embedded engine' : 'PostgreSQL';
  return [{ name, status: 'ok', message: `${engine} ${health.version}, ${formatBytes(health.bytes)}` }];
}

async function examineStandbys(database: Database): Promise<InstallationCheck[]> {
  const name = 'standbys';
  const health = await readStandbyHealth(database);
  const findings = judgeStandbys(health, database.engine.standbys?.describe().standbys);
  if (findings.length > 0) return findings.map((finding) => ({ name, ...finding }));
  return [{ name, status: 'ok', message: standbysText(health) }];
}

async function listReplicas({ engine }: Database) {
  const connection = await engine.connect();
  try {
    return await listSeenReplicas(connection, aliveSeconds);
  } finally {
    connection.release();
  }
}

async function readDisk(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
