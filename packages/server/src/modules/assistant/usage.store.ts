import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, type RowOf, row } from '../../platform/db/row.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

const monthRequestsRow = row({ monthRequests: computed.number.orNull() });

/** Counts one request against the month, which locks its row, and against the minute; null once `limit` is reached. */
export function takeRequest(
  tx: Tx,
  orgId: string,
  limit: number,
  now: Date,
): Promise<{ readonly monthRequests: number | null } | undefined> {
  return tx.first(monthRequestsRow.sql`
    with month as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      select ${orgId}, 'month', ${startOfMonth(now)}::timestamptz, 1 where ${limit}::bigint > 0
      on conflict (org_id, period, starts_at) do update set requests = u.requests + 1
        where u.requests < ${limit}::bigint
      returning requests
    ), minute as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      select ${orgId}, 'minute', ${startOfMinute(now)}::timestamptz, 1 from month
      on conflict (org_id, period, starts_at) do update set requests = u.requests + 1
    )
    select (select requests from month) as "monthRequests"`);
}

/** Usage of an invocation beyond its request. */
export interface InvocationUsage {
  readonly askedAt: Date;
  readonly now: Date;
  readonly tokens: number;
  /** Null if unknown. */
  readonly costUsd: number | null;
  /** The model was never reached: the month gets its request back. */
  readonly isRefunded: boolean;
}

/**
 * The writes that book an invocation's usage, as the last parts of another statement; empty if it used nothing. Send it
 * last in a transaction: it takes the lock that every start needs.
 */
export function settlement(orgId: string, { askedAt, now, tokens, costUsd, isRefunded }: InvocationUsage): Sql {
  if (tokens === 0 && costUsd === 0 && !isRefunded) return empty;
  return sql`, minute as (
      insert into ai_usage as u (org_id, period, starts_at, tokens)
      values (${orgId}, 'minute', ${startOfMinute(now)}, ${tokens})
      on conflict (org_id, period, starts_at) do update set tokens = u.tokens + excluded.tokens
    ), month as (
    update ai_usage set tokens = tokens + ${tokens}, requests = greatest(0, requests - ${isRefunded ? 1 : 0}),
      cost_usd = cost_usd + ${costUsd ?? 0}::numeric, uncosted = uncosted + ${costUsd === null ? 1 : 0}
    where org_id = ${orgId} and period = 'month' and starts_at = ${startOfMonth(askedAt)})`;
}

export interface MonthlyUse extends Hour {
  readonly month: number;
}

export function selectUsed(orgId: string, now: Date): Sql {
  return sql`
    select coalesce(sum(requests) filter (where period = 'month'), 0)::bigint as month,
      coalesce(sum(requests) filter (where period = 'minute'), 0)::bigint as requests,
      coalesce(sum(tokens) filter (where period = 'minute'), 0)::bigint as tokens,
      min(starts_at) filter (where period = 'minute') as oldest
    from ai_usage where org_id = ${orgId} and (
      (period = 'month' and starts_at = ${startOfMonth(now)}) or (period = 'minute' and starts_at > ${hourAgo(now)}))`;
}

const used = row({
  month: computed.number,
  requests: computed.number,
  tokens: computed.number,
  oldest: computed.time.orNull(),
});

export function readUsed(reader: Reader, orgId: string, now: Date): Promise<MonthlyUse | undefined> {
  return reader.first(used.sql`${selectUsed(orgId, now)}`);
}

/** Deletes minutes of all organizations that are outside every window. */
export async function deleteOldMinutes(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`
    delete from ai_usage /* all organizations */
    where period = 'minute' and starts_at < ${new Date(now.getTime() - 2 * hourMs)}`);
}

const hour = row({
  requests: computed.number,
  tokens: computed.number,
  /** The oldest used minute in the window. */
  oldest: computed.time.orNull(),
});
export type Hour = RowOf<typeof hour>;

export async function readHour(reader: Reader, orgId: string, now: Date): Promise<Hour> {
  const row = await reader.first(hour.sql`
    select coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(tokens), 0)::bigint as tokens,
      min(starts_at) as oldest
    from ai_usage where org_id = ${orgId} and period = 'minute' and starts_at > ${hourAgo(now)}`);
  return row ?? { requests: 0, tokens: 0, oldest: null };
}

function startOfMinute(now: Date): Date {
  return new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
}

function hourAgo(now: Date): Date {
  return new Date(now.getTime() - hourMs);
}

function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
