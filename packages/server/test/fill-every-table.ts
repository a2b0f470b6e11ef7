import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Tx } from '../src/platform/db/database.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

interface Constraint {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly definition: string;
  readonly parent: string | null;
  readonly parentColumns: readonly string[] | null;
}

interface FilledTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
}

const rowsEach = 3;

/** Texts that are read wrongly where a format or an escape is forgotten. */
const texts = [
  'plain',
  `it's "quoted", \\back\\slashed\\n`,
  'line\nbreak\ttab',
  '[{}],:null',
  'żółć ∑ 🛰️',
  '\\N',
  'true',
];

/** Values that are not made by their type, for the sake of checks that look at more than one column. */
const special: Readonly<Record<string, (row: number) => Sql>> = {
  'api_tokens.client_id': () => sql`null`,
  'api_tokens.user_key': (row) => sql`${`user ${row}`}`,
  'ai_budgets.requests': () => sql`7`,
  'changelog_destinations.type': () => sql`'WEBHOOK'`,
  'changelog_destinations.url': () => sql`'https://example.com'`,
  'installation.is_only': () => sql`true`,
  'pages.type': () => sql`'home'`,
  'password_links.ended_as': (row) => (row === 1 ? sql`null` : sql`'used'`),
};

/** Rows in every table that the database has, asked of its catalogs: a new table is filled as soon as it is there. */
export async function fillEveryTable(database: Database): Promise<readonly string[]> {
  return database.transaction(async (tx) => {
    const tables = await listTables(tx);
    const done = new Set<string>();
    const fill = async (table: FilledTable): Promise<void> => {
      if (done.has(table.name)) return;
      done.add(table.name);
      for (const { parent } of table.constraints) {
        const above = tables.find(({ name }) => name === parent);
        if (above) await fill(above);
      }
      const count = table.name === 'installation' ? 1 : rowsEach;
      for (let row = 0; row < count; row += 1) await tx.execute(await insert(tx, table, row));
    };
    for (const table of tables) await fill(table);
    return [...done].sort();
  });
}

async function insert(tx: Tx, { name, columns, constraints }: FilledTable, row: number): Promise<Sql> {
  const values = new Map<string, Sql>();
  for (const { kind, columns: own, parent, parentColumns } of constraints) {
    if (kind !== 'f' || parent === null || parentColumns === null) continue;
    const picked = join(parentColumns.map((each) => raw(`"${each}"::text as "${each}"`)));
    const found = await tx.first<Record<string, string>>(sql`
      select ${picked} from ${raw(`"${parent}"`)} where org_id = ${`org ${row}`} limit 1 /* all organizations */`);
    for (const [index, column] of own.entries()) values.set(column, sql`${found?.[parentColumns[index] as string]}`);
  }
  const isKey = new Set(constraints.filter(({ kind }) => kind !== 'c' && kind !== 'f').flatMap((each) => each.columns));
  for (const column of columns) {
    if (values.has(column.name)) continue;
    const isEmpty = !column.isRequired && !isKey.has(column.name) && row === 1;
    const made = special[`${name}.${column.name}`]?.(row);
    values.set(column.name, made ?? (isEmpty ? sql`null` : make(column, row, isKey.has(column.name), constraints)));
  }
  const cast = columns.map((column) => sql`cast(${values.get(column.name) ?? sql`null`} as ${raw(column.type)})`);
  const names = raw(columns.map((column) => `"${column.name}"`).join(', '));
  return sql`insert into ${raw(`"${name}"`)} (${names}) select ${join(cast)} /* all organizations */`;
}

function make({ name, type }: Column, row: number, isKey: boolean, constraints: readonly Constraint[]): Sql {
  if (name === 'org_id') return sql`${`org ${row}`}`;
  const allowed = constraints.filter(({ kind, columns }) => kind === 'c' && columns.join() === name);
  const words = allowed.flatMap(({ definition }) =>
    [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word),
  );
  if (words.length > 0) return sql`${words[row % words.length]}`;
  switch (type) {
    case 'text':
      return sql`${isKey ? `${name} ${'zaB-'[row]}${texts[row]}` : texts[(row + name.length) % texts.length]}`;
    case 'text[]':
      return sql`array[${texts[row]}, ${texts[row + 1]}]`;
    case 'jsonb':
      return sql`${JSON.stringify({ text: texts[row + 2], number: 1e21, list: [1.5, null, true], '': {} })}`;
    case 'bytea':
      return sql`${Buffer.from([0, 255, row, 10])}`;
    case 'boolean':
      return sql`${row === 0}`;
    case 'timestamp with time zone':
      return sql`${`2026-01-0${row + 1} 01:02:03.${100_001 + row}+03`}`;
    case 'numeric':
      return sql`${`0.000000000000000${row}1`}`;
    default:
      return sql`${String(row + 5)}`;
  }
}

async function listTables(tx: Tx): Promise<readonly FilledTable[]> {
  return tx.rows<FilledTable>(sql`
    select c.relname as name, (
      select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'isRequired', a.attnotnull) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and a.attidentity = '') as columns, (
      select coalesce(json_agg(json_build_object('kind', k.contype, 'definition', pg_get_constraintdef(k.oid),
        'parent', p.relname, 'columns', ${attributeNames('k.conrelid', 'k.conkey')},
        'parentColumns', ${attributeNames('k.confrelid', 'k.confkey')}) order by k.conname), '[]')
      from pg_constraint k left join pg_class p on p.oid = k.confrelid
      where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f')) as constraints
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
    order by c.relname`);
}

function attributeNames(table: string, numbers: string): Sql {
  return raw(`(select json_agg(n.attname order by u.place) from unnest(${numbers}) with ordinality as u(number, place)
    join pg_attribute n on n.attrelid = ${table} and n.attnum = u.number)`);
}
