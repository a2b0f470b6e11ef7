import type { Tables } from './columns.generated.ts';
import type { Json } from './json.ts';

/** What a computed value arrives as (`value-types.ts`). */
interface Computed {
  text: string;
  texts: string[];
  number: number;
  numbers: number[];
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

/** The fields of a result by name: what `rows` and `first` are told. Tests check it against what the engine reports. */
export type RowShape = Readonly<Record<string, Field<unknown>>>;

/** The type of the rows of a shape. */
export type Row<Shape extends RowShape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Field<infer Value> ? Value : never;
};

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;

function field<Value>(source: string, isNullable?: boolean): Field<Value> {
  const self: Field<Value> = {
    source,
    isNullable,
    as: () => self as never,
    orNull: () => field(source, true),
    notNull: () => field(source, false),
  };
  return self;
}

/** A column under a name of the statement's own. */
export function column<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  table: Table,
  name: Name,
): Field<Tables[Table][Name]> {
  return field(`${table}.${name}`);
}

/** Columns of a table under their names in camel case: `org_id as "orgId"`. */
export function columns<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  table: Table,
  ...names: readonly Name[]
): { readonly [Each in Name as CamelCase<Each>]: Field<Tables[Table][Each]> } {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(names.map((name) => [camelCase(name), column(table, name)])) as never;
}

/** Values that belong to no column: counts, literals, functions, subqueries, unions. */
export const computed: { readonly [Kind in keyof Computed]: Field<Computed[Kind]> } = {
  text: field('text'),
  texts: field('texts'),
  number: field('number'),
  numbers: field('numbers'),
  boolean: field('boolean'),
  time: field('time'),
  bytes: field('bytes'),
  json: field('json'),
};
