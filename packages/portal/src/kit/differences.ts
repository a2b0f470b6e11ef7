import { isRecord } from '@portolan/contract/json-value';

export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The paths at which two JSON values differ; lists are compared whole. */
export function listDifferences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMap(before) && isMap(after) && path.split('.').length < 8) return compareMembers(before, after, path);
  // a created or deleted entity is listed property by property
  if (parts.has(path) && isMap(before ?? {}) && isMap(after ?? {}))
    return compareMembers((before ?? {}) as Values, (after ?? {}) as Values, path);
  return isNothing(before) && isNothing(after) ? [] : [{ path, before, after }];
}

const parts: ReadonlySet<string> = new Set(['', 'properties', 'relations']);

type Values = Readonly<Record<string, unknown>>;

function compareMembers(before: Values, after: Values, path: string): readonly Difference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => listDifferences(own(before, key), own(after, key), path ? `${path}.${key}` : key));
}

function own(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function isMap(value: unknown): value is Values {
  return isRecord(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
