import { isRecord } from '@portolan/contract/json-value';
import { invalidValue, ScimError } from './scim-error.ts';

/** A client's object; attribute names ignore case (RFC 7643 §2.1). */
export type Attributes = ReadonlyMap<string, unknown>;

/** @throws ScimError invalidSyntax */
export function readObject(value: unknown, what = 'The body'): Attributes {
  if (!isRecord(value)) {
    throw new ScimError(400, `${what} must be a JSON object`, 'invalidSyntax');
  }
  return new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]));
}

/**
 * Text; null if removed, undefined if not sent.
 * @throws ScimError invalidValue
 */
export function readText(value: unknown, name: string, max = 1000): string | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string') throw invalidValue(`${name} must be a string`);
  const text = value.trim();
  if (text.length > max) throw invalidValue(`${name} has more than ${max} characters`);
  return text === '' ? null : text;
}

/**
 * One widely used client sends booleans as text.
 * @throws ScimError invalidValue
 */
export function readBoolean(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidValue(`${name} must be true or false`);
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** In lower case; undefined if `value` names the attributes. */
  readonly path: string | undefined;
  /** The path as sent, for values inside it. */
  readonly rawPath: string;
  readonly value: unknown;
}

const operationsMax = 1000;
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** @throws ScimError invalidSyntax, invalidPath */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = readObject(body).get('operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > operationsMax) {
    throw new ScimError(400, `Operations must be a list of 1 to ${operationsMax}`, 'invalidSyntax');
  }
  return operations.map((each, index) => {
    const operation = readObject(each, `Operations[${index}]`);
    const op = String(operation.get('op')).toLowerCase();
    if (op !== 'add' && op !== 'remove' && op !== 'replace') {
      throw new ScimError(400, `Operations[${index}].op must be add, remove or replace`, 'invalidSyntax');
    }
    const path = operation.get('path');
    if (path !== undefined && path !== null && (typeof path !== 'string' || path === '' || path.length > 1000)) {
      throw new ScimError(400, `Operations[${index}].path must be the path of an attribute`, 'invalidPath');
    }
    const rawPath = typeof path === 'string' ? path.trim().replace(coreSchema, '') : '';
    if (rawPath === '' && op === 'remove') {
      throw new ScimError(400, `Operations[${index}].path is missing: what is to be removed?`, 'noTarget');
    }
    return { op, path: rawPath === '' ? undefined : rawPath.toLowerCase(), rawPath, value: operation.get('value') };
  });
}
