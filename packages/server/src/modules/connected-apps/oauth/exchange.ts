import { createHash, timingSafeEqual } from 'node:crypto';
import { isMcpScope, type McpScope } from '@portolan/contract/mcp-scopes';
import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findUserActor } from '../../accounts/index.ts';
import { isSameProof } from '../../sign-in/index.ts';
import type { ConnectedAppsDeps } from '../connected-apps.deps.ts';
import { endGrant } from '../end-grant.ts';
import {
  type CodeRow,
  findCode,
  findToken,
  insertToken,
  type TokenRow,
  takeCode,
  takeRefreshToken,
} from '../token.store.ts';
import { OauthError } from './oauth-error.ts';
import { newOauthProof, readOauthProof } from './oauth-tokens.ts';
import { hashClientId } from './registrations.ts';
import { isOwnResource, mcpResource } from './resource.ts';

const accessMs = 60 * 60 * 1000;
const refreshMs = 15 * 24 * 60 * 60 * 1000;

/** RFC 6749 §5.1. */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

type Outcome = { readonly issued: IssuedTokens } | { readonly error: OauthError };

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string;
  readonly resources: readonly string[];
}

/**
 * Exchanges a code for tokens. Whatever comes of it, the code is used up; shown a second time, it ends the grant.
 * @throws OauthError `invalid_grant`, `invalid_target`
 */
export async function exchangeCode(deps: ConnectedAppsDeps, asked: CodeExchange): Promise<IssuedTokens> {
  const proof = readOauthProof('code', asked.code);
  const code = proof && (await findCode(deps.database, proof.orgId, proof.id));
  if (!code || !isSameProof(code.secretHash, proof.secret)) throw invalidGrant('The code is not valid');
  return settle(
    await deps.unitOfWork(await findGranter(deps, code), async (work) => {
      if (!(await takeCode(work.tx, code.orgId, code.id, work.now))) {
        await endGrant(work, code.grantId, { message: 'A code was shown twice' });
        return { error: invalidGrant('The code was used before; the app was shut out') };
      }
      const problem = codeProblem(deps, code, asked, work.now);
      return problem
        ? { error: problem }
        : { issued: await issue(work, code, code.scopes, code.scopes, code.grantEndsAt) };
    }),
  );
}

function codeProblem(deps: ConnectedAppsDeps, code: CodeRow, asked: CodeExchange, now: Date): OauthError | undefined {
  if (code.expiresAt <= now) return invalidGrant('The code has expired');
  if (code.clientHash !== hashClientId(asked.clientId)) return invalidGrant('The code was given to another client');
  // OAuth 2.1 leaves it out here; who sends it must send the right one
  if (asked.redirectUri !== undefined && asked.redirectUri !== code.redirectUri) {
    return invalidGrant('redirect_uri is not the one of the authorization');
  }
  if (!isVerified(code.challenge, asked.verifier)) return invalidGrant('code_verifier does not fit code_challenge');
  return grantProblem(deps, code, asked.resources, now);
}

export interface RefreshExchange {
  readonly refreshToken: string;
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly resources: readonly string[];
}

/**
 * Exchanges a refresh token for new tokens, a new refresh token among them. Shown a second time, it ends the grant: one of
 * two who have it is not the app, and nobody can tell which.
 * @throws OauthError `invalid_grant`, `invalid_scope`, `invalid_target`
 */
export async function exchangeRefreshToken(deps: ConnectedAppsDeps, asked: RefreshExchange): Promise<IssuedTokens> {
  const proof = readOauthProof('refresh', asked.refreshToken);
  const token = proof && (await findToken(deps.database, proof.orgId, proof.id));
  if (!proof || token?.kind !== 'refresh' || !isSameProof(token.secretHash, proof.secret)) {
    throw invalidGrant('The refresh token is not valid');
  }
  if (token.clientHash !== hashClientId(asked.clientId)) {
    throw invalidGrant('The refresh token was given to another client');
  }
  const scopes = narrowed(token, asked.scope);
  return settle(
    await deps.unitOfWork(await findGranter(deps, token), async (work) => {
      const problem =
        token.expiresAt <= work.now
          ? invalidGrant('The refresh token has expired')
          : grantProblem(deps, token, asked.resources, work.now);
      if (problem) return { error: problem };
      if (!(await takeRefreshToken(work.tx, token.orgId, token.id, work.now))) {
        await endGrant(work, token.grantId, { message: 'A refresh token was shown twice' });
        return { error: invalidGrant('The refresh token was used before; the app was shut out') };
      }
      return { issued: await issue(work, token, scopes, token.scopes, token.chainEndsAt) };
    }),
  );
}

