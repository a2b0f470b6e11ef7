import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../platform/db/row.ts';
import type { Quotas } from '../organizations/index.ts';
import { chargesGivenBack } from './budgets/charge.store.ts';
import { selectUsed, startOfMinute, startOfMonth, usedRow } from './usage.store.ts';

const takenRow = row({ ...usedRow.fields, granted: computed.number, hasBudgets: computed.boolean });

/** What was used before, and how many of the requests were granted: the first ones, and none where budgets are to be asked. */
export type Taken = RowOf<typeof takenRow>;

/**
 * Counts as many of the given requests as month and hour leave room for, and remembers each until it is accepted. For
 * whoever has locked the month: what was used is read while it is held. An organization with budgets is only read.
 */
export async function takeRequests(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  { monthlyInvocations, hourlyRequests, hourlyTokens }: Quotas,
  now: Date,
): Promise<Taken> {
  const [month, minute] = [startOfMonth(now), startOfMinute(now)];
  const taken = await tx.first(takenRow.sql`
    with used as (${selectUsed(orgId, now)}), budgets as (
      select exists (select 1 from ai_budgets where org_id = ${orgId}) as "hasBudgets"
    ), room as (
      select case when "hasBudgets" or tokens >= ${hourlyTokens}::bigint then 0 else greatest(0, least(${ids.length}::bigint,
        ${monthlyInvocations}::bigint - month, ${hourlyRequests}::bigint - requests)) end as granted from used, budgets
    ), of_month as (
      update ai_usage u set requests = u.requests + granted from room
      where u.org_id = ${orgId} and u.period = 'month' and u.starts_at = ${month} and granted > 0
      returning 1
    ), of_minute as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      select ${orgId}, 'minute', ${minute}::timestamptz, granted from room, of_month
      on conflict (org_id, period, starts_at) do update set requests = u.requests + excluded.requests
    ), held as (
      insert into ai_reservations (org_id, id, month, minute, reserved_at)
      select ${orgId}, id, ${month}::timestamptz, ${minute}::timestamptz, ${now}::timestamptz
      from unnest(${[...ids]}::text[]) with ordinality as asked (id, place), room where place <= granted
    )
    select used.*, granted, "hasBudgets" from used, budgets, room`);
  if (!taken) throw new Error('A sum has no row');
  return taken;
}

/** Whether the reservation was there: the transaction that deletes it has its request, and no other. */
export async function claimReservation(tx: Tx, orgId: string, id: string): Promise<boolean> {
  return (await tx.execute(sql`delete from ai_reservations where org_id = ${orgId} and id = ${id}`)) === 1;
}

/** Gives back the requests of reservations that are still there. Months before minutes, as `takeRequests` locks them. */
export async function releaseReservations(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`
    with gone as (
      delete from ai_reservations where org_id = ${orgId} and id = any(${[...ids]}::text[]) returning id, month, minute
    ), of_months as (
      update ai_usage u set requests = greatest(0, u.requests - back.requests)
      from (select month, count(*) as requests from gone group by month) back
      where u.org_id = ${orgId} and u.period = 'month' and u.starts_at = back.month
      returning 1
    ), ${chargesGivenBack(orgId)}
    update ai_usage u set requests = greatest(0, u.requests - back.requests)
    from (select minute, count(*) as requests from gone group by minute) back
    where u.org_id = ${orgId} and u.period = 'minute' and u.starts_at = back.minute
      and (select count(*) from of_months) > 0`);
}

const reservationRow = row(fields('ai_reservations', 'org_id', 'id'));

/** Reservations of all organizations from before a moment. */
export function listReservations(reader: Reader, before: Date): Promise<RowOf<typeof reservationRow>[]> {
  return reader.rows(reservationRow.sql`
    select org_id as "orgId", id from ai_reservations /* all organizations */ where reserved_at < ${before}`);
}
