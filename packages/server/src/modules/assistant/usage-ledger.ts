import type { MonthlyQuotaUsage, RateLimitUsage } from '@portolan/contract/invocation-stream';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Quotas } from '../organizations/index.ts';
import {
  type Hour,
  hourMs,
  type InvocationUsage,
  type MonthlyUse,
  readHour,
  readUsed,
  takeRequest,
} from './usage.store.ts';

/** Used and remaining amounts, with the names of stream, headers and entity. */
export interface UsageNow {
  readonly rateLimitUsage: RateLimitUsage;
  readonly monthlyQuotaUsage: MonthlyQuotaUsage;
}

/**
 * Counts one request against month and hour, or refuses it. The month's row is the lock, so concurrent requests never
 * exceed a limit. Call it last in a transaction, to hold the lock briefly.
 * @throws AppError `ai_quota_exceeded`, `ai_rate_limited`
 */
export async function reserveRequest(tx: Tx, orgId: string, quotas: Quotas, now: Date): Promise<UsageNow> {
  const taking = takeRequest(tx, orgId, quotas.monthlyInvocations, now);
  // sent after the update, so it reads with the lock held and misses no request
  const [taken, hour] = await Promise.all([taking, readHour(tx, orgId, now)]);
  // the refusal rolls back the counting
  if (taken?.monthRequests == null) throw quotaExceeded(quotas, now);
  if (hour.requests > quotas.hourlyRequests) throw rateLimited('requests', quotas.hourlyRequests, hour, now);
  if (hour.tokens >= quotas.hourlyTokens) throw rateLimited('tokens', quotas.hourlyTokens, hour, now);
  return toUsageNow(quotas, { ...hour, month: taken.monthRequests }, now);
}

/** The usage after an invocation is booked. Pure. */
export function afterInvocation(
  { rateLimitUsage, monthlyQuotaUsage }: UsageNow,
  { tokens, isRefunded }: InvocationUsage,
): UsageNow {
  const { remainingTokens } = rateLimitUsage;
  const remaining = monthlyQuotaUsage.remainingQuota + (isRefunded ? 1 : 0);
  return {
    rateLimitUsage: { ...rateLimitUsage, remainingTokens: Math.max(0, remainingTokens - tokens) },
    monthlyQuotaUsage: { ...monthlyQuotaUsage, remainingQuota: Math.min(monthlyQuotaUsage.monthlyLimit, remaining) },
  };
}

export async function readUsage(reader: Reader, orgId: string, quotas: Quotas, now: Date): Promise<UsageNow> {
  return toUsageNow(quotas, await readUsed(reader, orgId, now), now);
}

function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

export function toUsageNow(quotas: Quotas, used: MonthlyUse | undefined, now: Date): UsageNow {
  const { month, ...hour } = used ?? { month: 0, requests: 0, tokens: 0, oldest: null };
  return {
    rateLimitUsage: {
      maxRequests: quotas.hourlyRequests,
      remainingRequests: Math.max(0, quotas.hourlyRequests - hour.requests),
      maxTokens: quotas.hourlyTokens,
      remainingTokens: Math.max(0, quotas.hourlyTokens - hour.tokens),
      remainingTimeMs: windowLeft(hour, now),
    },
    monthlyQuotaUsage: {
      monthlyLimit: quotas.monthlyInvocations,
      remainingQuota: Math.max(0, quotas.monthlyInvocations - month),
      month: now.toISOString().slice(0, 7),
      remainingTimeMs: nextMonth(now).getTime() - now.getTime(),
    },
  };
}

/** Time until the oldest use leaves the window; one hour if there is none. */
function windowLeft({ oldest }: Hour, now: Date): number {
  return oldest ? Math.max(0, oldest.getTime() + hourMs - now.getTime()) : hourMs;
}

function quotaExceeded(quotas: Quotas, now: Date): AppError {
  const resetDate = nextMonth(now).toISOString();
  return new AppError(
    'ai_quota_exceeded',
    `The monthly quota of ${quotas.monthlyInvocations} invocations is used up until ${resetDate}. The operator of this installation can raise it.`,
    {
      retryAfterSeconds: Math.ceil((nextMonth(now).getTime() - now.getTime()) / 1000),
      extra: { type: 'QUOTA_ERROR', resetDate },
    },
  );
}

function rateLimited(what: 'requests' | 'tokens', limit: number, hour: Hour, now: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil(windowLeft(hour, now) / 1000));
  return new AppError(
    'ai_rate_limited',
    `The hourly limit of ${limit} ${what} is reached; it frees up in ${retryAfter} s. The operator of this installation can raise it.`,
    { retryAfterSeconds: retryAfter, extra: { type: 'RATE_LIMIT_ERROR', retryAfter } },
  );
}
