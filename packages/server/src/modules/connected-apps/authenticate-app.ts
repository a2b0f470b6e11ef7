import { type McpScope, toApiScopes } from '@portolan/contract/mcp-scopes';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { assertNotRemoved, toActor } from '../identity/index.ts';
import { isSameProof } from '../sign-in/index.ts';
import type { ConnectedAppsDeps } from './connected-apps.deps.ts';
import { touchGrant } from './grant.store.ts';
import { bearer, readOauthProof } from './oauth/oauth-tokens.ts';
import { mcpResource } from './oauth/resource.ts';
import { type AppStanding, findAppStanding } from './token.store.ts';

/** A person's app: the person, restricted to what the person allowed it. */
export interface AppCaller {
  readonly actor: Actor;
  readonly scopes: readonly McpScope[];
}

export type AuthenticateApp = (authorization: string | undefined, userAgent: string | undefined) => Promise<AppCaller>;

const touchMs = 60_000;

/**
 * Builds the actor of an app's request. Everything is read with each request: who is shut out, or may do less, is so at
 * once, on every replica.
 */
export function createAuthenticateApp({ database, clock, publicUrl }: ConnectedAppsDeps): AuthenticateApp {
  return async (authorization, userAgent) => {
    const proof = readOauthProof('access', bearer(authorization));
    if (!proof) throw refused('The token is not valid or has expired');
    const now = clock.now();
    const standing = await findAppStanding(database, proof.orgId, proof.id);
    if (!standing) await assertNotRemoved(database, proof.orgId);
    if (!standing || !isSameProof(standing.secretHash, proof.secret)) {
      throw refused('The token is not valid or has expired');
    }
    if (standing.expiresAt <= now || standing.grantEndsAt <= now) throw refused('The token has expired');
    if (standing.resource !== mcpResource(publicUrl())) throw refused('The token was given for another address');
    if (standing.userStatus === 'Disabled') throw refused('The user is disabled');
    const { lastUsedAt, grantId } = standing;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= touchMs) {
      await touchGrant(database, proof.orgId, grantId, now);
    }
    return { actor: restricted(proof.orgId, standing, userAgent), scopes: scopesOf(standing) };
  };
}

function restricted(orgId: string, standing: AppStanding, userAgent: string | undefined): Actor {
  const scopes = toApiScopes(scopesOf(standing));
  const now = { ...standing, scopes, ownerScopes: null, boundTo: null };
  return toActor({ orgId, id: standing.grantId }, now, userAgent, 'API');
}

/** A later decision of the person narrows tokens from before it. */
function scopesOf({ tokenScopes, grantScopes }: AppStanding): McpScope[] {
  return tokenScopes.filter((scope) => grantScopes.includes(scope));
}

function refused(message: string): AppError {
  return new AppError('unauthorized', `${message}. Let the app in again`);
}
