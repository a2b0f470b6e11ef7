import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import { type Credential, findCredential } from './credential.store.ts';
import { isChosenSecret, isGeneratedSecret } from './secret-hash.ts';
import { type Tokens, tokenSeconds } from './tokens.ts';

export interface IssueTokenDeps {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly attempts: AttemptLimits;
}

export interface Attempt {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly address: string;
}

/**
 * Exchanges a client id and secret for a token.
 * @throws AppError `unauthorized`, in the same words and time for an unknown id and a wrong secret;
 * `too_many_requests` after many of either, never for a generated secret that is right
 */
export async function issueToken({ database, tokens, clock, attempts }: IssueTokenDeps, attempt: Attempt) {
  const now = clock.now();
  const credential = await findCredential(database, attempt.clientId, now);
  const candidate = credential && candidateOf(credential, attempt.clientSecret);
  if (!isGeneratedSecret(candidate?.hash, attempt.clientSecret)) await checkChosen(attempts, candidate?.hash, attempt);
  if (!credential || !candidate) throw wrong();
  const { orgId, clientId, userKey } = credential;
  const claims = {
    kind: 'credential',
    id: clientId,
    orgId,
    secretId: candidate.id,
    isMachine: userKey === null,
  } as const;
  return { accessToken: await tokens.sign(claims, now), expiresIn: tokenSeconds, tokenType: 'Bearer' as const };
}

async function checkChosen(attempts: AttemptLimits, hash: string | undefined, attempt: Attempt): Promise<void> {
  const { clientId, clientSecret, address } = attempt;
  attempts.begin(clientId, address);
  if (!(await isChosenSecret(hash, clientSecret))) throw wrong();
  attempts.succeed(clientId, address);
}

/**
 * The one stored secret that this could be, so that an attempt costs one comparison whether or not a rotation is under
 * way. Secrets that rotation made begin with their id; without an id it can only be the first one, which people chose.
 */
function candidateOf(credential: Credential, secret: string): { readonly id: string; readonly hash: string } {
  const { secretId, secretHash, previousSecretId, previousSecretHash } = credential;
  if (previousSecretId !== null && previousSecretHash !== null && !secret.startsWith(`${secretId}_`)) {
    return { id: previousSecretId, hash: previousSecretHash };
  }
  return { id: secretId, hash: secretHash };
}

function wrong(): AppError {
  return new AppError('unauthorized', 'The client id or secret is wrong');
}
