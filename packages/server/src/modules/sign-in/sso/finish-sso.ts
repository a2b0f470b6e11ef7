import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import { AppError } from '../../../platform/errors.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { hashProof } from '../proof.ts';
import type { Browser } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { provisionUser } from './admit-person.ts';
import { type SsoAttempt, takeAttempt } from './attempt.store.ts';
import type { Claims } from './claims.ts';
import { type Connection, findConnection } from './connection.store.ts';
import { failureIn, unavailable } from './providers.ts';
import { openSecret } from './set-connection.ts';

export interface SsoReturn {
  readonly state: string | undefined;
  /** Unparsed, for the checks of the protocol. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookie: string | undefined;
  readonly browser: Browser;
}

/**
 * Completes a sign-in. The attempt is deleted first, so an answer cannot be replayed; then the code is exchanged and
 * the answer checked (state, nonce, PKCE, issuer, audience, signature, expiry).
 * @throws AppError `sign_in_refused`, `sso_provider_unavailable`, `user_limit_reached`, `too_many_requests`
 */
export async function finishSso(
  deps: SignInDeps,
  { state, query, cookie, browser }: SsoReturn,
): Promise<{ readonly location: string; readonly cookie: string }> {
  const { database, ssoAttempts, clock } = deps;
  ssoAttempts.take(browser.address);
  const [, orgId] = /^(org_\w{1,40})\.[\w-]{43}$/.exec(state ?? '') ?? [];
  if (!orgId || !state || !cookie) throw unknownAttempt();
  const key = { orgId, stateHash: hashProof(state), browserHash: hashProof(cookie) };
  const attempt = await database.transaction((tx) => takeAttempt(tx, key));
  if (!attempt || attempt.expiresAt <= clock.now()) throw unknownAttempt();
  const connection = await findConnection(database, orgId);
  if (connection?.issuer !== attempt.issuer) throw unknownAttempt();
  const claims = await exchange(deps, orgId, connection, attempt, state, query);
  const session = await provisionUser(deps, orgId, connection, claims, browser);
  return { location: attempt.returnTo, cookie: session };
}

async function exchange(
  deps: SignInDeps,
  orgId: string,
  connection: Connection,
  { nonce, verifier, redirectUri }: SsoAttempt,
  state: string,
  query: SsoReturn['query'],
): Promise<Claims> {
  const { issuer, clientId } = connection;
  const secret = openSecret(deps, orgId, connection.sealedSecret, createSecretScope());
  const configuration = await deps.providers.configurationOf({ issuer, clientId, secret });
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each));
  }
  try {
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('there is no id token');
    return await completed(configuration, connection, claims, tokens.access_token);
  } catch (error) {
    if (failureIn(error)) throw unavailable(error);
    deps.log.warn({ orgId, err: error }, 'an answer of the identity provider was refused');
    throw new AppError('sign_in_refused', 'The answer of the identity provider could not be accepted; sign in again', {
      cause: error,
    });
  }
}

/** Asks the userinfo endpoint for claims missing in the id token. */
async function completed(
  configuration: Configuration,
  { groupsClaim }: Connection,
  claims: Claims,
  accessToken: string,
): Promise<Claims> {
  const isWhole = 'email' in claims && groupsClaim in claims;
  if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await fetchUserInfo(configuration, accessToken, claims.sub);
  return { ...info, ...claims };
}

function unknownAttempt(): AppError {
  return new AppError(
    'sign_in_refused',
    'This sign-in is not known in this browser, was used already, or took too long; sign in again',
  );
}
