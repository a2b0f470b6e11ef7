import { isRecord } from '@portolan/contract/json-value';

/** The values of a JSON text, one a line; a text that is none, such as one that was cut, stays as it is. */
export function joinTexts(content: string): string {
  try {
    return leavesOf(JSON.parse(content)).join('\n');
  } catch {
    return content;
  }
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isRecord(value)) return Object.values(value).flatMap(leavesOf);
  return value === null ? [] : [String(value)];
}
