import sql from 'sql-template-tag';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';

export interface Readiness {
  /** Nothing while requests can be served, else why not. Never rejects, and answers within the deadline. */
  problem(): Promise<unknown>;
  /** From now on there is a problem. */
  stopServing(): void;
}

/**
 * Ready means: not stopping, and the database answers a question about its migrations. The server listens only after
 * it has applied its own, so any applied migration will do; a newer replica may already have applied more.
 */
export function createReadiness(database: Database, deadlineMs: number): Readiness {
  let isStopping = false;
  let running: Promise<unknown> | undefined;

  const ask = async (): Promise<unknown> => {
    try {
      const row = await database.first(sql`select 1 from schema_migrations limit 1`);
      return row === undefined ? new Error('No migration is applied') : undefined;
    } catch (error) {
      return error;
    } finally {
      running = undefined;
    }
  };

  return {
    async problem() {
      if (isStopping) return new AppError('service_unavailable', 'The server is stopping');
      // One question at a time, however many ask: a hanging database must not collect waiting connections.
      running ??= ask();
      return withinDeadline(running, deadlineMs);
    },
    stopServing: () => {
      isStopping = true;
    },
  };
}

function withinDeadline(answer: Promise<unknown>, deadlineMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(new Error(`The database did not answer in ${deadlineMs} ms`)), deadlineMs);
    void answer.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
