import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import { notFound } from '../../../platform/errors.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { organizationMeant } from '../account.store.ts';
import { hashProof, newProof } from '../proof.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { insertAttempt } from './attempt.store.ts';
import { returnPath } from './return-address.ts';
import { getConnection, openSecret } from './set-connection.ts';

/** Time for a sign-in at the provider. */
export const attemptSeconds = 600;

/** The provider's callback address. */
export function redirectUri(publicUrl: string): string {
  return `${publicUrl}/v1/auth/oidc/callback`;
}

export interface SsoStart {
  readonly organization: string | undefined;
  readonly returnTo: string | undefined;
  readonly address: string;
  /** Existing attempt cookie: another tab may be signing in too. */
  readonly cookie: string | undefined;
}

/**
 * Starts a sign-in; returns the provider's address and the attempt cookie. State, nonce and PKCE bind the answer to
 * this attempt, the cookie binds the attempt to the browser.
 * @throws AppError `not_found` without a connection, `invalid_request` for the return address,
 * `sso_provider_unavailable`
 */
export async function startSso(
  deps: SignInDeps,
  { organization, returnTo, address, cookie }: SsoStart,
): Promise<{ readonly location: string; readonly cookie: string }> {
  const { database, ssoAttempts, providers, publicUrl, clock } = deps;
  ssoAttempts.take(address);
  const path = returnPath(returnTo, publicUrl());
  const orgId = await organizationMeant(database, organization);
  if (orgId === undefined) throw notFound('Single sign-on', organization ?? '', 'organization');
  const connection = await getConnection(deps, orgId);
  const { issuer, clientId, scopes } = connection;
  const secret = openSecret(deps, orgId, connection.sealedSecret, createSecretScope());
  const configuration = await providers.configurationOf({ issuer, clientId, secret });
  const browser = /^[\w-]{43}$/.test(cookie ?? '') ? (cookie as string) : newProof();
  const state = `${orgId}.${newProof()}`;
  const attempt = {
    nonce: newProof(),
    verifier: randomPKCECodeVerifier(),
    issuer,
    redirectUri: redirectUri(publicUrl()),
    returnTo: path,
    expiresAt: new Date(clock.now().getTime() + attemptSeconds * 1000),
  };
  await database.transaction((tx) =>
    insertAttempt(tx, { orgId, stateHash: hashProof(state), browserHash: hashProof(browser) }, attempt),
  );
  const location = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: attempt.redirectUri,
    scope: scopes.join(' '),
    state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, cookie: browser };
}
