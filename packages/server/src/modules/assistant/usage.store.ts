import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, type RowOf, row } from '../../platform/db/row.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** What counts against the limits of an organization. */
export const usedRow = row({
  month: computed.number,
  requests: computed.number,
  tokens: computed.number,
  /** The oldest used minute in the window. */
  oldest: computed.time.orNull(),
});
export type Used = RowOf<typeof usedRow>;

/** Usage of the month and of the last hour, booked or only settled, in one snapshot. */
export function selectUsed(orgId: string, now: Date): Sql {
  const [month, after] = [startOfMonth(now), hourAgo(now)];
  return sql`
    select greatest(0, coalesce(sum(requests) filter (where period = 'month'), 0))::bigint as month,
      coalesce(sum(requests) filter (where period = 'minute'), 0)::bigint as requests,
      coalesce(sum(tokens) filter (where period = 'minute'), 0)::bigint as tokens,
      min(starts_at) filter (where period = 'minute') as oldest
    from (
      select period, starts_at, requests, tokens from ai_usage
      where org_id = ${orgId} and ((period = 'month' and starts_at = ${month})
        or (period = 'minute' and starts_at > ${after}))
      union all
      select 'month', month, -1, 0 from ai_settlements where org_id = ${orgId} and is_refunded and month = ${month}
      union all
      select 'minute', minute, 0, tokens from ai_settlements where org_id = ${orgId} and minute > ${after}) used`;
}

export function readUsed(reader: Reader, orgId: string, now: Date): Promise<Used | undefined> {
  return reader.first(usedRow.sql`${selectUsed(orgId, now)}`);
}

/** Deletes minutes of all organizations that are outside every window. */
export async function deleteOldMinutes(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`
    delete from ai_usage /* all organizations */
    where period = 'minute' and starts_at < ${new Date(now.getTime() - 2 * hourMs)}`);
}

/**
 * Locks the month of an organization, and with it what counts against its budgets, for the statements that follow. The
 * snapshot of the one that waits is older than the lock.
 */
export function lockMonth(tx: Tx, orgId: string, now: Date): void {
  const month = startOfMonth(now);
  tx.send(sql`
    insert into ai_usage (org_id, period, starts_at) values (${orgId}, 'month', ${month}) on conflict do nothing`);
  tx.send(sql`
    select 1 from ai_usage where org_id = ${orgId} and period = 'month' and starts_at = ${month} for update`);
}

export function startOfMinute(now: Date): Date {
  return new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
}

export function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

function hourAgo(now: Date): Date {
  return new Date(now.getTime() - hourMs);
}
