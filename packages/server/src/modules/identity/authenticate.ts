import { LRUCache } from 'lru-cache';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { findStanding, type Standing } from './credential.store.ts';
import type { Tokens, VerifiedToken } from './tokens.ts';

/** A revoked credential or disabled account is refused within this time on every replica. */
const standingMsMax = 1000;
const rememberedMax = 10_000;

export interface AuthenticateDeps {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

export type Authenticate = (authorization: string | undefined, userAgent: string | undefined) => Promise<Actor>;

interface Remembered {
  readonly token: VerifiedToken;
  standing: Standing | undefined;
  checkedAtMs: number;
}

/**
 * Builds the `Actor` of a request from `Bearer x`, `bearer x` or bare `x`. The signature of a token is checked once,
 * its expiry on every request, and the standing of its credential at most a second ago.
 * @throws AppError `unauthorized`
 */
export function createAuthenticate({ database, tokens, clock }: AuthenticateDeps): Authenticate {
  const remembered = new LRUCache<string, Remembered>({ max: rememberedMax });

  async function recall(token: string): Promise<Remembered | undefined> {
    const known = remembered.get(token);
    if (known) return known;
    const verified = await tokens.verify(token, clock.now());
    if (!verified) return undefined;
    const entry: Remembered = { token: verified, standing: undefined, checkedAtMs: Number.NEGATIVE_INFINITY };
    remembered.set(token, entry);
    return entry;
  }

  return async (authorization, userAgent) => {
    const token = tokenOf(authorization);
    if (!token) throw unauthorized('Send a token in the Authorization header');
    const entry = await recall(token);
    const nowMs = clock.now().getTime();
    if (!entry || entry.token.expiresAtMs <= nowMs) throw unauthorized('The token is not valid or has expired');
    if (nowMs - entry.checkedAtMs >= standingMsMax) {
      entry.standing = await findStanding(database, entry.token.orgId, entry.token.clientId);
      entry.checkedAtMs = nowMs;
    }
    const { standing } = entry;
    if (!standing || standing.userStatus === 'Disabled') throw unauthorized('The credential was revoked');
    return actorOf(entry.token, standing, userAgent);
  };
}

function actorOf(token: VerifiedToken, standing: Standing, userAgent: string | undefined): Actor {
  return {
    orgId: token.orgId,
    model: standing.model,
    kind: standing.userId ? 'person' : 'machine',
    id: standing.userId ?? token.clientId,
    ...(standing.userId ? { userId: standing.userId } : {}),
    roles: [standing.role, ...(standing.moderatedBlueprints ?? []).map((blueprint) => `${blueprint}-moderator`)],
    teamKeys: standing.teamKeys,
    datasource: (userAgent ?? '').slice(0, 1000),
    origin: 'API',
  };
}

function tokenOf(authorization: string | undefined): string | undefined {
  const token = authorization?.replace(/^bearer\s+/i, '').trim();
  return token && token.length <= 8_192 ? token : undefined;
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message);
}
