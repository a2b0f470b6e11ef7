import { invalidRequest } from '../../../platform/errors.ts';

/** Where a page ends: at an entity that exists, or at the record of a deletion. */
export type PastPosition =
  | { readonly kind: 'present'; readonly key: number }
  | { readonly kind: 'deleted'; readonly at: Date; readonly key: number };

/** Opaque to callers; the version lets the form change. */
export function writePastCursor(position: PastPosition): string {
  const text = position.kind === 'present' ? `p1:${position.key}` : `d1:${position.at.getTime()}:${position.key}`;
  return Buffer.from(text).toString('base64url');
}

/** @throws AppError `invalid_request` for what is no cursor of the past */
export function readPastCursor(cursor: string): PastPosition {
  const text = Buffer.from(cursor, 'base64url').toString();
  const present = /^p1:(\d{1,15})$/.exec(text);
  if (present) return { kind: 'present', key: Number(present[1]) };
  const deleted = /^d1:(\d{1,15}):(\d{1,16})$/.exec(text);
  const key = Number(deleted?.[2]);
  if (deleted && Number.isSafeInteger(key)) return { kind: 'deleted', at: new Date(Number(deleted[1])), key };
  throw invalidRequest([{ path: '/from', message: 'is not a cursor of this search' }]);
}
