import pg from 'pg';
import { withinMs } from '../within.ts';
import { notMigrated, stateStatement, toAnswer } from './database-state.ts';
import type { Answer } from './presence.types.ts';

interface Question {
  readonly ask: (deadlineMs: number) => Promise<Answer>;
  close(): Promise<void>;
}

/** Asks PostgreSQL whether it is reachable and migrated, over its own connection, which is remade after a loss. */
export function createQuestion(createClient: (connectMs: number) => pg.Client): Question {
  let client: pg.Client | undefined;

  const drop = (): void => {
    const dropped = client;
    client = undefined;
    // an unresponsive server would not answer the terminate message either
    (dropped as unknown as { connection: { stream: { destroy(): void } } } | undefined)?.connection.stream.destroy();
  };

  const put = async (deadlineMs: number): Promise<Answer> => {
    if (!client) {
      client = createClient(deadlineMs);
      client.on('error', drop);
      await client.connect();
    }
    try {
      return toAnswer((await client.query(stateStatement)).rows);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '42P01') return notMigrated;
      throw error;
    }
  };

  return {
    async ask(deadlineMs) {
      try {
        return await withinMs(put(deadlineMs), deadlineMs, `The database did not answer within ${deadlineMs} ms`);
      } catch (error) {
        drop();
        throw error;
      }
    },
    close: async () => {
      await client?.end().catch(() => undefined);
    },
  };
}
