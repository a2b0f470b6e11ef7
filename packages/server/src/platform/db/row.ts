import sql, { type RawValue, type Sql } from 'sql-template-tag';
import type { Tables } from './columns.generated.ts';
import type { Json } from './json.ts';

/** What a computed value arrives as (`value-types.ts`). */
interface Computed {
  text: string;
  texts: readonly string[];
  number: number;
  numbers: readonly number[];
  boolean: boolean;
  time: Date;
  bytes: Buffer;
  json: Json;
}

type Narrower<Value> = NonNullable<Value> extends Json ? unknown : NonNullable<Value>;

/** One field of a row: a column, or a value that the statement computes. */
export interface Field<Value> {
  /** `users.title`, or what the computed value arrives as. */
  readonly source: string;
  /** Whether it may be null; undefined leaves that to the column, and a computed value is then never null. */
  readonly isNullable: boolean | undefined;
  /** A narrower type, as the code promises that writes the value. */
  as<Narrow extends Narrower<Value>>(): Field<null extends Value ? Narrow | null : Narrow>;
  /** It may be null: an outer join, or a function of nothing. */
  orNull(): Field<Value | null>;
  /** It is never null though its column may be: the statement leaves such rows out. */
  notNull(): Field<NonNullable<Value>>;
  readonly [value]?: Value;
}
declare const value: unique symbol;

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A statement that knows what its rows are; tests compare that with every result. */
export type RowSql<Shape extends Fields> = Sql & { readonly fields: Shape };

/** What the rows of a statement are: the tag of the statements that read such rows. */
export interface RowShape<Shape extends Fields> {
  readonly fields: Shape;
  sql(strings: readonly string[], ...values: readonly RawValue[]): RowSql<Shape>;
}

/** The type of the rows of these fields. */
export type RowOfFields<Shape extends Fields> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Field<infer Value> ? Value : never;
};

/** The type of the rows of a shape: `RowOf<typeof teamRow>`. */
export type RowOf<Shape extends RowShape<Fields>> = RowOfFields<Shape['fields']>;

/** ``reader.rows(teamRow.sql`select …`)`` for a `teamRow` made with this. */
export function row<Shape extends Fields>(shape: Shape): RowShape<Shape> {
  return {
    fields: shape,
    sql: (strings, ...values) => Object.assign(sql(strings, ...values), { fields: shape }),
  };
}

function source<Value>(name: string, isNullable?: boolean): Field<Value> {
  const self: Field<Value> = {
    source: name,
    isNullable,
    as: () => self as never,
    orNull: () => source(name, true),
    notNull: () => source(name, false),
  };
  return self;
}

/** A column, for a field with a name or a type of its own. */
export function field<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  table: Table,
  name: Name,
): Field<Tables[Table][Name]> {
  return source(`${table}.${name}`);
}

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;

/** Columns of a table under their names in camel case: `org_id as "orgId"`. */
export function fields<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  table: Table,
  ...names: readonly Name[]
): { readonly [Each in Name as CamelCase<Each>]: Field<Tables[Table][Each]> } {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(names.map((name) => [camelCase(name), field(table, name)])) as never;
}

/** Values that belong to no column: counts, literals, functions, subqueries, unions. */
export const computed: { readonly [Kind in keyof Computed]: Field<Computed[Kind]> } = {
  text: source('text'),
  texts: source('texts'),
  number: source('number'),
  numbers: source('numbers'),
  boolean: source('boolean'),
  time: source('time'),
  bytes: source('bytes'),
  json: source('json'),
};

/** ``reader.first(countRow.sql`select count(*)::int as count from …`)`` */
export const countRow = row({ count: computed.number });
