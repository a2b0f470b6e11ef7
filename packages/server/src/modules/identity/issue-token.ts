import { createHash } from 'node:crypto';
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

export type IssueToken = (attempt: Attempt) => Promise<{ accessToken: string; expiresIn: number; tokenType: 'Bearer' }>;

/**
 * Exchanges a client id and secret for a token.
 * @throws AppError `unauthorized`, with the same words and time for an unknown id and a wrong secret;
 * `too_many_requests` after many of either, never for a correct generated secret
 */
export function createIssueToken(deps: IssueTokenDeps): IssueToken {
  const checks: Checks = new Map();
  return (attempt) => issueToken(deps, checks, attempt);
}

async function issueToken({ database, tokens, clock, attempts }: IssueTokenDeps, checks: Checks, attempt: Attempt) {
  const now = clock.now();
  const credential = await findCredential(database, attempt.clientId, now);
  const candidate = credential && toCandidate(credential, attempt.clientSecret);
  const isRight =
    isGeneratedSecret(candidate?.hash, attempt.clientSecret) ||
    (await isRightChosen(attempts, checks, candidate?.hash, attempt));
  if (!credential || !candidate || !isRight) throw wrong();
  const { orgId, clientId, userKey, userType } = credential;
  const claims = {
    kind: 'credential',
    id: clientId,
    orgId,
    secretId: candidate.id,
    isMachine: userKey === null || userType === 'Service Account',
  } as const;
  return { accessToken: await tokens.sign(claims, now), expiresIn: tokenSeconds, tokenType: 'Bearer' as const };
}

type Checks = Map<string, Promise<boolean>>;

/** Concurrent attempts with the same secret share one comparison; guesses differ. */
function isRightChosen(
  attempts: AttemptLimits,
  checks: Checks,
  hash: string | undefined,
  attempt: Attempt,
): Promise<boolean> {
  const { clientId, clientSecret, address } = attempt;
  const sent = JSON.stringify([clientId, clientSecret, address, hash]);
  const key = createHash('sha256').update(sent).digest('base64url');
  const underWay = checks.get(key);
  if (underWay) return underWay;
  const check = compare(attempts, hash, attempt).finally(() => checks.delete(key));
  checks.set(key, check);
  return check;
}

async function compare(attempts: AttemptLimits, hash: string | undefined, attempt: Attempt): Promise<boolean> {
  const { clientId, clientSecret, address } = attempt;
  attempts.begin(clientId, address);
  const isRight = await isChosenSecret(hash, clientSecret);
  if (isRight) attempts.succeed(clientId, address);
  return isRight;
}

/**
 * The one stored secret that may match, so that an attempt costs one comparison even during a rotation. Generated
 * secrets begin with their id; others can only be the first one, which a person chose.
 */
function toCandidate(credential: Credential, secret: string): { readonly id: string; readonly hash: string } {
  const { secretId, secretHash, previousSecretId, previousSecretHash } = credential;
  if (previousSecretId !== null && previousSecretHash !== null && !secret.startsWith(`${secretId}_`)) {
    return { id: previousSecretId, hash: previousSecretHash };
  }
  return { id: secretId, hash: secretHash };
}

function wrong(): AppError {
  return new AppError('unauthorized', 'The client id or secret is wrong');
}
