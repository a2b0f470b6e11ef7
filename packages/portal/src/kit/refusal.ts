import { ApiError } from '@portolan/contract/client';
import { isRecord } from '@portolan/contract/json-value';

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The server's issues, each with its path. */
export function readIssues(error: unknown): readonly Issue[] {
  const details = error instanceof ApiError ? error.body?.details : undefined;
  return Array.isArray(details) ? details.filter(isIssue) : [];
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}

/** Splits an issue's path. A path from schema validation has no leading `/`; both forms mean the same place. */
export function pathSegments(path: string): readonly string[] {
  const plain = path.replace(/^\//, '').replace(/^body[./]/, '');
  return plain.split(plain.includes('/') ? '/' : '.');
}

/** The issues at a place of the draft or below it, as one text; undefined if there is none. */
export function issueAt(issues: readonly Issue[], ...place: readonly string[]): string | undefined {
  const met = issues.filter(({ path }) => {
    const segments = pathSegments(path);
    return place.every((segment, index) => segments[index] === segment);
  });
  return met.length === 0 ? undefined : met.map(({ message }) => message).join('; ');
}
