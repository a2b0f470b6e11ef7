import pg from 'pg';

/** The driver's own parser of a type; its declarations lack some types. */
const driverParser = (oid: number): ((text: string) => unknown) =>
  pg.types.getTypeParser(oid as Parameters<typeof pg.types.getTypeParser>[0], 'text');

const textArray = driverParser(1009) as (text: string) => (string | null)[];
/** Most arrays are empty: skips the parser for them. */
const unlessEmpty =
  <Item>(parse: (text: string) => Item[]) =>
  (text: string): Item[] =>
    text === '{}' ? [] : parse(text);
const toNumber = (item: string | null): number | null => (item === null ? null : Number(item));
const driverMoment = driverParser(1184);

/** Fast path for timestamps as we write them, in UTC with milliseconds. */
function toMoment(text: string): unknown {
  const { length } = text;
  const isOurs = length >= 22 && length <= 26 && text.charCodeAt(10) === 32 && text.endsWith('+00');
  if (!isOurs || (length > 22 && text.charCodeAt(19) !== 46)) return driverMoment(text);
  const year = digitsAt(text, 0, 4);
  // the fast path would read years below 100 as 19xx
  if (year < 100) return driverMoment(text);
  const ms = length === 22 ? 0 : digitsAt(text, 20, length - 3) * (length === 26 ? 1 : length === 25 ? 10 : 100);
  return new Date(
    Date.UTC(
      year,
      digitsAt(text, 5, 7) - 1,
      digitsAt(text, 8, 10),
      digitsAt(text, 11, 13),
      digitsAt(text, 14, 16),
      digitsAt(text, 17, 19),
      ms,
    ),
  );
}

function digitsAt(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}

const asText = (text: string): string => text;

/**
 * How SQL values become JavaScript values on both engines. Types without a line here arrive as text: a calendar date
 * or a timestamp without zone has no `Date` that is right everywhere.
 */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, driverParser(17)],
  [20, Number],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
  [1184, toMoment],
  [1000, driverParser(1000)],
  [1005, driverParser(1005)],
  [1007, driverParser(1007)],
  [1009, unlessEmpty(textArray)],
  [1015, driverParser(1015)],
  [1016, (text) => textArray(text).map(toNumber)],
  [1022, (text) => textArray(text).map(toNumber)],
  [1185, driverParser(1185)],
  [1231, (text) => textArray(text).map(toNumber)],
  [2951, driverParser(1009)],
  [3807, (text) => textArray(text).map((item) => (item === null ? null : JSON.parse(item)))],
]);

/**
 * bigint and numeric are numbers (exact to 2^53), timestamptz is `Date`, json and jsonb are parsed, arrays are arrays.
 */
export const valueTypes = {
  getTypeParser: (oid: number): ((text: string) => unknown) => parsers.get(oid) ?? asText,
} as pg.CustomTypesConfig;

/** @throws TypeError for a value that is no SQL parameter */
export function checkParameters(values: readonly unknown[]): unknown[] {
  for (const value of values) checkParameter(value);
  return values as unknown[];
}

function checkParameter(value: unknown): void {
  if (typeof value !== 'object') {
    if (typeof value === 'function' || typeof value === 'symbol') refuse(value);
    return;
  }
  if (value === null || value instanceof Date || ArrayBuffer.isView(value)) return;
  if (!Array.isArray(value)) refuse(value);
  for (const item of value as unknown[]) checkParameter(item);
}

function refuse(value: unknown): never {
  const kind = typeof value === 'object' ? 'object' : typeof value;
  throw new TypeError(`An SQL parameter cannot be of type ${kind}; pass JSON values through json(value)`);
}
