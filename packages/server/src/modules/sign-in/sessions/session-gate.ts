import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import type { BrowserSession } from '../../../platform/http/browser-session.ts';
import { assertNotRemoved, isFresh, toActor } from '../../identity/index.ts';
import { type Cookies, readCookie } from '../cookies.ts';
import { isSameProof, type ProofParts, readProof } from '../proof.ts';
import { findSessionStanding, type SessionStanding, touchSession } from './session.store.ts';
import { idleMs } from './session-times.ts';

const rememberedMax = 10_000;
const touchMs = 60_000;

interface RememberedSession {
  standing: SessionStanding | undefined;
  checkedAtMs: number;
  touchedAtMs: number;
}

export interface SessionGateDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly cookies: Cookies;
}

export type SessionGate = (cookies: string, userAgent: string | undefined) => Promise<BrowserSession | undefined>;

/**
 * Builds the actor from the session cookie; undefined without one. Standings are cached for a second, as for tokens,
 * so every replica refuses a revoked session or a disabled user within a second.
 */
export function createSessionGate({ database, clock, cookies }: SessionGateDeps): SessionGate {
  const remembered = createGrowingCache<RememberedSession>(rememberedMax);

  async function readStanding(cookie: string, proof: ProofParts, now: Date): Promise<SessionStanding> {
    const entry = remembered.get(cookie) ?? { standing: undefined, checkedAtMs: -Infinity, touchedAtMs: -Infinity };
    if (!isFresh(entry, now)) {
      entry.standing = await findSessionStanding(database, proof.orgId, proof.id);
      entry.checkedAtMs = now.getTime();
    }
    const { standing } = entry;
    if (!standing) await assertNotRemoved(database, proof.orgId);
    if (!standing || !isSameProof(standing.secretHash, proof.secret) || !isLiving(standing, now)) throw ended();
    // only valid cookies are cached, so guesses cannot fill the memory
    remembered.set(cookie, entry);
    await touch(entry, standing, proof, now);
    return standing;
  }

  async function touch(
    entry: RememberedSession,
    standing: SessionStanding,
    proof: ProofParts,
    now: Date,
  ): Promise<void> {
    const seenAtMs = Math.max(entry.touchedAtMs, standing.lastSeenAt.getTime());
    if (now.getTime() - seenAtMs < touchMs) return;
    entry.touchedAtMs = now.getTime();
    await touchSession(database, proof.orgId, proof.id, now);
    // a concurrent request must not find it idle
    entry.checkedAtMs = Number.NEGATIVE_INFINITY;
  }

  return async (header, userAgent) => {
    const cookie = readCookie(header, cookies.session);
    if (cookie === undefined) return undefined;
    const proof = readProof(cookie);
    if (!proof) throw ended();
    const standing = await readStanding(cookie, proof, clock.now());
    return { actor: toActor(proof, standing, userAgent, 'UI'), csrfToken: deriveCsrfToken(cookie) };
  };
}

/** Derived from the cookie, which scripts cannot read, and does not reveal it. */
export function deriveCsrfToken(cookie: string): string {
  return createHash('sha256').update(`portolan csrf ${cookie}`).digest('base64url');
}

function isLiving({ expiresAt, lastSeenAt, userStatus }: SessionStanding, now: Date): boolean {
  return expiresAt > now && now.getTime() - lastSeenAt.getTime() < idleMs && userStatus !== 'Disabled';
}

function ended(): AppError {
  return new AppError('unauthorized', 'The session has ended; sign in again');
}
