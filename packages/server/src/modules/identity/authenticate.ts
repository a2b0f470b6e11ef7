import { narrowScopes } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { toRoles } from '../accounts/index.ts';
import { wasRemoved } from '../organizations/index.ts';
import { findTokenStanding } from './api-tokens/api-token.store.ts';
import { findStanding, type Standing, type StandingKey } from './credential.store.ts';
import type { LastUsed } from './last-used.ts';
import type { TokenKind, Tokens, VerifiedToken } from './tokens.ts';

/** Revoked credentials and disabled accounts are refused on every replica within this time. */
const standingMsMax = 1000;
const rememberedMax = 10_000;

export interface AuthenticateDeps {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly lastUsed: LastUsed;
  readonly limitByMapping: LimitByMapping;
}

/** Limits an integration to the authority of its mapping's author. */
export type LimitByMapping = (reader: Reader, actor: Actor) => Promise<Actor>;

export type Authenticate = (authorization: string | undefined, userAgent: string | undefined) => Promise<Actor>;

const never = Number.NEGATIVE_INFINITY;

interface RememberedToken {
  readonly token: VerifiedToken;
  standing: Standing | undefined;
  checkedAtMs: number;
  /** The actor of the last request; most clients send the same headers again. */
  last: { readonly standing: Standing; readonly userAgent: string | undefined; readonly actor: Actor } | undefined;
}

/** How the standing of each kind of token is read; new kinds get the same limit of a second. */
const standingOf: Record<TokenKind, (reader: Reader, key: StandingKey, now: Date) => Promise<Standing | undefined>> = {
  credential: findStanding,
  'api-token': findTokenStanding,
};

/**
 * Builds the `Actor` of a request from `Bearer x`, `bearer x` or bare `x`. The signature is checked once per token,
 * expiry on every request, and the standing at most a second ago.
 * @throws AppError `unauthorized`
 */
export function createAuthenticate({
  database,
  tokens,
  clock,
  lastUsed,
  limitByMapping,
}: AuthenticateDeps): Authenticate {
  const remembered = createGrowingCache<RememberedToken>(rememberedMax);

  async function recall(token: string, now: Date): Promise<RememberedToken | undefined> {
    const known = remembered.get(token);
    if (known) return known;
    const verified = await tokens.verify(token, now);
    if (!verified) return undefined;
    const entry: RememberedToken = { token: verified, standing: undefined, checkedAtMs: never, last: undefined };
    remembered.set(token, entry);
    return entry;
  }

  return async (authorization, userAgent) => {
    const token = parseBearerToken(authorization);
    if (!token) throw unauthorized('Send a token in the Authorization header');
    const now = clock.now();
    const entry = await recall(token, now);
    if (!entry || entry.token.expiresAtMs <= now.getTime()) {
      throw unauthorized('The token is not valid or has expired');
    }
    if (!isFresh(entry, now)) {
      entry.standing = await standingOf[entry.token.kind](database, entry.token, now);
      entry.checkedAtMs = now.getTime();
    }
    const { standing } = entry;
    if (!standing) await assertNotRemoved(database, entry.token.orgId);
    if (!standing || standing.userStatus === 'Disabled') throw unauthorized('The credential was revoked');
    lastUsed.note(entry.token, now);
    if (entry.last?.standing !== standing || entry.last.userAgent !== userAgent) {
      const actor = await limitByMapping(database, toActor(entry.token, standing, userAgent, 'API'));
      entry.last = { standing, userAgent, actor };
    }
    return entry.last.actor;
  };
}

/** Whoever comes to an organization that was removed is told so. @throws AppError `unauthorized` */
export async function assertNotRemoved(reader: Reader, orgId: string): Promise<void> {
  if (await wasRemoved(reader, orgId)) throw unauthorized('This organization was removed; sign in to your own');
}

/**
 * A clock that was set back must not extend the second. While the model is about to change nothing is cached, so that
 * every request after the change sees it.
 */
export function isFresh(
  { checkedAtMs, standing }: { readonly checkedAtMs: number; readonly standing?: Standing | undefined },
  now: Date,
): boolean {
  if (standing?.migrationPhase === 'flipping') return false;
  const ageMs = now.getTime() - checkedAtMs;
  return ageMs >= 0 && ageMs < standingMsMax;
}

/** The one place where roles, teams and restrictions become an `Actor`. */
export function toActor(
  token: Pick<VerifiedToken, 'orgId' | 'id'>,
  standing: Standing,
  userAgent: string | undefined,
  origin: 'API' | 'UI',
): Actor {
  const { userId, clientId, scopes, ownerScopes, boundTo, role, userRole, moderatedBlueprints } = standing;
  const narrowed = narrowScopes(scopes ?? undefined, ownerScopes ?? undefined);
  return {
    orgId: token.orgId,
    model: standing.model,
    kind: userId ? 'person' : 'machine',
    id: userId ?? clientId ?? token.id,
    ...(userId ? { userId } : {}),
    // a person's credentials have the person's current role, the organization's have their own
    roles: toRoles((userId ? userRole : role) ?? 'Member', moderatedBlueprints ?? []),
    teamKeys: standing.teamKeys,
    credentialId: token.id,
    ...(narrowed ? { scopes: narrowed } : {}),
    ...(boundTo === null ? {} : { boundTo }),
    datasource: (userAgent ?? '').slice(0, 1000),
    origin,
  };
}

function parseBearerToken(authorization: string | undefined): string | undefined {
  const token = authorization?.replace(/^bearer\s+/i, '').trim();
  return token && token.length <= 8_192 ? token : undefined;
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message);
}
