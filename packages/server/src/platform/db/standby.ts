import pg from 'pg';
import { withinMs } from '../within.ts';
import { DatabaseError } from './database-error.ts';
import type { Connection, QueryResult } from './engine.ts';
import { isAway } from './passing-failure.ts';
import { createPgSession, type PgSession, toDatabaseError } from './pg-session.ts';
import { type Position, readLsn } from './position.ts';
import { type ServerState, watchServer } from './server-watch.ts';
import type { PrimaryReason } from './standby-metrics.ts';
import type { StatementNames } from './statement-names.ts';

/** A question that takes microseconds is unanswered after this time because the server is. */
const guardMs = 2_000;
const guard = 'select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as lsn';

/** One server that may be read. */
export interface Standby {
  /** Host and port. */
  readonly name: string;
  /** Its last answer, also while it does not answer. */
  state(): ServerState | undefined;
  /** Whether it answered just now and is a standby. */
  isThere(): boolean;
  /**
   * Reads there if it has replayed the position; otherwise says why not. @throws DatabaseError 57014 for what takes too
   * long, which it would on the primary too
   */
  ask(need: Position, text: string, values: readonly unknown[]): Promise<QueryResult | PrimaryReason>;
  close(): Promise<void>;
}

export interface StandbyOptions {
  readonly name: string;
  readonly createClient: typeof pg.Client;
  readonly settings: pg.ClientConfig;
  readonly poolSize: number;
  readonly names: StatementNames;
}

export function openStandby({ name, createClient, settings, poolSize, names }: StandbyOptions): Standby {
  let last: ServerState | undefined;
  let isThere = false;
  const borrowed = new Set<pg.PoolClient>();
  const sessions = new WeakMap<pg.PoolClient, PgSession>();
  const pool = new pg.Pool({
    ...settings,
    Client: createClient,
    max: poolSize,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 1_000,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  /** What waits for it is answered by the primary; it is asked again half a second later. */
  const lose = (): void => {
    isThere = false;
    for (const client of borrowed) {
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  };

  const watch = watchServer(
    () => new createClient({ ...settings, connectionTimeoutMillis: guardMs, statement_timeout: guardMs }),
    (state) => {
      if (!state) return lose();
      last = state;
      isThere = state.isStandby;
    },
  );

  const ask = async (connection: Connection, need: Position, text: string, values: readonly unknown[]) => {
    const asked = connection.query(guard);
    // it travels with the question unless the answer may be no
    const early = last && last.position.lsn >= need.lsn ? connection.query(text, values) : undefined;
    early?.catch(() => undefined);
    const { rows } = await withinMs(asked, guardMs, 'The standby did not answer').catch((error) => {
      throw error instanceof DatabaseError ? error : new DatabaseError(String(error), '08006', undefined, error);
    });
    const found = rows[0] as { isStandby: boolean; lsn: string };
    // promoted meanwhile: its answer is of a history of its own
    if (!found.isStandby) throw new DatabaseError(`${name} is no standby any more`, '08006');
    const lsn = readLsn(found.lsn);
    if (last) last = { ...last, position: { ...last.position, lsn } };
    if (lsn < need.lsn) {
      await early?.catch(() => undefined);
      return 'behind';
    }
    return await (early ?? connection.query(text, values));
  };

  return {
    name,
    state: () => last,
    isThere: () => isThere,
    async ask(need, text, values) {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch {
        if (pool.totalCount >= poolSize && borrowed.size > 0) return 'full';
        lose();
        return 'away';
      }
      let session = sessions.get(client);
      if (!session) {
        session = createPgSession(client, { names });
        sessions.set(client, session);
      }
      borrowed.add(client);
      const connection = session.lend((broken) => client.release(broken));
      let isBroken = false;
      try {
        return await ask(connection, need, text, values);
      } catch (error) {
        const failure = toDatabaseError(error);
        if (failure.code === '57014') throw failure;
        isBroken = isAway(failure);
        if (!isBroken) return 'failed';
        lose();
        return 'away';
      } finally {
        borrowed.delete(client);
        connection.release(isBroken);
      }
    },
    async close() {
      await Promise.all([watch.close(), pool.end()]);
    },
  };
}
