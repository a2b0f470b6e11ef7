import { createHash } from 'node:crypto';
import { invalidRequest } from '../../../platform/errors.ts';

const charactersMax = 255;

/** @throws AppError `invalid_request` for a key that is too long; `what` begins its sentence */
export function assertKeyFits(key: string | undefined, what: string): void {
  if (key === undefined || key.length <= charactersMax) return;
  throw invalidRequest(
    [{ path: '{headers}/idempotency-key', message: `is longer than ${charactersMax} characters` }],
    what,
  );
}

/** What a repeated request has to equal to be the same one. */
export function hashRequest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
