import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { createClientClass, readServers } from './addresses.ts';
import { DatabaseError } from './database-error.ts';
import { createDatabaseMetrics, type PoolFigures } from './database-metrics.ts';
import type { Connection, Engine, EngineLog } from './engine.ts';
import { isAway } from './passing-failure.ts';
import { createPgSession, type PgSession, sessionSettings, toDatabaseError } from './pg-session.ts';
import { examinePooler, refusePooling } from './pooling.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { createQuestion } from './postgres-question.ts';
import { createPresence } from './presence.ts';
import { createStatementNames, noStatementNames } from './statement-names.ts';
import { createWriteGate } from './write-gate.ts';

const versionMin = 150_000;
/** Attempts to connect, for one borrower, while the probe says that the database answers: a pooler may restart. */
const connectsMax = 5;
const connectPauseMs = 250;
const poolSizeDefault = 10;
/** Connections that writes leave to reads, of a pool that has more than twice as many. */
const forReads = 3;

export interface PostgresEngineOptions {
  /** libpq's form; with several hosts, the one that takes writes is used. */
  readonly connectionString: string;
  /** Past the pooler, for what needs a session of its own. */
  readonly directConnectionString?: string | undefined;
  /** `transaction`: a pooler gives each transaction any session. */
  readonly pooler?: 'none' | 'transaction';
  /** Size of the pool; the listener and the probe use one connection more each. */
  readonly poolSize?: number | undefined;
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
  const { connectionString, directConnectionString = connectionString } = options;
  const isPooled = options.pooler === 'transaction';
  const poolSize = options.poolSize ?? poolSizeDefault;
  const common: pg.ClientConfig = {
    ...sessionSettings,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  const direct: pg.ClientConfig = {
    ...common,
    // Statements take milliseconds, which compiling them would take first: the planner thinks that lists are long.
    options: '-c TimeZone=UTC -c jit=off',
  };
  const timeouts = { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000 };
  const servers = readServers(directConnectionString);
  const DirectClient = createClientClass(servers);
  const PoolClient = isPooled ? createClientClass(readServers(connectionString)) : DirectClient;
  // what a pooler cannot pass on is set for the role, which is checked
  const shared: pg.ClientConfig = isPooled ? common : { ...direct, ...timeouts };
  const pool = new pg.Pool({
    ...shared,
    Client: PoolClient,
    max: poolSize,
    idleTimeoutMillis: 60_000,
  });
  const directPool = isPooled
    ? new pg.Pool({ ...direct, ...timeouts, Client: DirectClient, max: 2, idleTimeoutMillis: 10_000 })
    : pool;
  // A broken idle client leaves the pool by itself; without this listener its error would end the process.
  for (const each of new Set([pool, directPool])) {
    each.on('error', (error) => options.log?.warn({ error }, 'an idle database connection was lost'));
    // So would a borrowed client between two statements; its next statement fails instead.
    each.on('connect', (client) => client.on('error', () => undefined));
  }
  const metrics = createDatabaseMetrics();
  const noteWait = new Map([[pool, metrics.addPool('main', () => poolFigures(pool))]]);
  if (isPooled)
    noteWait.set(
      directPool,
      metrics.addPool('direct', () => poolFigures(directPool)),
    );
  const endPools = (): Promise<unknown> => Promise.all([...new Set([pool, directPool])].map((each) => each.end()));

  let canPrepare = true;
  try {
    await checkServer(directPool, servers.length);
    if (isPooled) canPrepare = (await examinePooler(() => new PoolClient(shared))).canPrepare;
    else await refusePooling(() => new PoolClient(shared));
  } catch (error) {
    await endPools();
    throw startFailure(error);
  }
  if (!canPrepare)
    options.log?.warn({}, 'the pooler keeps no prepared statements (pgbouncer: 1.21, max_prepared_statements)');
  const names = canPrepare ? createStatementNames() : noStatementNames;
  const sessions = new WeakMap<pg.PoolClient, PgSession>();
  const listener = createPostgresListener(
    () => new DirectClient({ ...direct, application_name: `${applicationName} listener` }),
    options.log,
  );
  const question = createQuestion(
    (connectMs) =>
      new DirectClient({
        ...direct,
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
  const lend = async (from: pg.Pool): Promise<pg.PoolClient> => {
    for (let attempt = 1; ; attempt += 1) {
      await presence.held();
      try {
        return await from.connect();
      } catch (error) {
        const failure = connectFailure(error, connectTimeoutMs);
        if (closing || !isAway(failure)) throw failure;
        await presence.doubt(failure);
        if (presence.absence()) continue;
        if (attempt >= Math.max(connectsMax, servers.length)) throw failure;
        // the other servers are tried at once
        if (attempt >= servers.length) await delay(connectPauseMs);
      }
    }
  };

  const connect = async (from: pg.Pool): Promise<Connection> => {
    const arrivedMs = performance.now();
    let client: pg.PoolClient;
    try {
      client = await lend(from);
    } catch (error) {
      metrics.failed(toDatabaseError(error));
      throw error;
    } finally {
      noteWait.get(from)?.(performance.now() - arrivedMs);
    }
    let session = sessions.get(client);
    if (!session) {
      session = createPgSession(client, {
        names,
        isPooled: isPooled && from === pool,
        onAnswer: countAnswer,
        onFailure: metrics.failed,
      });
      sessions.set(client, session);
    }
    return session.lend((broken) => client.release(broken));
  };

  const most = poolSize - Math.min(forReads, Math.floor(poolSize / 2));
  const gate = createWriteGate({ most, waitMs: connectTimeoutMs });
  presence.onChange((isAbsent) => {
    if (!isAbsent) gate.resume();
  });
  /** Whoever waits while the database is away is held as everybody is. */
  const enter = async (): Promise<void> => {
    for (;;) {
      try {
        await presence.held();
        return await gate.enter();
      } catch (error) {
        if (toDatabaseError(error).code === '53300' && presence.absence()) continue;
        metrics.failed(toDatabaseError(error));
        throw error;
      }
    }
  };
  const connectToWrite = async (): Promise<Connection> => {
    await enter();
    try {
      const connection = await connect(pool);
      let hasLeft = false;
      return {
        ...connection,
        release(broken) {
          connection.release(broken);
          if (!hasLeft) gate.leave();
          hasLeft = true;
        },
      };
    } catch (error) {
      gate.leave();
      throw error;
    }
  };

  return {
    kind: 'postgres',
    presence,
    metrics: metrics.metrics,
    inClass: (_workClass, body) => body(),
    connect: (use) => (use === 'writes' ? connectToWrite() : connect(pool)),
    connectDirectly: () => connect(directPool),
    listen: listener.listen,
    close() {
      presence.close();
      closing ??= Promise.all([listener.close(), question.close(), endPools()]).then(() => undefined);
      return closing;
    },
  };
}

function poolFigures({ totalCount, idleCount, waitingCount, options }: pg.Pool): PoolFigures {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, limit: options.max };
}

/** A pool without a free connection does not mean that the database is away. */
function connectFailure(error: unknown, waitedMs: number): DatabaseError {
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') {
    return new DatabaseError(`No connection was free within ${waitedMs} ms`, '53300', undefined, error);
  }
  return toDatabaseError(error);
}

/** Every client that fails leaves the next one another server. @throws DatabaseError */
async function checkServer(pool: pg.Pool, serverCount: number): Promise<void> {
  const ask = `select current_setting('server_version_num') as number, current_setting('server_version') as version`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await pool.query<{ number: string; version: string }>(ask);
      const server = rows[0];
      if (server && Number(server.number) >= versionMin) return;
      throw new DatabaseError(`PostgreSQL ${server?.version} is too old: Portolan needs version 15 or newer`, '0A000');
    } catch (error) {
      if (attempt >= serverCount) throw error;
    }
  }
}

/** What the operator is told. */
function startFailure(error: unknown): Error {
  if (error instanceof StartError || (error instanceof DatabaseError && error.code === '0A000')) return error;
  const failure = toDatabaseError(error);
  const hint = failure.message.includes('unsupported startup parameter')
    ? '. A pooler that takes no settings with a connection needs DATABASE_POOLER=transaction and DATABASE_DIRECT_URL'
    : '';
  return new DatabaseError(`The database cannot be reached: ${failure.message}${hint}`, failure.code, undefined, error);
}
