import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, fields, row } from '../../../platform/db/row.ts';
import { startOfMinute, startOfMonth } from '../usage.store.ts';
import { type Subject, subjectKey, toDay } from './budget.ts';

/** What a granted request takes of budgets. */
export interface Charge {
  /** Of its reservation. */
  readonly id: string;
  readonly subjects: readonly Subject[];
  readonly tokens: number;
  readonly usd: number;
}

/** Scope and subject of `each`, which is `scope/subject`. */
const named = sql`split_part(each, '/', 1) as scope, substr(each, strpos(each, '/') + 1) as subject`;

/**
 * Counts granted requests against month and minute, remembers each until it is accepted, and takes them from all their
 * budgets, in one statement. For whoever holds the month's row of `ai_usage` and looked at the budgets since.
 */
export async function takeWithBudgets(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  charges: readonly Charge[],
  now: Date,
): Promise<void> {
  const [month, minute] = [startOfMonth(now), startOfMinute(now)];
  const charged = charges.map((each) => ({ ...each, subjects: each.subjects.map(subjectKey) }));
  await tx.rows(sql`
    with of_month as (
      update ai_usage u set requests = u.requests + ${ids.length}::bigint
      where u.org_id = ${orgId} and u.period = 'month' and u.starts_at = ${month}
    ), of_minute as (
      insert into ai_usage as u (org_id, period, starts_at, requests)
      values (${orgId}, 'minute', ${minute}, ${ids.length}::bigint)
      on conflict (org_id, period, starts_at) do update set requests = u.requests + excluded.requests
    ), held as (
      insert into ai_reservations (org_id, id, month, minute, reserved_at)
      select ${orgId}, id, ${month}::timestamptz, ${minute}::timestamptz, ${now}::timestamptz
      from unnest(${[...ids]}::text[]) as granted (id)
    ), charged as (
      select id, subjects, tokens, usd
      from jsonb_to_recordset(${json(charged)}::jsonb) as c (id text, subjects text[], tokens bigint, usd numeric)
    ), kept as (
      insert into ai_charges (org_id, id, day, subjects, tokens, usd)
      select ${orgId}, id, ${toDay(now)}, subjects, tokens, usd from charged
    )
    insert into ai_budget_days as d (org_id, scope, subject, day, requests, tokens, usd)
    select ${orgId}, scope, subject, ${toDay(now)}, count(*), sum(tokens), sum(usd)
    from (select ${named}, tokens, usd from charged, unnest(subjects) as each) of_subjects
    group by scope, subject order by scope, subject
    on conflict (org_id, scope, subject, day) do update
      set requests = d.requests + excluded.requests, tokens = d.tokens + excluded.tokens, usd = d.usd + excluded.usd`);
}

/** Makes charge and reservation part of the transaction that accepts the request. */
export async function claimCharged(tx: Tx, orgId: string, id: string, invocation: string): Promise<boolean> {
  const claimed = await tx.execute(sql`
    with gone as (delete from ai_reservations where org_id = ${orgId} and id = ${id} returning id)
    update ai_charges c set invocation = ${invocation} from gone where c.org_id = ${orgId} and c.id = gone.id`);
  return claimed === 1;
}

/**
 * Parts of the statement that gives back requests, after its `gone (id)` and `of_months`: what they took of budgets goes
 * with them.
 */
export function chargesGivenBack(orgId: string): Sql {
  return sql`
    uncharged as (
      delete from ai_charges c using gone where c.org_id = ${orgId} and c.id = gone.id
      returning c.day, c.subjects, c.tokens, c.usd
    ), of_days as (
      update ai_budget_days d set requests = greatest(0, d.requests - back.requests),
        tokens = greatest(0, d.tokens - back.tokens), usd = greatest(0, d.usd - back.usd)
      from (
        select day, ${named},
          count(*) as requests, sum(tokens) as tokens, sum(usd) as usd
        from uncharged, unnest(subjects) as each group by 1, 2, 3) back
      where d.org_id = ${orgId} and d.scope = back.scope and d.subject = back.subject and d.day = back.day
        and (select count(*) from of_months) > 0
    )`;
}

