import type { Actor } from '../../../platform/actor.ts';
import type { Authority } from '../../../platform/authority.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import { permitToken, toRoles } from '../../accounts/index.ts';
import { newSecretId } from '../secret-hash.ts';
import type { Tokens } from '../tokens.ts';
import {
  type ApiTokenRow,
  insertApiToken,
  listApiTokenRows,
  lockCredential,
  lockUser,
  retireExpiredTokens,
  type TokenOwner,
} from './api-token.store.ts';
import { presentToken, recordedToken } from './present-token.ts';
import { tokenOwner } from './token-owner.ts';

const dayMs = 24 * 60 * 60 * 1000;
const daysDefault = 30;
const daysMax = 366;
const tokensMax = 50;

export interface ApiTokenDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly tokens: Tokens;
}

export interface TokenRequest {
  readonly name: string;
  readonly expiresAt?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Makes an API token with at most the authority of the request's own token. The token is only in this answer. @throws
 * AppError `invalid_request`, `insufficient_scope`, `identifier_taken`, `limit_reached`
 */
export async function createApiToken({ unitOfWork, clock, tokens }: ApiTokenDeps, actor: Actor, request: TokenRequest) {
  const expiresAt = resolveExpiry(request.expiresAt, clock.now());
  // `*` from a restricted token means its own scopes
  const scopes = request.scopes?.includes('*') ? undefined : request.scopes;
  const id = newId('tok_');
  const secretId = newSecretId();
  const { orgId } = actor;
  const issuedAt = clock.now();
  const claims = { kind: 'api-token', id, orgId, secretId, isMachine: actor.userId === undefined } as const;
  const accessToken = await tokens.sign(claims, issuedAt, expiresAt);
  const hint = accessToken.slice(-4);
  const token = await refuseTaken(request.name, () =>
    unitOfWork(actor, async (work) => {
      const { owner, authority } = await holdOwner(work);
      await retireExpiredTokens(work.tx, orgId, owner, work.now);
      const others = await listApiTokenRows(work.tx, orgId, tokenOwner(actor), work.now);
      if (others.length >= tokensMax) {
        throw new AppError('limit_reached', `There may be ${tokensMax} tokens; revoke one that is not used any more`);
      }
      const { name } = request;
      const createdAt = work.now;
      const made = { orgId, id, owner, name, scopes, hint, secretId, createdAt, expiresAt };
      await insertApiToken(work.tx, permitToken(actor, made, authority, scopes));
      const row: ApiTokenRow = {
        id,
        name,
        owner: actor.id,
        userKey: owner.userKey,
        scopes: scopes ?? null,
        hint,
        secretId,
        previousUntil: null,
        createdAt,
        expiresAt,
        lastUsedAt: null,
      };
      work.record({
        event: 'token.created',
        action: 'CREATE',
        resourceType: 'token',
        identifier: id,
        context: {},
        after: recordedToken(row),
      });
      return row;
    }),
  );
  return issuedAnswer(token, accessToken, clock.now());
}

/** The one answer that holds the token. */
export function issuedAnswer(token: ApiTokenRow, accessToken: string, now: Date) {
  const expiresIn = Math.max(0, Math.floor((token.expiresAt.getTime() - now.getTime()) / 1000));
  return { token: presentToken(token, now), accessToken, expiresIn, tokenType: 'Bearer' as const };
}

/** Whole seconds, like `exp` of the token. */
function resolveExpiry(asked: string | undefined, now: Date): Date {
  const latestMs = now.getTime() + daysMax * dayMs;
  const atMs = asked === undefined ? now.getTime() + daysDefault * dayMs : Date.parse(asked);
  const whole = Math.floor(atMs / 1000) * 1000;
  if (whole <= now.getTime()) throw invalidRequest([{ path: '/expiresAt', message: 'must be in the future' }]);
  if (whole > latestMs) {
    throw invalidRequest([{ path: '/expiresAt', message: `must be at most ${daysMax} days from now` }]);
  }
  return new Date(whole);
}

/** The caller as owner with its authority, locked so that the count stays right; throws if removed meanwhile. */
export async function holdOwner({
  tx,
  actor,
}: Work): Promise<{ readonly owner: TokenOwner; readonly authority: Omit<Authority, 'scopes'> }> {
  if (actor.userId === undefined) {
    const credential = await lockCredential(tx, actor.orgId, actor.id);
    if (!credential) throw new AppError('unauthorized', 'The credential was revoked');
    return { owner: { userKey: null, clientId: actor.id }, authority: { roles: [credential.role], teamKeys: [] } };
  }
  const user = await lockUser(tx, actor.orgId, actor.userId);
  if (!user) throw new AppError('unauthorized', 'The user of the token is gone');
  const { key, role, moderatedBlueprints, teamKeys } = user;
  return {
    owner: { userKey: key, clientId: null },
    authority: { roles: toRoles(role, moderatedBlueprints), teamKeys },
  };
}

async function refuseTaken<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'api_tokens_name') {
      throw new AppError('identifier_taken', `You have a token named "${name}" already; the name is taken`, {
        cause: error,
      });
    }
    throw error;
  }
}
