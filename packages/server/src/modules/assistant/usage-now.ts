import type { MonthlyQuotaUsage, RateLimitUsage } from '@portolan/contract/invocation-stream';
import type { Reader } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Quotas } from '../organizations/index.ts';
import type { InvocationUsage } from './settlement.store.ts';
import { hourMs, readUsed, type Used } from './usage.store.ts';

/** Used and remaining amounts, with the names of stream, headers and entity. */
export interface UsageNow {
  readonly rateLimitUsage: RateLimitUsage;
  readonly monthlyQuotaUsage: MonthlyQuotaUsage;
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

export function toUsageNow(quotas: Quotas, used: Used | undefined, now: Date): UsageNow {
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
function windowLeft({ oldest }: Pick<Used, 'oldest'>, now: Date): number {
  return oldest ? Math.max(0, oldest.getTime() + hourMs - now.getTime()) : hourMs;
}

/** The refusal of one more request, where what is used leaves no room for it. */
export function refuse(quotas: Quotas, used: Used, now: Date): AppError {
  if (used.month >= quotas.monthlyInvocations) return quotaExceeded(quotas, now);
  if (used.requests >= quotas.hourlyRequests) return rateLimited('requests', quotas.hourlyRequests, used, now);
  return rateLimited('tokens', quotas.hourlyTokens, used, now);
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

function rateLimited(what: 'requests' | 'tokens', limit: number, used: Used, now: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil(windowLeft(used, now) / 1000));
  return new AppError(
    'ai_rate_limited',
    `The hourly limit of ${limit} ${what} is reached; it frees up in ${retryAfter} s. The operator of this installation can raise it.`,
    { retryAfterSeconds: retryAfter, extra: { type: 'RATE_LIMIT_ERROR', retryAfter } },
  );
}
