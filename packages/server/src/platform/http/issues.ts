import type { Issue } from '@portolan/contract/errors';
import type { z } from 'zod';

/** Every issue of a failed parse with a JSON pointer into what was parsed; `prefix` says which part of the request. */
export function toIssues(error: z.core.$ZodError, prefix = ''): Issue[] {
  return error.issues.flatMap((issue) => expand(issue, prefix));
}

function expand(issue: z.core.$ZodIssue, prefix: string): Issue[] {
  const path = prefix + pointer(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: path + pointer([key]), message: 'is not a known field' }));
    case 'invalid_type':
      return [{ path, message: issue.input === undefined ? requiredOr(issue) : `must be ${article(issue.expected)}` }];
    case 'invalid_key':
      return issue.issues.map((inner) => ({ path, message: `key ${inner.message}` }));
    case 'invalid_union':
      return unionIssues(issue, path);
    default:
      return [{ path, message: issue.message }];
  }
}

/** zod leaves `input` out of issues; only its message tells whether the value was there. */
function requiredOr(issue: z.core.$ZodIssueInvalidType): string {
  return issue.message.includes('received undefined') ? 'is required' : `must be ${article(issue.expected)}`;
}

function unionIssues(issue: z.core.$ZodIssueInvalidUnion, path: string): Issue[] {
  if ('discriminator' in issue && issue.discriminator) {
    const isTold = issue.message !== 'Invalid input';
    return [{ path, message: isTold ? issue.message : `has no known ${String(issue.discriminator)}` }];
  }
  const expected = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [article(first.expected)] : []));
  const [nearest] = issue.errors.filter((branch) => branch.every((inner) => inner.path.length > 0));
  if (nearest && expected.length === 0) return nearest.flatMap((inner) => expand(inner, path));
  return [{ path, message: expected.length > 0 ? `must be ${[...new Set(expected)].join(' or ')}` : 'is not valid' }];
}

function article(type: string): string {
  return type === 'null' ? 'null' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** The JSON pointer of a path (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
