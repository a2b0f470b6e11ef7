import { isRecord } from '@portolan/contract/json-value';
import type { CallInput } from '../../platform/tools/call-decision.ts';
import type { StoredTool } from './tool.store.ts';

/** Larger numbers can stand for something, such as a key or a date of birth. */
const smallMax = 1_000;

/**
 * The arguments of a call as the rule for calls sees them. Closed are those that the approved definition leaves few
 * choices for. A name that it does not declare is a text of whoever calls, and so part of the value.
 */
export function describeArguments(
  { isReadOnly, definition }: Pick<StoredTool, 'isReadOnly' | 'definition'>,
  given: Readonly<Record<string, unknown>>,
): CallInput[] {
  const { properties } = definition.inputSchema as { properties?: unknown };
  const declared = isRecord(properties) ? properties : {};
  return Object.entries(given).map(([key, value]) => {
    // what writes elsewhere has to be asked for with all its values
    if (!isReadOnly) return { key, value, form: 'text' };
    if (!Object.hasOwn(declared, key)) return { key: undeclared, value: { [key]: value }, form: 'text' };
    return { key, value, form: isClosed(declared[key], value) ? 'closed' : 'text' };
  });
}

const undeclared = '(undeclared)';

function isClosed(schema: unknown, value: unknown): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return true;
  if (!isRecord(schema)) return false;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
  return isNumber && typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= smallMax;
}
