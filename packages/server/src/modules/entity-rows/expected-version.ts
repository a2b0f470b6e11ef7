import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { StoredEntity } from './entity.ts';

/** The version a caller relies on; `any` only requires that the entity exists. */
export type ExpectedVersion = number | 'any';

/**
 * Reads `If-Match: "3"` (also weak or bare) or `expectedVersion=3`; the query wins. Undefined if neither was sent.
 * @throws AppError `invalid_request` for an invalid version, which would otherwise overwrite
 */
export function parseExpectedVersion(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  query: { readonly expectedVersion?: string | undefined },
): ExpectedVersion | undefined {
  const header = headers['if-match'];
  const [text, path] =
    query.expectedVersion === undefined
      ? [Array.isArray(header) ? header.join(',') : header, '{header}/if-match']
      : [query.expectedVersion, '{query}/expectedVersion'];
  if (text === undefined || text.trim() === '') return undefined;
  if (text.trim() === '*') return 'any';
  const read = /^\s*(?:W\/)?(?:"(\d{1,15})"|(\d{1,15}))\s*$/.exec(text);
  if (!read) throw invalidRequest([{ path, message: 'must be the version of an entity' }]);
  return Number(read[1] ?? read[2]);
}

/** @throws AppError `stale_version` if the entity has another version */
export function assertVersion(expected: ExpectedVersion | undefined, before: StoredEntity | undefined): void {
  if (expected === undefined || (before && (expected === 'any' || before.version === expected))) return;
  const now = before ? `it is at version ${before.version} now` : 'it does not exist';
  throw new AppError('stale_version', `The entity is not at the version you read: ${now}`, {
    details: before ? { version: before.version } : {},
  });
}

export function entityTag({ version }: Pick<StoredEntity, 'version'>): string {
  return `"${version}"`;
}
