import type pg from 'pg';
import { withinMs } from '../within.ts';
import { type Position, readLsn, toPosition } from './position.ts';

/** What a server says of itself. */
export interface ServerState {
  /** The same for a primary and its standbys. */
  readonly system: string;
  readonly isStandby: boolean;
  /** Written by a primary, replayed by a standby. */
  readonly position: Position;
  /** When it was asked, by this process's monotonic clock: what was committed before is at or below the position. */
  readonly askedMs: number;
  /** How far its clock is ahead of ours. */
  readonly clockAheadMs: number;
}

export interface ServerWatch {
  close(): Promise<void>;
}

/** Between two questions. */
const everyMs = 500;
const deadlineMs = 2_000;

/**
 * Of a standby the timeline is that of its last restart point, which it may follow late: then it counts as one of another
 * timeline for some minutes after a promotion, never the other way round.
 */
const statement = `
  select (pg_control_system()).system_identifier::text as system, pg_is_in_recovery() as "isStandby",
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as lsn,
    case when pg_is_in_recovery() then
      lpad(to_hex(greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline)), 8, '0')
    else pg_walfile_name(pg_current_wal_insert_lsn()) end as file,
    (extract(epoch from clock_timestamp()) * 1000)::double precision as "clockMs"`;

interface StateRow {
  readonly system: string;
  readonly isStandby: boolean;
  readonly lsn: string | null;
  readonly file: string;
  readonly clockMs: number;
}

/** Asks a server twice a second over a connection of its own; `tell` gets what it says, or undefined if it does not answer. */
export function watchServer(
  createClient: () => pg.Client,
  tell: (state: ServerState | undefined) => void,
): ServerWatch {
  let client: pg.Client | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (): void => {
    const dropped = client;
    client = undefined;
    // an unresponsive server would not answer the terminate message either
    (dropped as unknown as { connection: { stream: { destroy(): void } } } | undefined)?.connection.stream.destroy();
  };

  const ask = async (): Promise<ServerState> => {
    if (!client) {
      client = createClient();
      client.on('error', drop);
      await client.connect();
    }
    const [askedMs, sentMs] = [performance.now(), Date.now()];
    const { rows } = await client.query<StateRow>(statement);
    const row = rows[0] as StateRow;
    return {
      system: row.system,
      isStandby: row.isStandby,
      position: row.lsn === null ? { timeline: 0, lsn: readLsn('0/0') } : toPosition({ ...row, lsn: row.lsn }),
      askedMs,
      clockAheadMs: row.clockMs - (sentMs + Date.now()) / 2,
    };
  };

  const next = async (): Promise<void> => {
    const state = await withinMs(ask(), deadlineMs, 'The server did not answer').catch(drop);
    if (isClosed) return;
    tell(state ?? undefined);
    timer = setTimeout(() => void next(), everyMs);
    timer.unref();
  };
  void next();

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
