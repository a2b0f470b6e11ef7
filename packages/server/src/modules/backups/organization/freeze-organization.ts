import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, Engine } from '../../../platform/db/engine.ts';
import { BackupError } from '../backup-format.ts';
import {
  countRunningJobs,
  findOrganization,
  haveEnded,
  readTransaction,
  setFrozen,
} from './organization-rows.store.ts';

export interface FreezeOptions {
  readonly orgId: string;
  /** How long whoever is at work may take to end. */
  readonly waitMs?: number;
}

const waitDefaultMs = 60_000;
const lookEveryMs = 200;

/**
 * Has an organization take no changes, and waits for those under way: what was recorded is in every snapshot after this.
 * @throws BackupError where somebody does not end in time; it is thawed then
 */
export function freezeOrganization(engine: Engine, options: FreezeOptions): Promise<{ readonly wasFrozen: boolean }> {
  const { orgId, waitMs = waitDefaultMs } = options;
  return withConnection(engine, async (connection) => {
    const found = await findOrganization(connection, orgId);
    if (!found) throw missing(orgId);
    const wasFrozen = found.isFrozen;
    await setFrozen(connection, orgId, true);
    const frozenBy = await readTransaction(connection);
    const until = Date.now() + waitMs;
    for (;;) {
      const isQuiet = (await haveEnded(connection, frozenBy)) && (await countRunningJobs(connection, orgId)) === 0;
      if (isQuiet) return { wasFrozen };
      if (Date.now() > until) break;
      await delay(lookEveryMs);
    }
    if (!wasFrozen) await setFrozen(connection, orgId, false);
    throw new BackupError(
      `Changes or jobs were under way in ${orgId} for longer than ${waitMs / 1000} seconds. It is not frozen; try again when it is quiet.`,
    );
  });
}

/** Lets an organization take changes again. */
export async function thawOrganization(engine: Engine, orgId: string): Promise<void> {
  await withConnection(engine, async (connection) => {
    if (!(await findOrganization(connection, orgId))) throw missing(orgId);
    await setFrozen(connection, orgId, false);
  });
}

function missing(orgId: string): BackupError {
  return new BackupError(`There is no organization ${orgId} here; "portolan org list" shows them.`);
}

async function withConnection<T>(engine: Engine, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await engine.connect();
  try {
    return await use(connection);
  } finally {
    connection.release();
  }
}
