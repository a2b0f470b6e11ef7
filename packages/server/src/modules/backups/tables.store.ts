import type { Connection } from '../../platform/db/engine.ts';

export interface Column {
  readonly name: string;
  /** As a cast takes it: `text[]`, `timestamp with time zone`. */
  readonly type: string;
  readonly isIdentity: boolean;
  readonly isText: boolean;
  /** Its place in the primary key; null if it is not in it. */
  readonly place: number | null;
}

/** A table as a backup sees it: without the columns that the database computes. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** What a restore writes by itself, by applying the migrations that the head names. */
const ofTheSchema = 'schema_migrations';

/**
 * Every table of the database but the history of migrations, asked of its catalogs so that none is forgotten. Those that
 * others refer to come first, else by name, the same on both engines.
 */
export async function listTables(connection: Connection): Promise<readonly Table[]> {
  const { rows } = await connection.query(`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attcollation <> 0 as "isText", a.attidentity <> '' as "isIdentity", array_position(k.conkey, a.attnum) as place
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> '${ofTheSchema}'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname collate "C", a.attnum`);
  const tables = new Map<string, Column[]>();
  for (const { table, ...column } of rows as unknown as (Column & { table: string })[]) {
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  const parents = await listParents(connection);
  const ordered = new Map<string, Table>();
  const place = (name: string, below: readonly string[]): void => {
    const columns = tables.get(name);
    if (!columns || ordered.has(name) || below.includes(name)) return;
    for (const { from, to } of parents) if (from === name) place(to, [...below, name]);
    ordered.set(name, { name, columns });
  };
  for (const name of tables.keys()) place(name, []);
  return [...ordered.values()];
}

async function listParents(connection: Connection): Promise<readonly { from: string; to: string }[]> {
  const { rows } = await connection.query(`
    select f.relname as "from", t.relname as "to" from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace
    order by f.relname collate "C", t.relname collate "C"`);
  return rows as unknown as { from: string; to: string }[];
}

/** The last value of each identity column, `table.column`; null before the first. */
export async function listSequences(connection: Connection): Promise<Readonly<Record<string, string | null>>> {
  const { rows } = await connection.query(`
    select c.relname || '.' || a.attname as name,
      pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass)::text as last
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and a.attidentity <> '' and not a.attisdropped
    order by c.relname collate "C", a.attname collate "C"`);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export async function listMigrations(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.query('select name from schema_migrations order by name collate "C"');
  return rows.map(({ name }) => name as string);
}

/** The text that the master key of the installation sealed at its first start. */
export async function findKeyCheck(connection: Connection): Promise<string | undefined> {
  const { rows } = await connection.query('select key_check as kept from installation');
  return rows[0]?.['kept'] as string | undefined;
}

export async function readServerVersion(connection: Connection): Promise<string> {
  const { rows } = await connection.query(`select split_part(current_setting('server_version'), ' ', 1) as version`);
  return rows[0]?.['version'] as string;
}

/**
 * Values are written and read as text, and so do not depend on the time zone or the formats that a role or a server is set
 * to. Nothing here may be ended for taking long.
 */
const settings = `
  set local time zone 'UTC';
  set local datestyle = 'ISO, MDY';
  set local intervalstyle = 'postgres';
  set local extra_float_digits = 1;
  set local bytea_output = 'hex';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = '10min'`;

/** Begins a transaction that sees the database as it is now, however long it reads. */
export async function beginSnapshot(connection: Connection): Promise<void> {
  await connection.script('begin isolation level repeatable read read only');
  await connection.script(settings);
}

export async function beginRestore(connection: Connection): Promise<void> {
  await connection.script('begin');
  await connection.script(settings);
}

export async function commit(connection: Connection): Promise<void> {
  await connection.script('commit');
}

export async function rollBack(connection: Connection): Promise<void> {
  await connection.script('rollback');
}

/** Opens a cursor over all rows of a table, in the order of its primary key whatever the collation of the database. */
export async function openRows(connection: Connection, cursor: string, { name, columns }: Table): Promise<void> {
  const texts = columns.map((column) => `${quote(column.name)}::text as ${quote(column.name)}`);
  const key = columns
    .filter(({ place }) => place !== null)
    .sort((a, b) => Number(a.place) - Number(b.place))
    .map((column) => `${quote(name)}.${quote(column.name)}${column.isText ? ' collate "C"' : ''}`);
  await connection.script(`
    declare ${cursor} no scroll cursor for
    select ${texts.join(', ')} from ${quote(name)} order by ${key.join(', ')} /* all organizations */`);
}

/** The next rows of a cursor, their values as text. */
export async function fetchRows(
  connection: Connection,
  cursor: string,
  count: number,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const { rows } = await connection.query(`fetch ${count} from ${cursor}`);
  return rows as Readonly<Record<string, string | null>>[];
}

export async function closeRows(connection: Connection, cursor: string): Promise<void> {
  await connection.script(`close ${cursor}`);
}

/** A name of the catalogs, as it stands in a statement. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
