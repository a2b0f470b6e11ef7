import type { Connection } from '../../platform/db/engine.ts';
import { migrationLock } from '../../platform/db/migrate.ts';
import { quote, type Table } from './tables.store.ts';

/** Keeps servers that start meanwhile from applying migrations, until the transaction ends. */
export async function holdSchema(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
}

/** Names of some tables and views that are there. */
export async function listPresent(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.query(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    order by relname limit 3`);
  return rows.map(({ name }) => name as string);
}

/** Removes what migrations wrote into a table that has yet to be filled. */
export async function emptyTable(connection: Connection, { name }: Table): Promise<void> {
  await connection.query(`delete from ${quote(name)} /* all organizations */`);
}

/** Writes rows as they stand in a backup, keys included. */
export async function insertRows(
  connection: Connection,
  { name, columns }: Table,
  rows: readonly string[],
): Promise<number> {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const values = columns.map((column, index) => `(r->>${index})::${column.type}`).join(', ');
  const { rowCount } = await connection.query(
    `insert into ${quote(name)} (${names}) overriding system value
    select ${values} from jsonb_array_elements($1::jsonb) as u(r) /* all organizations */`,
    [`[${rows.join(',')}]`],
  );
  return rowCount;
}

/** Lets the keys of a table go on after those that it has and those that it ever gave. */
export async function advanceSequence(
  connection: Connection,
  table: string,
  column: string,
  last: string | null,
): Promise<void> {
  await connection.query(
    `select setval(pg_get_serial_sequence($1, $2)::regclass, greatest($3::bigint, (select max(${quote(column)}) from ${quote(table)})))
    where $3::bigint is not null or exists (select 1 from ${quote(table)}) /* all organizations */`,
    [quote(table), column, last],
  );
}

/** Nothing is known yet of rows that were just written, and plans for them would be made blindly. */
export async function analyze(connection: Connection): Promise<void> {
  await connection.script('analyze');
}
