const header = `// The columns of every table and the types in which they arrive, from schema.sql. Generated; change a migration instead.
import type { Json } from './json.ts';
`;

/** How `value-types.ts` reads each type that a table uses. */
const types: Readonly<Record<string, string>> = {
  text: 'string',
  boolean: 'boolean',
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  numeric: 'number',
  'double precision': 'number',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
};

/**
 * The columns as TypeScript. A text column whose constraint lists its values is a union of them.
 * @throws Error for a type that has no line above
 */
export function columnTypes(schemaSql: string): string {
  const tables = [...schemaSql.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);$/gm)].map(([, table, body = '']) => {
    // a line of its own for each definition; expressions go on in lines with another indentation
    const definitions = body.split(/,\n {2}(?=\S)/).map((each) => each.trim());
    const unions = new Map(definitions.flatMap(listedValues));
    const lines = definitions
      .filter((each) => !each.startsWith('constraint '))
      .map((each) => `    ${columnType(each, unions)};\n`);
    return `  ${table}: {\n${lines.join('')}  };\n`;
  });
  return `${header}\nexport interface Tables {\n${tables.join('')}}\n`;
}

/** `status` and `'a' | 'b'` for a constraint that allows these values only. */
function listedValues(definition: string): [string, string][] {
  const [, name, list] = /CHECK \(\(\(?(\w+) = (?:ANY \(ARRAY\[)?('[^)\]]*'::text)\]?\)/.exec(definition) ?? [];
  if (name === undefined || list === undefined) return [];
  return [[name, [...list.matchAll(/'([^']*)'::text/g)].map(([, each]) => `'${each}'`).join(' | ')]];
}

function columnType(definition: string, unions: ReadonlyMap<string, string>): string {
  const [, name = '', type = '', isArray] =
    /^"?(\w+)"? ([a-z ]+?)(\[\])?(?: default| generated| not null|$)/.exec(definition) ?? [];
  const known = types[type];
  if (known === undefined)
    throw new Error(
      `What does a column of type ${type} arrive as? Add it to tools/generators/columns.ts (${definition})`,
    );
  const value = isArray ? `readonly ${known}[]` : (unions.get(name) ?? known);
  return `${name}: ${value}${definition.endsWith('not null') ? '' : ' | null'}`;
}
