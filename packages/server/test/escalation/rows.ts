import sql, { join, raw } from 'sql-template-tag';
import type { TestApp } from '../build-test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows as they are stored, whatever their columns
export type Row = Record<string, any>;
/** Every row of an organization, by table. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** Reads and restores an organization below the product, with plain SQL. */
export interface RowKeeper {
  read(): Promise<Rows>;
  /** Writes the tables that differ from `wanted` back; answers what is stored then. */
  restore(wanted: Rows): Promise<Rows>;
}

/** The one table of an organization that has no column `org_id`. */
const own = 'organizations';

export async function createRowKeeper({ database, tenantTables }: TestApp, orgId: string): Promise<RowKeeper> {
  const tables = [...(await tenantTables()), own];
  const whose = (table: string) => (table === own ? sql`id = ${orgId}` : sql`org_id = ${orgId}`);
  const columns = await writableColumns(database);
  const read = async (): Promise<Rows> => {
    const parts = tables.map(
      (table) => sql`select ${table} as name,
        coalesce((select jsonb_agg(to_jsonb(x)) from ${raw(table)} x where ${whose(table)}), '[]'::jsonb) as rows`,
    );
    const found = await database.rows<{ name: string; rows: Row[] }>(join(parts, ' union all '));
    return Object.fromEntries(found.map(({ name, rows }) => [name, inOrder(rows)]));
  };
  return {
    read,
    restore: async (wanted) => {
      const present = await read();
      const differing = tables.filter((table) => !sameRows(present[table], wanted[table]));
      if (differing.length === 0) return wanted;
      // what a process remembers of a version must not be taken for another one of the same number
      const version = (row: Row): Row =>
        typeof row['version'] === 'number' ? { ...row, version: row['version'] + 1000 } : row;
      const next = { ...wanted };
      await database.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica /* all organizations */`);
        for (const table of differing) {
          const rows = ['blueprints', 'actions'].includes(table) ? (wanted[table] ?? []).map(version) : wanted[table];
          next[table] = rows ?? [];
          const names = raw((columns.get(table) ?? []).map((name) => `"${name}"`).join(', '));
          await tx.execute(sql`delete from ${raw(table)} where ${whose(table)}`);
          await tx.execute(sql`insert into ${raw(table)} (${names}) overriding system value
            select ${names} from jsonb_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::jsonb)
            /* all organizations */`);
        }
      });
      return next;
    },
  };
}

/** Columns that may be written: not those that the database makes of others. */
async function writableColumns(database: TestApp['database']): Promise<Map<string, string[]>> {
  const found = await database.rows<{ name: string; columns: string[] }>(sql`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace group by c.relname`);
  return new Map(found.map(({ name, columns }) => [name, columns]));
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows]
    .map((row) => [JSON.stringify(row), row] as const)
    .sort()
    .map(([, row]) => row);
}

export function sameRows(one: readonly Row[] = [], other: readonly Row[] = []): boolean {
  return one.length === other.length && JSON.stringify(one) === JSON.stringify(other);
}
