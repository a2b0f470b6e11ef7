import { isRecord } from '@portolan/contract/json-value';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** The object that this is; an empty one for everything else. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The text that this is; undefined for everything else and for an empty one. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value at the end of the path; undefined where there is none. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

/** A copy with another value at the end of the path; undefined removes the key. */
export function withValueAt(object: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) throw new RangeError('The path is empty');
  const next = rest.length > 0 ? withValueAt(toObject(object[key]), rest, value) : value;
  if (next === undefined) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  return { ...object, [key]: next };
}

/** The same text for values that are the same, whatever the order of their keys. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
