import sql, { raw } from 'sql-template-tag';
import type { Database, Reader } from './database.ts';
import { computed, row } from './row.ts';

const outgrown = row({ name: computed.text });

/** A table below this is read whole anyway. */
const bytesMin = 16_384;

/**
 * Tables of which most rows are newer than their statistics, and those that have rows and no statistics, as names that
 * can stand in a statement.
 */
export async function listOutgrown(reader: Reader, rowsMin: number): Promise<string[]> {
  const rows = await reader.rows(outgrown.sql`
    select format('%I.%I', s.schemaname, s.relname) as name from pg_stat_user_tables s
    join pg_class c on c.oid = s.relid
    where s.schemaname = any(current_schemas(false))
      and (s.n_mod_since_analyze >= greatest(${rowsMin}::float8, c.reltuples)
        or c.reltuples < 0 and pg_relation_size(c.oid) >= ${bytesMin})
    order by s.n_mod_since_analyze desc`);
  return rows.map(({ name }) => name);
}

/** Passes over a table that somebody else is analyzing: they do it for everybody. */
export async function analyzeTable(database: Database, name: string): Promise<void> {
  await database.executeAlone(sql`analyze (skip_locked) ${raw(name)}`);
}
