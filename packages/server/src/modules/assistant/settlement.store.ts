import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, fields, row } from '../../platform/db/row.ts';
import { newUuid } from '../../platform/ids.ts';
import { chargesBooked } from './budgets/charge.store.ts';
import { startOfMinute, startOfMonth } from './usage.store.ts';

/** Usage of an invocation beyond its request. */
export interface InvocationUsage {
  readonly askedAt: Date;
  readonly now: Date;
  readonly tokens: number;
  /** Null if unknown. */
  readonly costUsd: number | null;
  /** The model was never reached: the month gets its request back. */
  readonly isRefunded: boolean;
  /** What its request took of budgets, to be settled too. */
  readonly charge?: string | null;
}

/** The insert of an invocation's usage, as the last part of the statement that ends it; empty if it used nothing. */
export function settlement(
  orgId: string,
  { askedAt, now, tokens, costUsd, isRefunded, charge = null }: InvocationUsage,
): Sql {
  if (tokens === 0 && costUsd === 0 && !isRefunded && charge === null) return empty;
  return sql`, settled as (
    insert into ai_settlements (org_id, id, month, minute, tokens, cost_usd, is_refunded, charge)
    values (${orgId}, ${newUuid()}, ${startOfMonth(askedAt)}, ${startOfMinute(now)}, ${tokens}, ${costUsd},
      ${isRefunded}, ${charge}))`;
}

const bookedRow = row({ booked: computed.number });

/**
 * Moves settlements into the ledger, at most so many, and returns how many. Each is booked once, because it is deleted
 * in the same statement. Months before minutes, as `takeRequests` locks them.
 */
export async function bookSettlements(tx: Tx, orgId: string, limit: number): Promise<number> {
  const result = await tx.first(bookedRow.sql`
    with gone as (
      delete from ai_settlements where org_id = ${orgId} and id = any(array(
        select id from ai_settlements where org_id = ${orgId} limit ${limit} for update skip locked))
      returning month, minute, tokens, cost_usd, is_refunded, charge
    ), of_months as (
      update ai_usage u set tokens = u.tokens + used.tokens, requests = greatest(0, u.requests - used.refunds),
        cost_usd = u.cost_usd + used.cost_usd, uncosted = u.uncosted + used.uncosted
      from (select month, sum(tokens) as tokens, count(*) filter (where is_refunded) as refunds,
          coalesce(sum(cost_usd), 0) as cost_usd, count(*) filter (where cost_usd is null) as uncosted
        from gone group by month) used
      where u.org_id = ${orgId} and u.period = 'month' and u.starts_at = used.month
      returning 1
    ), of_minutes as (
      insert into ai_usage as u (org_id, period, starts_at, tokens)
      select ${orgId}, 'minute', minute, sum(tokens) from gone
      where (select count(*) from of_months) >= 0 group by minute order by minute
      on conflict (org_id, period, starts_at) do update set tokens = u.tokens + excluded.tokens
    ), ${chargesBooked(orgId)}
    select count(*)::int as booked from gone`);
  return result?.booked ?? 0;
}

const unbookedRow = row(fields('ai_settlements', 'org_id'));

/** Organizations with settlements that are not booked yet. */
export async function listUnbooked(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(unbookedRow.sql`
    select distinct org_id as "orgId" from ai_settlements /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}
