import type { Reader } from '../db/database.ts';
import { computed, row } from '../db/row.ts';

/** Dead rows below this are vacuumed without anybody noticing. */
const deadMin = 100_000;
/** A transaction that is prepared and neither committed nor rolled back for so long was forgotten. */
const preparedMinutes = 10;

const health = row({
  version: computed.text,
  fsync: computed.text,
  fullPageWrites: computed.text,
  synchronousCommit: computed.text,
  bytes: computed.number,
  connections: computed.number,
  connectionsMax: computed.number,
  transactionSeconds: computed.number,
  prepared: computed.number,
  transactionAge: computed.number,
  slotBytes: computed.number,
});

export type DatabaseHealth = Awaited<ReturnType<typeof readHealth>>;

/** What the database says of its settings and of what goes on in it. Seconds, bytes and numbers of transactions. */
export async function readHealth(reader: Reader) {
  const [found] = await reader.rows(health.sql`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "connectionsMax",
      (select coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend') as "transactionSeconds",
      (select count(*)::int from pg_prepared_xacts where database = current_database()
        and prepared < now() - make_interval(mins => ${preparedMinutes})) as prepared,
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as "transactionAge",
      (select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
        from pg_replication_slots) as "slotBytes"`);
  if (!found) throw new Error('The database told nothing of itself');
  return { ...found, bloated: await listBloated(reader) };
}

const bloated = row({ table: computed.text, dead: computed.number, live: computed.number });

/** Tables with more dead rows than live ones: vacuuming does not keep up, or something holds it back. */
function listBloated(reader: Reader) {
  return reader.rows(bloated.sql`
    select relname::text as table, n_dead_tup::float8 as dead, n_live_tup::float8 as live from pg_stat_user_tables
    where n_dead_tup > ${deadMin} and n_dead_tup > n_live_tup order by n_dead_tup desc limit 5`);
}
