import type { Connection, Engine } from '../db/engine.ts';
import { migrate } from '../db/migrate.ts';
import { aliveSeconds, listSeenReplicas } from '../db/seen-replicas.ts';
import { StartError } from '../start-error.ts';
import { countConnected, type HeldLock, listHeldLocks, readProcessId } from './upgrade.store.ts';

export interface RehearsedMigration {
  readonly name: string;
  readonly ms: number;
  /** The lock that kept others out of a table for longest; null where none was seen. */
  readonly longestLock: (HeldLock & { readonly ms: number }) | null;
}

const sampleMs = 20;

/**
 * Applies every migration to a copy of a database, as fast as it goes, and measures.
 * @throws StartError for a database that replicas use
 */
export async function rehearseUpgrade(engine: Engine, folder: string, release: string): Promise<RehearsedMigration[]> {
  const sampling = await engine.connect();
  try {
    await refuseUsed(sampling);
    const rehearsed: RehearsedMigration[] = [];
    await migrate(engine, folder, {
      release,
      isFinish: true,
      watch: async ({ name }, connection) => {
        const stop = watchLocks(sampling, await readProcessId(connection));
        const begunMs = performance.now();
        return async () => {
          const ms = performance.now() - begunMs;
          rehearsed.push({ name, ms: Math.round(ms), longestLock: await stop() });
        };
      },
    });
    return rehearsed;
  } finally {
    sampling.release();
  }
}

async function refuseUsed(connection: Connection): Promise<void> {
  const connected = await countConnected(connection);
  const seen = (await listSeenReplicas(connection, aliveSeconds)).map(({ address }) => address);
  if (connected === 0 && seen.length === 0) return;
  const users = seen.length > 0 ? seen.join(', ') : `${connected} connections of servers`;
  throw new StartError(
    `Replicas use this database, or did until ${aliveSeconds} seconds before it was copied (${users}). Rehearse on a copy.`,
  );
}

/** Looks at the locks of a session until told to stop, and answers the one that was held for longest. */
function watchLocks(sampling: Connection, pid: number): () => Promise<RehearsedMigration['longestLock']> {
  const held = new Map<string, HeldLock & { readonly sinceMs: number; ms: number }>();
  let isEnding = false;
  const watching = (async () => {
    while (!isEnding) {
      const lookedMs = performance.now();
      for (const lock of await listHeldLocks(sampling, pid)) {
        const key = `${lock.table} ${lock.mode}`;
        const before = held.get(key) ?? { ...lock, sinceMs: lookedMs, ms: 0 };
        held.set(key, { ...before, ms: Math.round(performance.now() - before.sinceMs) });
      }
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  })();
  return async () => {
    isEnding = true;
    await watching;
    const [longest] = [...held.values()].sort((one, other) => other.ms - one.ms);
    return longest ? { table: longest.table, mode: longest.mode, ms: longest.ms } : null;
  };
}
