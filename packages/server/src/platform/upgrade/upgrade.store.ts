import type { Connection } from '../db/engine.ts';
import type { TableSize } from './judge-space.ts';

/** What our own programs that look at a database call themselves. */
export const applicationName = 'portolan upgrade';

/** Sessions of servers in this database. Those of the embedded engine are this process. */
export async function countConnected(connection: Connection): Promise<number> {
  const { rows } = await connection.query(
    `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'portolan%' and application_name not like $1`,
    [`${applicationName}%`],
  );
  return rows[0]?.['count'] as number;
}

export async function readServerVersion(connection: Connection): Promise<string> {
  const { rows } = await connection.query(`select current_setting('server_version') as version`);
  return String(rows[0]?.['version']).split(' ')[0] as string;
}

export async function readProcessId(connection: Connection): Promise<number> {
  const { rows } = await connection.query('select pg_backend_pid() as pid');
  return rows[0]?.['pid'] as number;
}

/** Those of the tables that are here; undefined where Citus keeps them on other servers. */
export async function readTableSizes(
  connection: Connection,
  tables: readonly string[],
): Promise<readonly TableSize[] | undefined> {
  const { rows: places } = await connection.query(`select to_regclass('pg_dist_partition') is not null as "isFar"`);
  if (places[0]?.['isFar'] === true) return undefined;
  const { rows } = await connection.query(
    `select relname::text as "table", pg_table_size(oid)::float8 as "rowsBytes", pg_indexes_size(oid)::float8 as "indexBytes"
    from pg_class where relname = any($1) and relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
    [tables],
  );
  return rows as unknown as TableSize[];
}

export interface HeldLock {
  readonly table: string;
  readonly mode: string;
}

/** Locks of a session on tables that others can see and that keep writers or everybody out. */
export async function listHeldLocks(connection: Connection, pid: number): Promise<readonly HeldLock[]> {
  const { rows } = await connection.query(
    `select c.relname as "table", l.mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = $1 and l.granted and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
      and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
    order by 1, 2`,
    [pid],
  );
  return rows as unknown as HeldLock[];
}
