import sql from 'sql-template-tag';
import type { Database } from './database.ts';

const header = `-- The database after every migration, read from its catalogs. Generated; change a migration instead.
`;

/**
 * The schema as SQL text, the same on every engine and version: tables in order of their names with columns,
 * constraints and indexes, then views, functions and triggers.
 */
export async function dumpSchema(database: Database): Promise<string> {
  const [tables, columns, constraints, indexes, others] = await Promise.all([
    database.rows<{ name: string }>(sql`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname collate "C"`),
    readColumns(database),
    readConstraints(database),
    readIndexes(database),
    readOthers(database),
  ]);
  const parts = tables.map(({ name }) => {
    const lines = [...tableDefinitions(columns, name), ...tableDefinitions(constraints, name)];
    const table = `create table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);\n`;
    return [table, ...tableDefinitions(indexes, name).map((line) => `${line};\n`)].join('');
  });
  return [header, ...parts, ...others.map(({ definition }) => `${definition.trim()};\n`)].join('\n');
}

interface Definition {
  readonly table: string;
  readonly definition: string;
}

function tableDefinitions(definitions: readonly Definition[], table: string): string[] {
  return definitions.filter((each) => each.table === table).map((each) => each.definition);
}

async function readColumns(database: Database): Promise<Definition[]> {
  const columns = await database.rows<{
    table: string;
    name: string;
    type: string;
    isRequired: boolean;
    identity: string;
    generated: string;
    expression: string | null;
  }>(sql`
    select c.relname as table, quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "isRequired", a.attidentity::text as identity, a.attgenerated::text as generated,
      pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attnum`);
  return columns.map((column) => {
    const words = [column.name, column.type];
    if (column.generated !== '') words.push(`generated always as (${column.expression}) stored`);
    else if (column.expression !== null) words.push(`default ${column.expression}`);
    if (column.identity !== '')
      words.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`);
    if (column.isRequired) words.push('not null');
    return { table: column.table, definition: words.join(' ') };
  });
}

/** Newer servers also list `not null` as a constraint, which the columns already say. */
function readConstraints(database: Database): Promise<Definition[]> {
  return database.rows(sql`
    select c.relname as table,
      'constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'c', 'f', 'x')
    order by c.relname collate "C", position(k.contype::text in 'pucfx'), k.conname collate "C"`);
}

function readIndexes(database: Database): Promise<Definition[]> {
  return database.rows(sql`
    select t.relname as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by t.relname collate "C", x.relname collate "C"`);
}

/** Only the columns of views: the text of their queries differs between versions. */
function readOthers(database: Database): Promise<{ definition: string }[]> {
  return database.rows(sql`
    select definition from (
      select 1 as kind, c.relname::text as name, '-- view ' || quote_ident(c.relname) || ' (' || (
          select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        ) || ')' as definition
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
      union all
      select 2, p.oid::regprocedure::text, pg_get_functiondef(p.oid)
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
      union all
      select 3, c.relname || ' ' || t.tgname, pg_get_triggerdef(t.oid)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    ) as other order by kind, name collate "C"`);
}