/** @throws OauthError `invalid_scope` for more than the token has */
function narrowed({ scopes }: TokenRow, asked: string | undefined): readonly McpScope[] {
  if (asked === undefined) return scopes;
  const wanted = [...new Set(asked.split(' ').filter(isMcpScope))];
  if (wanted.length === 0 || !wanted.every((scope) => scopes.includes(scope))) {
    throw new OauthError('invalid_scope', 'More than the app was allowed; send the person to /oauth/authorize');
  }
  return wanted;
}

type Granted = Pick<
  CodeRow,
  'orgId' | 'grantId' | 'grantScopes' | 'grantEndsAt' | 'resource' | 'user' | 'userStatus' | 'model'
>;

function grantProblem(
  { publicUrl }: ConnectedAppsDeps,
  { userStatus, grantEndsAt, resource }: Granted,
  resources: readonly string[],
  now: Date,
): OauthError | undefined {
  if (userStatus === 'Disabled') return invalidGrant('The user is disabled');
  if (grantEndsAt <= now) return invalidGrant('What the person allowed has ended');
  if (resource !== mcpResource(publicUrl())) return invalidGrant('It was given for another address');
  if (resources.every((each) => isOwnResource(each, publicUrl()))) return undefined;
  return new OauthError('invalid_target', 'resource must be the MCP endpoint of this server');
}

async function issue(
  { tx, now }: Work,
  { orgId, grantId, grantScopes, grantEndsAt }: Granted,
  scopes: readonly McpScope[],
  kept: readonly McpScope[],
  chainEndsAt: Date,
): Promise<IssuedTokens> {
  const [access, refresh] = [newOauthProof('access', orgId), newOauthProof('refresh', orgId)];
  const endsAt = earliest(chainEndsAt, grantEndsAt);
  const shared = { orgId, grantId, chainEndsAt: endsAt };
  const accessEndsAt = earliest(new Date(now.getTime() + accessMs), endsAt);
  const { id, secretHash } = access;
  await insertToken(tx, { ...shared, id, secretHash, kind: 'access', scopes, expiresAt: accessEndsAt });
  const expiresAt = earliest(new Date(now.getTime() + refreshMs), endsAt);
  const { id: refreshId, secretHash: refreshHash } = refresh;
  await insertToken(tx, {
    ...shared,
    id: refreshId,
    secretHash: refreshHash,
    kind: 'refresh',
    scopes: kept,
    expiresAt,
  });
  return {
    access_token: access.text,
    token_type: 'Bearer',
    expires_in: Math.floor((accessEndsAt.getTime() - now.getTime()) / 1000),
    refresh_token: refresh.text,
    scope: scopes.filter((scope) => grantScopes.includes(scope)).join(' '),
  };
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/** RFC 7636 §4.6, with S256 alone. */
function isVerified(challenge: string, verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const [expected, given] = [
    Buffer.from(challenge),
    Buffer.from(createHash('sha256').update(verifier).digest('base64url')),
  ];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Refusals are answers of the unit of work, so that what they used up or ended stays so. */
function settle(outcome: Outcome): IssuedTokens {
  if ('error' in outcome) throw outcome.error;
  return outcome.issued;
}

/** The person as they are now, in whose name the journal notes it. @throws OauthError `invalid_grant` */
export async function findGranter({ database }: ConnectedAppsDeps, { orgId, model, user }: Granter): Promise<Actor> {
  const found = await findUserActor(database, { orgId, model }, user);
  if (!found) throw invalidGrant('The user is gone');
  return found.actor;
}

type Granter = Pick<Granted, 'orgId' | 'model' | 'user'>;

function invalidGrant(description: string): OauthError {
  return new OauthError('invalid_grant', description);
}
