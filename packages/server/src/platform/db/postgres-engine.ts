import pg from 'pg';
import { DatabaseError } from './database-error.ts';
import type { Engine, EngineLog } from './engine.ts';
import { isAway } from './passing-failure.ts';
import { createPgSession, type PgSession, sessionSettings, toDatabaseError } from './pg-session.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { createQuestion } from './postgres-question.ts';
import { createPresence } from './presence.ts';
import { createStatementNames } from './statement-names.ts';

const versionMin = 150_000;
/** Attempts to connect, for one borrower, while the probe says that the database answers. */
const connectsMax = 3;

export interface PostgresEngineOptions {
  readonly connectionString: string;
  /** Size of the pool; the listener uses one connection more. */
  readonly poolSize?: number;
  readonly applicationName?: string;
  /** A longer statement is cancelled (57014). Migrations lift the limit for themselves. */
  readonly statementTimeoutMs?: number;
  /** Longest wait for a connection, free or new. */
  readonly connectTimeoutMs?: number;
  readonly log?: EngineLog;
}

/**
 * Opens a pool on a PostgreSQL server.
 * @throws Error with a sentence for the operator when the server cannot be reached or is older than version 15
 */
export async function openPostgresEngine(options: PostgresEngineOptions): Promise<Engine> {
  const { applicationName = 'portolan', statementTimeoutMs = 30_000, connectTimeoutMs = 10_000 } = options;
  const clientSettings: pg.ClientConfig = {
    ...sessionSettings,
    connectionString: options.connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Statements take milliseconds, which compiling them would take first: the planner thinks that lists are long.
    options: '-c TimeZone=UTC -c jit=off',
  };
  const pool = new pg.Pool({
    ...clientSettings,
    max: options.poolSize ?? 10,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    idleTimeoutMillis: 60_000,
  });
  // A broken idle client leaves the pool by itself; without this listener its error would end the process.
  pool.on('error', (error) => options.log?.warn({ error }, 'an idle database connection was lost'));
  // So would a borrowed client between two statements; its next statement fails instead.
  pool.on('connect', (client) => client.on('error', () => undefined));

  await checkServer(pool);
  const names = createStatementNames();
  const sessions = new WeakMap<pg.PoolClient, PgSession>();
  const listener = createPostgresListener(
    () => new pg.Client({ ...clientSettings, application_name: `${applicationName} listener` }),
    options.log,
  );
  const question = createQuestion(
    (connectMs) =>
      new pg.Client({
        ...clientSettings,
        application_name: `${applicationName} presence`,
        connectionTimeoutMillis: connectMs,
        // the server cancels questions that are no longer awaited
        statement_timeout: connectMs,
      }),
  );
  let answered = 0;
  const presence = createPresence({ ask: question.ask, answers: () => answered, log: options.log });
  const countAnswer = (): void => {
    answered += 1;
  };
  let closing: Promise<void> | undefined;

  /** Waits while the database is away; asks again if it was lost just now. */
  const lend = async (): Promise<pg.PoolClient> => {
    for (let attempt = 1; ; attempt += 1) {
      await presence.held();
      try {
        return await pool.connect();
      } catch (error) {
        const failure = connectFailure(error, connectTimeoutMs);
        if (closing || !isAway(failure)) throw failure;
        await presence.doubt(failure);
        if (!presence.absence() && attempt >= connectsMax) throw failure;
      }
    }
  };

  return {
    kind: 'postgres',
    presence,
    inClass: (_workClass, body) => body(),
    async connect() {
      const client = await lend();
      let session = sessions.get(client);
      if (!session) {
        session = createPgSession(client, names, countAnswer);
        sessions.set(client, session);
      }
      return session.lend((broken) => client.release(broken));
    },
    listen: listener.listen,
    close() {
      presence.close();
      closing ??= Promise.all([listener.close(), question.close(), pool.end()]).then(() => undefined);
      return closing;
    },
  };
}

/** A pool without a free connection does not mean that the database is away. */
function connectFailure(error: unknown, waitedMs: number): DatabaseError {
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') {
    return new DatabaseError(`No connection was free within ${waitedMs} ms`, '53300', undefined, error);
  }
  return toDatabaseError(error);
}

async function checkServer(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ number: string; version: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    );
    const server = rows[0];
    if (server && Number(server.number) >= versionMin) return;
    throw new DatabaseError(`PostgreSQL ${server?.version} is too old: Portolan needs version 15 or newer`, '0A000');
  } catch (error) {
    await pool.end();
    if (error instanceof DatabaseError) throw error;
    const failure = toDatabaseError(error);
    throw new DatabaseError(`The database cannot be reached: ${failure.message}`, failure.code, undefined, error);
  }
}
