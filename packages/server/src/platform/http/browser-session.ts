import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';

/** A browser that is signed in. */
export interface BrowserSession {
  readonly actor: Actor;
  /** Known only to the portal's pages; every change has to send it. */
  readonly csrfToken: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A request with a session comes from a page of the portal: it sends the token of the session, which no other site can
 * read, in a header that no form can send. Reading needs none: other sites cannot see the answer.
 * @throws AppError `csrf_token_invalid`
 */
export function requireOwnPage(method: string, headers: Headers, csrfToken: string): void {
  if (reading.has(method)) return;
  refuseForeignPage(headers);
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new AppError(
    'csrf_token_invalid',
    'Send the csrfToken of GET /v1/auth/me as X-CSRF-Token, or a bearer token in place of the cookie',
  );
}

/**
 * `Sec-Fetch-Site` where browsers send it; other clients are covered by the token. For requests without a session, such
 * as signing in, this is the only check.
 * @throws AppError `csrf_token_invalid`
 */
export function refuseForeignPage(headers: Headers): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new AppError(
    'csrf_token_invalid',
    'This is for pages of the portal itself, and the request comes from another site',
  );
}
