import { expect } from 'vitest';
import type { TestApp } from './build-test-app.ts';

/** A browser that is signed in. */
export interface SignedIn {
  /** As a `Cookie` header has it. */
  readonly cookie: string;
  readonly csrf: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly body: any;
}

/** Gives a user a password, as an administrator's link does. */
export async function redeemFor(app: TestApp, email: string, password: string): Promise<void> {
  const made = await app.request('POST', '/v1/auth/password-links', { body: { email } });
  const body = { token: made.body.token, password };
  const done = await app.request('POST', '/v1/auth/password-links/redeem', { token: null, body });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
}

export async function signInAs(
  app: TestApp,
  email: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SignedIn> {
  const body = { email, password, organization: app.organization.id };
  const answer = await app.request('POST', '/v1/auth/sign-in', { token: null, body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { ok: _ok, ...rest } = answer.body;
  return { cookie: readCookie(answer.headers['set-cookie']), csrf: rest.csrfToken, body: rest };
}

/** The pair of a `Set-Cookie` header. */
export function readCookie(header: unknown): string {
  return String(header).split(';')[0] as string;
}
