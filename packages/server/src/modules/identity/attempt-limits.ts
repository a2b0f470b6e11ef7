import { isIPv6 } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';

interface Bucket {
  left: number;
  atMs: number;
}

export interface Limit {
  /** Attempts allowed at once. */
  readonly burst: number;
  /** Attempts added per minute. */
  readonly perMinute: number;
}

/** Counts attempts in memory; each replica counts for itself (decision 0023 says why that is enough). */
export interface Limiter {
  /** @throws AppError `too_many_requests` with the seconds until the next attempt */
  take(key: string): void;
  /** Returns an attempt that turned out to be none. */
  giveBack(key: string): void;
}

const bucketsMax = 50_000;

export function createLimiter({ burst, perMinute }: Limit, clock: Clock): Limiter {
  const buckets = createGrowingCache<Bucket>(bucketsMax);
  const perMs = perMinute / 60_000;

  function filled(key: string): Bucket {
    const nowMs = clock.now().getTime();
    const { left, atMs } = buckets.get(key) ?? { left: burst, atMs: nowMs };
    return { left: Math.min(burst, left + Math.max(0, nowMs - atMs) * perMs), atMs: nowMs };
  }

  return {
    take(key) {
      const bucket = filled(key);
      if (bucket.left < 1) {
        throw new AppError('too_many_requests', 'Too many attempts. Wait as long as Retry-After says, then try again', {
          retryAfterSeconds: Math.ceil((1 - bucket.left) / perMs / 1000),
        });
      }
      buckets.set(key, { ...bucket, left: bucket.left - 1 });
    },
    giveBack(key) {
      const bucket = filled(key);
      buckets.set(key, { ...bucket, left: Math.min(burst, bucket.left + 1) });
    },
  };
}

/** Limits attempts to exchange ids and secrets for tokens. */
export interface AttemptLimits {
  /** Counts an attempt before it is checked. @throws AppError `too_many_requests` */
  begin(clientId: string, address: string): void;
  /** Uncounts a successful attempt; from now on failures of others at the address do not block this client id there. */
  succeed(clientId: string, address: string): void;
}

const pairLimit: Limit = { burst: 10, perMinute: 10 };
const addressLimit: Limit = { burst: 60, perMinute: 60 };
const knownMs = 24 * 60 * 60 * 1000;

/**
 * Limits per client id at an address, and per address: never per client id alone, or strangers who know the id could
 * lock its owner out.
 */
export function createAttemptLimits(clock: Clock): AttemptLimits {
  const pairs = createLimiter(pairLimit, clock);
  const addresses = createLimiter(addressLimit, clock);
  const known = createGrowingCache<number>(bucketsMax);

  const isKnown = (pair: string): boolean => clock.now().getTime() - (known.get(pair) ?? -Infinity) < knownMs;
  return {
    begin(clientId, address) {
      const network = toNetwork(address);
      const pair = `${network} ${clientId}`;
      if (!isKnown(pair)) addresses.take(network);
      pairs.take(pair);
    },
    succeed(clientId, address) {
      const network = toNetwork(address);
      const pair = `${network} ${clientId}`;
      pairs.giveBack(pair);
      if (!isKnown(pair)) addresses.giveBack(network);
      known.set(pair, clock.now().getTime());
    },
  };
}

/** An IPv6 network of 2^64 addresses counts as one. */
function toNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  if (tail === undefined) return before.slice(0, 4).join(':');
  const after = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
