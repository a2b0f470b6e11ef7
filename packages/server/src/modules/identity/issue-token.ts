import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { findCredential } from './credential.store.ts';
import { verifySecret } from './secret-hash.ts';
import { type Tokens, tokenSeconds } from './tokens.ts';

export interface IssueTokenDeps {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

/**
 * Exchanges a client id and secret for a token.
 * @throws AppError `unauthorized`, in the same words and time for an unknown id and a wrong secret
 */
export async function issueToken(
  { database, tokens, clock }: IssueTokenDeps,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
) {
  const credential = await findCredential(database, clientId);
  if (!(await verifySecret(credential?.secretHash, clientSecret)) || !credential) {
    throw new AppError('unauthorized', 'The client id or secret is wrong');
  }
  const claims = { clientId, orgId: credential.orgId, isMachine: credential.userKey === null };
  return {
    accessToken: await tokens.sign(claims, clock.now()),
    expiresIn: tokenSeconds,
    tokenType: 'Bearer' as const,
  };
}
