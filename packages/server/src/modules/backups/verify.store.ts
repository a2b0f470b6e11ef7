import type { Connection } from '../../platform/db/engine.ts';
import { quote, type Table } from './tables.store.ts';

/** Columns whose rows name others without a foreign key: what they name must be there. */
const references: readonly (readonly [
  from: string,
  columns: readonly string[],
  to: string,
  keys: readonly string[],
])[] = [
  ['entities', ['org_id', 'blueprint_key'], 'blueprints', ['org_id', 'key']],
  ['entity_relations', ['org_id', 'source_key'], 'entities', ['org_id', 'key']],
  ['entity_relations', ['org_id', 'target_key'], 'entities', ['org_id', 'key']],
  ['team_members', ['org_id', 'team_key'], 'teams', ['org_id', 'key']],
  ['team_members', ['org_id', 'user_key'], 'users', ['org_id', 'key']],
  ['user_passwords', ['org_id', 'user_key'], 'users', ['org_id', 'key']],
  ['credentials', ['org_id', 'client_id'], 'credential_directory', ['org_id', 'client_id']],
];

/** `table.column → table` and how many rows of it name nothing. */
export async function listDangling(connection: Connection): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [from, columns, to, keys] of references) {
    const same = columns.map((column, index) => `t.${keys[index]} = f.${column}`).join(' and ');
    const count = await countRows(connection, `${from} f where not exists (select 1 from ${to} t where ${same})`);
    if (count > 0) found.push(`${from}.${columns.at(-1)}: ${count}`);
  }
  return found;
}

/** Tables with rows of organizations that are not there. Jobs of schedules belong to none. */
export async function listStrays(connection: Connection, tables: readonly Table[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of tables.filter(({ columns }) => columns.some((column) => column.name === 'org_id'))) {
    const count = await countRows(
      connection,
      `${quote(name)} f where org_id <> '' and not exists (select 1 from organizations o where o.id = f.org_id)`,
    );
    if (count > 0) found.push(`${name}: ${count}`);
  }
  return found;
}

/** Identity columns that would give a key which is taken. */
export async function listBehind(
  connection: Connection,
  tables: readonly Table[],
  last: Readonly<Record<string, string | null>>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, columns } of tables) {
    for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
      const key = `${name}.${column.name}`;
      const count = await countRows(
        connection,
        `${quote(name)} where ${quote(column.name)} > ${BigInt(last[key] ?? 0)}`,
      );
      if (count > 0) found.push(key);
    }
  }
  return found;
}

/** Constraints and indexes that the database does not vouch for. */
export async function listUnsound(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.query(`
    select conname as name from pg_constraint
    where connamespace = current_schema()::regnamespace and not convalidated
    union all
    select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and not i.indisvalid order by 1`);
  return rows.map(({ name }) => name as string);
}

/** How many values are sealed, and in which columns stand some that another master key sealed. */
export async function countSealed(
  connection: Connection,
  masterKeyId: string,
): Promise<{ readonly sealed: number; readonly foreign: readonly string[] }> {
  const { rows } = await connection.query(`
    select c.relname as "table", a.attname as "column" from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
      and ((a.attname like 'sealed%' and a.atttypid = 'text'::regtype) or (c.relname = 'sources' and a.attname in ('secrets', 'webhook')))
    order by 1, 2`);
  const foreign: string[] = [];
  let sealed = 0;
  for (const { table, column } of rows as { table: string; column: string }[]) {
    const text = `${quote(column)}::text`;
    const some = `${quote(table)} where ${text} ~ 'v1[.][0-9a-f]{16}[.]'`;
    sealed += await countRows(connection, some);
    if ((await countRows(connection, `${some} and ${text} !~ 'v1[.]${masterKeyId}[.]'`)) > 0) {
      foreign.push(`${table}.${column}`);
    }
  }
  return { sealed, foreign };
}

/** When the last change was made that the database knows; undefined where there is none. */
export async function findLastChange(connection: Connection): Promise<Date | undefined> {
  const { rows } = await connection.query('select max(at) as at from journal /* all organizations */');
  return (rows[0]?.['at'] as Date | null) ?? undefined;
}

export async function listOrganizationIds(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.query('select id from organizations order by id');
  return rows.map(({ id }) => id as string);
}

async function countRows(connection: Connection, of: string): Promise<number> {
  const { rows } = await connection.query(`select count(*) as count from ${of} /* all organizations */`);
  return rows[0]?.['count'] as number;
}
