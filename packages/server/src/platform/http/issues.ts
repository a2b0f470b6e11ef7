import type { Issue } from '@portolan/contract/errors';
import type { z } from 'zod';

/**
 * Every issue of a failed parse with a JSON pointer into what was parsed; `prefix` says which part of the request. What
 * was parsed tells whether a value is wrong or missing: issues do not hold it, and their texts are those of the schema.
 */
export function toIssues(error: z.core.$ZodError, input: unknown, prefix = ''): Issue[] {
  return error.issues.flatMap((issue) => expand(issue, input, prefix));
}

function expand(issue: z.core.$ZodIssue, input: unknown, prefix: string): Issue[] {
  const path = prefix + pointer(issue.path);
  const value = valueAt(input, issue.path);
  if (value === undefined && saysWrongValue(issue)) return [{ path, message: 'is required' }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: path + pointer([key]), message: 'is not a known field' }));
    case 'invalid_type':
      return [{ path, message: `must be ${article(issue.expected)}` }];
    case 'invalid_key':
      return issue.issues.map((inner) => ({ path, message: `key ${inner.message}` }));
    case 'invalid_union':
      return unionIssues(issue, value, path);
    default:
      return [{ path, message: issue.message }];
  }
}

/** Whether the value itself is refused; what a rule over several values says of a missing one is told as it is. */
function saysWrongValue({ code }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function unionIssues(issue: z.core.$ZodIssueInvalidUnion, value: unknown, path: string): Issue[] {
  if ('discriminator' in issue && issue.discriminator) {
    const isTold = issue.message !== 'Invalid input';
    return [{ path, message: isTold ? issue.message : `has no known ${String(issue.discriminator)}` }];
  }
  const expected = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [article(first.expected)] : [],
  );
  const [nearest] = issue.errors.filter((branch) => branch.every((inner) => inner.path.length > 0));
  if (nearest && expected.length === 0) return nearest.flatMap((inner) => expand(inner, value, path));
  return [{ path, message: expected.length > 0 ? `must be ${[...new Set(expected)].join(' or ')}` : 'is not valid' }];
}

function article(type: string): string {
  return type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** The JSON pointer of a path (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
