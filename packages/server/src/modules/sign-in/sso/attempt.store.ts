import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../../platform/db/row.ts';

const ssoAttempt = row(
  fields('sso_attempts', 'nonce', 'verifier', 'issuer', 'redirect_uri', 'return_to', 'expires_at'),
);

/** A sign-in on its way through the provider. */
export type SsoAttempt = RowOf<typeof ssoAttempt>;

interface AttemptKey {
  readonly orgId: string;
  readonly stateHash: string;
  /** Hash of a secret that only the starting browser has. */
  readonly browserHash: string;
}

export async function insertAttempt(
  tx: Tx,
  { orgId, stateHash, browserHash }: AttemptKey,
  attempt: SsoAttempt,
): Promise<void> {
  await tx.execute(sql`
    insert into sso_attempts (org_id, state_hash, browser_hash, nonce, verifier, issuer, redirect_uri, return_to,
      expires_at)
    values (${orgId}, ${stateHash}, ${browserHash}, ${attempt.nonce}, ${attempt.verifier}, ${attempt.issuer},
      ${attempt.redirectUri}, ${attempt.returnTo}, ${attempt.expiresAt})`);
}

/** Deletes and returns an attempt: each is used once, by the browser that started it. */
export function takeAttempt(tx: Tx, { orgId, stateHash, browserHash }: AttemptKey): Promise<SsoAttempt | undefined> {
  return tx.first(ssoAttempt.sql`
    delete from sso_attempts
    where org_id = ${orgId} and state_hash = ${stateHash} and browser_hash = ${browserHash}
    returning nonce, verifier, issuer, redirect_uri as "redirectUri", return_to as "returnTo",
      expires_at as "expiresAt"`);
}
