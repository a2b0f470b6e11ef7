import { ApiError } from '../../api/api.ts';
import { type Issue, isObject } from './blueprint-draft.ts';

/** What the server found wrong, each with its path. */
export function issuesOf(error: unknown): readonly Issue[] {
  const details = error instanceof ApiError ? error.body?.details : undefined;
  return Array.isArray(details) ? details.filter(isIssue) : [];
}

function isIssue(value: unknown): value is Issue {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}
