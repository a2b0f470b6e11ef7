/**
 * Values are ordinary JSON values of JavaScript, never changed once they are visible elsewhere, so that inputs and
 * results can share structure. Numbers are IEEE doubles; `undefined` is not a value.
 */
export type JqValue = null | boolean | number | string | JqArray | JqObject;
export type JqArray = readonly JqValue[];
export interface JqObject {
  readonly [key: string]: JqValue;
}

export type JqType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function jqType(value: JqValue): JqType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value === null || value === undefined) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

export function isObject(value: JqValue): value is JqObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** jq's truthiness: everything except `false` and `null`. */
export function isTruthy(value: JqValue): boolean {
  return value !== false && value !== null && value !== undefined;
}
