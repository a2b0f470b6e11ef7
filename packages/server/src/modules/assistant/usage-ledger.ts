import type { MonthlyQuotaUsage, RateLimitUsage } from '@portolan/contract/invocation-stream';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Quotas } from '../organizations/index.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Used and left, with the names of stream, headers and entity. */
export interface UsageNow {
  readonly rateLimitUsage: RateLimitUsage;
  readonly monthlyQuotaUsage: MonthlyQuotaUsage;
}

/**
 * Counts one request against month and hour, or refuses. The month's row is the lock: concurrent requests never take
 * one too many. Call it last in a transaction, to hold the lock briefly.
 * @throws AppError `ai_quota_exceeded`, `ai_rate_limited`
 */
export async function reserveRequest(tx: Tx, orgId: string, quotas: Quotas, now: Date): Promise<UsageNow> {
  const taking = tx.first<{ monthRequests: number | null }>(sql`
    with month as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      select ${orgId}, 'month', ${monthOf(now)}::timestamptz, 1 where ${quotas.monthlyInvocations}::bigint > 0
      on conflict (org_id, period, starts_at) do update set requests = u.requests + 1
        where u.requests < ${quotas.monthlyInvocations}::bigint
      returning requests
    ), minute as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      select ${orgId}, 'minute', ${minuteOf(now)}::timestamptz, 1 from month
      on conflict (org_id, period, starts_at) do update set requests = u.requests + 1
    )
    select (select requests from month) as "monthRequests"`);
  // sent after it, so it reads with the lock held: no request is missed
  const [taken, hour] = await Promise.all([taking, readHour(tx, orgId, now)]);
  // the refusal rolls back what was counted
  if (taken?.monthRequests == null) throw quotaExceeded(quotas, now);
  if (hour.requests > quotas.hourlyRequests) throw rateLimited('requests', quotas.hourlyRequests, hour, now);
  if (hour.tokens >= quotas.hourlyTokens) throw rateLimited('tokens', quotas.hourlyTokens, hour, now);
  return usageOf(quotas, { ...hour, month: taken.monthRequests }, now);
}

/** What a run uses beyond its request. */
export interface RunUse {
  readonly askedAt: Date;
  readonly now: Date;
  readonly tokens: number;
  /** Null if unknown. */
  readonly costUsd: number | null;
  /** The model was never reached: its request is given back. */
  readonly isRefunded: boolean;
}

/** The usage after booking the run. Pure. */
export function afterRun({ rateLimitUsage, monthlyQuotaUsage }: UsageNow, { tokens, isRefunded }: RunUse): UsageNow {
  const { remainingTokens } = rateLimitUsage;
  const remaining = monthlyQuotaUsage.remainingQuota + (isRefunded ? 1 : 0);
  return {
    rateLimitUsage: { ...rateLimitUsage, remainingTokens: Math.max(0, remainingTokens - tokens) },
    monthlyQuotaUsage: { ...monthlyQuotaUsage, remainingQuota: Math.min(monthlyQuotaUsage.monthlyLimit, remaining) },
  };
}

/**
 * The writes that book a run's usage, as last parts of another statement; empty if it used nothing. Send it last in a
 * transaction: it takes the lock that every start needs.
 */
export function settlement(orgId: string, { askedAt, now, tokens, costUsd, isRefunded }: RunUse): Sql {
  if (tokens === 0 && costUsd === 0 && !isRefunded) return empty;
  return sql`, minute as (
      insert into ai_usage as u (org_id, period, starts_at, tokens)
      values (${orgId}, 'minute', ${minuteOf(now)}, ${tokens})
      on conflict (org_id, period, starts_at) do update set tokens = u.tokens + excluded.tokens
    ), month as (
    update ai_usage set tokens = tokens + ${tokens}, requests = greatest(0, requests - ${isRefunded ? 1 : 0}),
      cost_usd = cost_usd + ${costUsd ?? 0}::numeric, uncosted = uncosted + ${costUsd === null ? 1 : 0}
    where org_id = ${orgId} and period = 'month' and starts_at = ${monthOf(askedAt)})`;
}

/** Usage as read by `selectUsed`. */
export interface Used extends Hour {
  readonly month: number;
}

/** One row with the usage of the month and hour at a moment. */
export function selectUsed(orgId: string, now: Date): Sql {
  return sql`
    select coalesce(sum(requests) filter (where period = 'month'), 0)::bigint as month,
      coalesce(sum(requests) filter (where period = 'minute'), 0)::bigint as requests,
      coalesce(sum(tokens) filter (where period = 'minute'), 0)::bigint as tokens,
      min(starts_at) filter (where period = 'minute') as oldest
    from ai_usage where org_id = ${orgId} and (
      (period = 'month' and starts_at = ${monthOf(now)}) or (period = 'minute' and starts_at > ${hourAgo(now)}))`;
}

export async function readUsage(reader: Reader, orgId: string, quotas: Quotas, now: Date): Promise<UsageNow> {
  return usageOf(quotas, await reader.first<Used>(selectUsed(orgId, now)), now);
}

/** Deletes minutes of all organizations that no window reaches. */
export async function forgetOldMinutes(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`
    delete from ai_usage /* all organizations */
    where period = 'minute' and starts_at < ${new Date(now.getTime() - 2 * hourMs)}`);
}

interface Hour {
  readonly requests: number;
  readonly tokens: number;
  /** The oldest used minute in the window. */
  readonly oldest: Date | null;
}

async function readHour(reader: Reader, orgId: string, now: Date): Promise<Hour> {
  const row = await reader.first<Hour>(sql`
    select coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(tokens), 0)::bigint as tokens,
      min(starts_at) as oldest
    from ai_usage where org_id = ${orgId} and period = 'minute' and starts_at > ${hourAgo(now)}`);
  return row ?? { requests: 0, tokens: 0, oldest: null };
}

function minuteOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
}

function hourAgo(now: Date): Date {
  return new Date(now.getTime() - hourMs);
}

function monthOf(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** Usage compared with the limits. */
export function usageOf(quotas: Quotas, used: Used | undefined, now: Date): UsageNow {
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

/** Time until the oldest use leaves the window; an hour without use. */
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