/** Parts of the statement that books settlements, after its `gone` and `of_months`: used takes the place of set aside. */
export function chargesBooked(orgId: string): Sql {
  return sql`
    paid as (
      delete from ai_charges c using gone where c.org_id = ${orgId} and c.id = gone.charge
      returning c.day, c.subjects, gone.is_refunded, gone.tokens - c.tokens as tokens,
        coalesce(gone.cost_usd, 0) - c.usd as usd, gone.cost_usd is null as is_uncosted
    ), of_days as (
      update ai_budget_days d set requests = greatest(0, d.requests - used.refunds),
        tokens = greatest(0, d.tokens + used.tokens), usd = greatest(0, d.usd + used.usd),
        uncosted = d.uncosted + used.uncosted
      from (
        select day, ${named},
          count(*) filter (where is_refunded) as refunds, sum(tokens) as tokens, sum(usd) as usd,
          count(*) filter (where is_uncosted) as uncosted
        from paid, unnest(subjects) as each group by 1, 2, 3) used
      where d.org_id = ${orgId} and d.scope = used.scope and d.subject = used.subject and d.day = used.day
        and (select count(*) from of_months) >= 0
    )`;
}

/**
 * A charge has a reservation, a running invocation or a settlement, in every snapshot. Without any it was left by a
 * process of an earlier release, which knows no charges.
 */
const isLeft = sql`
  not exists (select 1 from ai_reservations r where r.org_id = c.org_id and r.id = c.id)
  and not exists (
    select 1 from invocations i where i.org_id = c.org_id and i.id = c.invocation and i.state = 'running')
  and not exists (select 1 from ai_settlements s where s.org_id = c.org_id and s.charge = c.id)`;

const leftRow = row(fields('ai_charges', 'org_id'));

/** Organizations with charges that nothing will settle. */
export async function listLeftCharges(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(leftRow.sql`
    select distinct c.org_id as "orgId" from ai_charges c /* all organizations */ where ${isLeft}`);
  return rows.map(({ orgId }) => orgId);
}

/** Puts what their invocations used, or nothing, in the place of what such charges set aside. */
export async function settleLeftCharges(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`
    with gone as (
      delete from ai_charges c where c.org_id = ${orgId} and ${isLeft}
      returning c.day, c.subjects, c.tokens, c.usd, c.invocation
    ), paid as (
      select g.day, g.subjects, (g.invocation is null)::int as requests,
        coalesce((i.usage ->> 'inputTokens')::bigint + (i.usage ->> 'outputTokens')::bigint, 0) - g.tokens as tokens,
        coalesce((i.usage ->> 'costUsd')::numeric, 0) - g.usd as usd,
        (i.id is not null and i.usage ->> 'costUsd' is null)::int as uncosted
      from gone g left join invocations i on i.org_id = ${orgId} and i.id = g.invocation
    )
    update ai_budget_days d set requests = greatest(0, d.requests - used.requests),
      tokens = greatest(0, d.tokens + used.tokens), usd = greatest(0, d.usd + used.usd),
      uncosted = d.uncosted + used.uncosted
    from (
      select day, ${named}, sum(requests) as requests, sum(tokens) as tokens, sum(usd) as usd, sum(uncosted) as uncosted
      from paid, unnest(subjects) as each group by 1, 2, 3) used
    where d.org_id = ${orgId} and d.scope = used.scope and d.subject = used.subject and d.day = used.day`);
}

/** Runs that tell what the next one will need. */
const lastRuns = 50;

const expectedRow = row({ place: computed.number, tokens: computed.number, usd: computed.number });

export interface Expected {
  readonly tokens: number;
  readonly usd: number;
}

/** What nine of ten of the last runs of each agent stayed within, in their order; nothing for one that never ran. */
export async function readExpected(
  reader: Reader,
  orgId: string,
  agents: readonly (string | null)[],
): Promise<Expected[]> {
  const each = agents.map(
    (agent, place) => sql`
      select ${place}::int as place,
        coalesce(percentile_disc(0.9) within group (order by tokens), 0)::bigint as tokens,
        coalesce(percentile_disc(0.9) within group (order by usd), 0)::float8 as usd
      from (
        select (usage ->> 'inputTokens')::bigint + (usage ->> 'outputTokens')::bigint as tokens,
          (usage ->> 'costUsd')::float8 as usd
        from invocations
        where org_id = ${orgId} and ${agent === null ? sql`agent is null` : sql`agent = ${agent}`} and state <> 'running'
        order by asked_at desc limit ${lastRuns}) runs`,
  );
  const rows = await reader.rows(expectedRow.sql`${join(each, ' union all ')} order by place`);
  return rows.map(({ tokens, usd }) => ({ tokens, usd }));
}
