import { createDatabase, type DatabaseOptions } from '../src/platform/db/database.ts';
import type { Engine, ResultField } from '../src/platform/db/engine.ts';
import { computed, type Field, row } from '../src/platform/db/row.ts';

type CheckRows = NonNullable<DatabaseOptions['checkRows']>;

/** What a type arrives as; every other type arrives as text (`value-types.ts`). */
const arrivesAs = new Map(
  Object.entries({
    boolean: [16],
    bytes: [17],
    json: [114, 3802],
    number: [20, 21, 23, 26, 700, 701, 1700],
    numbers: [1005, 1007, 1016, 1022, 1231],
    text: [],
    texts: [1009, 1015, 2951],
    time: [1184],
  }).flatMap(([kind, types]) => types.map((type) => [type, kind])),
);

interface Origin {
  readonly name: string;
  readonly isRequired: boolean;
}

/** Compares results with the fields of their statements: names, the column behind each, types and nulls. */
export async function createRowCheck(engine: Engine): Promise<CheckRows> {
  const origins = new Map<string, Origin>();
  const catalog = row({
    table: computed.number,
    position: computed.number,
    name: computed.text,
    isRequired: computed.boolean,
  });
  const known = await createDatabase(engine).rows(catalog.sql`
    select a.attrelid as table, a.attnum as position, c.relname || '.' || a.attname as name, a.attnotnull as "isRequired"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`);
  for (const { table, position, ...origin } of known) origins.set(`${table}.${position}`, origin);

  return (statement, { fields, rows }) => {
    const shape = statement.fields;
    const names = fields.map(({ name }) => name);
    const faults = [
      ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `two columns are called ${name}`),
      ...Object.keys(shape)
        .filter((name) => !names.includes(name))
        .map((name) => `${name} is not in the result`),
      ...fields.flatMap((field) => {
        const declared = shape[field.name];
        if (!declared) return [`${field.name} is not in the shape`];
        const origin = origins.get(`${field.tableID}.${field.columnID}`);
        const values = rows.map((row) => row[field.name]);
        return findFaults(field, declared, origin, values).map((fault) => `${field.name} ${fault}`);
      }),
    ];
    if (faults.length > 0)
      throw new Error(`The rows are not what their shape says: ${faults.join('; ')}\n${statement.text}`);
  };
}

function findFaults(
  field: ResultField,
  { source, isNullable }: Field<unknown>,
  origin: Origin | undefined,
  values: readonly unknown[],
): string[] {
  const hasNull = values.includes(null);
  const isColumn = source.includes('.');
  const mayBeNull = isNullable ?? (isColumn && origin?.isRequired === false);
  if (hasNull && !mayBeNull) return ['is null, so it needs orNull()'];
  // a bare `null` has no type
  if (!origin && isNullable && values.every((value) => value === null)) return [];
  if (isColumn) return origin?.name === source ? [] : [`is ${origin?.name ?? 'computed'}, not ${source}`];
  const kind = arrivesAs.get(field.dataTypeID) ?? 'text';
  if (kind !== source) return [`arrives as ${kind}, not ${source}`];
  if (origin?.isRequired === false && isNullable === undefined)
    return [`is ${origin.name}, which may be null: orNull() or notNull()`];
  return [];
}
