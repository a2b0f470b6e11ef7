import type { Database } from '../db/database.ts';
import { newId } from '../ids.ts';
import { deleteReplica, type ReplicaRow, saveReplica } from './replica.store.ts';

/** This process among those that use the database. */
export interface Replica {
  /** Says that the process lives, from now on every few seconds. @throws where the database cannot be written */
  start(): Promise<void>;
  /** Says that the process takes no more work, or does again. Never rejects. */
  setDraining(isDraining: boolean): Promise<void>;
  /** Says that the process has ended. Never rejects. */
  close(): Promise<void>;
}

export interface ReplicaPorts {
  readonly database: Database;
  readonly log: { warn(context: object, message: string): void };
}

/** Well below the time after which a replica no longer counts as running. */
const beatMs = 5_000;

/** The releases that run decide what may be taken away from the schema, so every process tells its own. */
export function createReplica(
  { database, log }: ReplicaPorts,
  about: Omit<ReplicaRow, 'id'>,
  everyMs: number = beatMs,
): Replica {
  const row = { ...about, id: newId('r_') };
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;

  const save = (): Promise<void> =>
    database.engine.inClass('control', () => database.transaction((tx) => saveReplica(tx, { ...row, isDraining })));
  const beat = (): Promise<void> => {
    beating ??= save()
      .catch((error: unknown) => log.warn({ error }, 'the database was not told that this process lives'))
      .finally(() => {
        beating = undefined;
      });
    return beating;
  };

  return {
    async start() {
      await save();
      timer = setInterval(() => void beat(), everyMs);
      timer.unref();
    },
    async setDraining(now) {
      await beating;
      isDraining = now;
      await beat();
    },
    async close() {
      clearInterval(timer);
      await beating;
      await database
        .transaction((tx) => deleteReplica(tx, row.id))
        .catch((error: unknown) => log.warn({ error }, 'the database was not told that this process ended'));
    },
  };
}
