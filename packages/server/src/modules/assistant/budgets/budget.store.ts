import type { BudgetMeasure, BudgetPeriod, BudgetScope } from '@portolan/contract/ai-budgets';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import { type Budget, type BudgetState, findFirstDay, type Subject, subjectKey, toDay } from './budget.ts';

const budgetStateRow = row({
  ...fields('ai_budgets', 'subject', 'requests', 'tokens', 'usd', 'warn_at', 'counted_since'),
  scope: field('ai_budgets', 'scope').as<BudgetScope>(),
  period: field('ai_budgets', 'period').as<BudgetPeriod>(),
  action: field('ai_budgets', 'action').as<Budget['action']>(),
  id: computed.text.orNull(),
  title: computed.text.orNull(),
  usedRequests: computed.number,
  usedTokens: computed.number,
  usedUsd: computed.number,
  uncosted: computed.number,
});

/**
 * Budgets with what counts against them: booked, set aside for runs that are going on, and settled but not booked yet.
 * @param which all of the organization unless told
 */
export async function readBudgets(
  reader: Reader,
  orgId: string,
  now: Date,
  which?: readonly Subject[],
): Promise<BudgetState[]> {
  const keys = which?.map(subjectKey);
  const [today, month] = [toDay(now), findFirstDay('month', now)];
  const rows = await reader.rows(budgetStateRow.sql`
    select b.scope, b.subject, b.period, b.requests, b.tokens, b.usd, b.action, b.warn_at as "warnAt",
      b.counted_since as "countedSince",
      case b.scope when 'team' then (select t.identifier from teams t where t.org_id = ${orgId} and t.key = b.subject)
        else b.subject end as id,
      case b.scope when 'team' then (select t.title from teams t where t.org_id = ${orgId} and t.key = b.subject)
        when 'user' then (select u.title from users u where u.org_id = ${orgId} and u.identifier = b.subject)
        else b.subject end as title,
      used.requests as "usedRequests", used.tokens as "usedTokens", used.usd::float8 as "usedUsd", used.uncosted
    from ai_budgets b, lateral (
      select greatest(0, coalesce(sum(requests), 0))::bigint as requests,
        greatest(0, coalesce(sum(tokens), 0))::bigint as tokens, greatest(0, coalesce(sum(usd), 0)) as usd,
        coalesce(sum(uncosted), 0)::bigint as uncosted
      from (
        select d.requests, d.tokens, d.usd, d.uncosted from ai_budget_days d
        where d.org_id = ${orgId} and d.scope = b.scope and d.subject = b.subject
          and d.day >= case b.period when 'day' then ${today} else ${month} end and d.day <= ${today}
        union all
        select -s.is_refunded::int, s.tokens - c.tokens, coalesce(s.cost_usd, 0) - c.usd, (s.cost_usd is null)::int
        from ai_settlements s join ai_charges c on c.org_id = s.org_id and c.id = s.charge
        where s.org_id = ${orgId} and b.scope || '/' || b.subject = any(c.subjects)
          and c.day >= case b.period when 'day' then ${today} else ${month} end and c.day <= ${today}
      ) parts
    ) used
    where b.org_id = ${orgId} ${keys ? sql`and b.scope || '/' || b.subject = any(${keys}::text[])` : empty}
    order by array_position(array['organization', 'team', 'user', 'agent'], b.scope), b.subject, b.period desc`);
  return rows.map(toState);
}

function toState(stored: RowOf<typeof budgetStateRow>): BudgetState {
  const { requests, tokens, usd, usedRequests, usedTokens, usedUsd, ...rest } = stored;
  return {
    ...rest,
    limits: { requests, tokens, usd },
    used: { requests: usedRequests, tokens: usedTokens, usd: usedUsd },
  };
}

const countedRow = row(fields('ai_budgets', 'counted_since'));

/** Since when the subject is counted; undefined without a budget. */
export async function countedSince(reader: Reader, orgId: string, { scope, subject }: Subject) {
  const found = await reader.first(countedRow.sql`
    select counted_since as "countedSince" from ai_budgets
    where org_id = ${orgId} and scope = ${scope} and subject = ${subject} limit 1`);
  return found?.countedSince;
}

export async function putBudgetRow(
  tx: Tx,
  orgId: string,
  { scope, subject, period, limits, action, warnAt, countedSince: since }: Budget,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into ai_budgets (org_id, scope, subject, period, requests, tokens, usd, action, warn_at, counted_since,
      updated_at, updated_by)
    values (${orgId}, ${scope}, ${subject}, ${period}, ${limits.requests}, ${limits.tokens}, ${limits.usd}, ${action},
      ${warnAt}, ${since}, ${at}, ${by})
    on conflict (org_id, scope, subject, period) do update set requests = excluded.requests, tokens = excluded.tokens,
      usd = excluded.usd, action = excluded.action, warn_at = excluded.warn_at, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`);
  await forgetWarnings(tx, orgId, { scope, subject }, period);
}

/** With the days of a subject that has no other budget. False if there was none. */
export async function deleteBudgetRow(
  tx: Tx,
  orgId: string,
  { scope, subject }: Subject,
  period: BudgetPeriod,
): Promise<boolean> {
  const deleted = await tx.execute(sql`
    delete from ai_budgets
    where org_id = ${orgId} and scope = ${scope} and subject = ${subject} and period = ${period}`);
  if (deleted === 0) return false;
  await forgetWarnings(tx, orgId, { scope, subject }, period);
  await tx.execute(sql`
    delete from ai_budget_days d
    where d.org_id = ${orgId} and d.scope = ${scope} and d.subject = ${subject} and not exists (
      select 1 from ai_budgets b where b.org_id = ${orgId} and b.scope = d.scope and b.subject = d.subject)`);
  return true;
}

async function forgetWarnings(tx: Tx, orgId: string, { scope, subject }: Subject, period: BudgetPeriod): Promise<void> {
  await tx.execute(sql`
    delete from ai_budget_warnings
    where org_id = ${orgId} and scope = ${scope} and subject = ${subject} and period = ${period}`);
}

/** Counts what invocations used from a day on, where they tell whom they were for: not for teams. */
export async function countBefore(tx: Tx, orgId: string, { scope, subject }: Subject, from: string): Promise<void> {
  const conditions: Partial<Record<BudgetScope, Sql>> = {
    organization: sql`true`,
    user: sql`i.asked_by = ${subject}`,
    agent: sql`i.agent = ${subject}`,
  };
  const condition = conditions[scope];
  if (!condition) return;
  await tx.execute(sql`
    insert into ai_budget_days (org_id, scope, subject, day, requests, tokens, usd, uncosted)
    select ${orgId}, ${scope}, ${subject}, to_char(i.asked_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) filter (where not (i.state = 'failed' and (i.usage ->> 'steps')::int = 0)),
      coalesce(sum((i.usage ->> 'inputTokens')::bigint + (i.usage ->> 'outputTokens')::bigint), 0),
      coalesce(sum((i.usage ->> 'costUsd')::numeric), 0),
      count(*) filter (where i.state <> 'running' and i.usage ->> 'costUsd' is null)
    from invocations i where i.org_id = ${orgId} and i.asked_at >= ${`${from}T00:00:00Z`}::timestamptz and ${condition}
    group by day on conflict do nothing`);
}

const usedDayRow = row({
  ...fields('ai_budget_days', 'subject', 'day', 'requests', 'tokens', 'usd'),
  scope: field('ai_budget_days', 'scope').as<BudgetScope>(),
});

export interface UsedDay extends Subject, Readonly<Record<BudgetMeasure, number>> {
  readonly day: string;
}

/** Use of all subjects from a day on. */
export function readUsedDays(reader: Reader, orgId: string, from: string): Promise<UsedDay[]> {
  return reader.rows(usedDayRow.sql`
    select scope, subject, day, requests, tokens, usd from ai_budget_days where org_id = ${orgId} and day >= ${from}`);
}

const withBudgets = row(fields('ai_budgets', 'org_id'));

export async function listOrganizationsWithBudgets(reader: Reader): Promise<string[]> {
  const rows = await reader.rows(withBudgets.sql`
    select distinct org_id as "orgId" from ai_budgets /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

/** True for the first of everybody who notes this crossing. */
export async function noteWarning(
  tx: Tx,
  orgId: string,
  { scope, subject, period }: Budget,
  state: 'near' | 'spent',
  now: Date,
): Promise<boolean> {
  const noted = await tx.execute(sql`
    insert into ai_budget_warnings (org_id, scope, subject, period, starts_on, state, warned_at)
    values (${orgId}, ${scope}, ${subject}, ${period}, ${findFirstDay(period, now)}, ${state}, ${now})
    on conflict do nothing`);
  return noted === 1;
}

const warningRow = row({ ...fields('ai_budget_warnings', 'scope', 'subject', 'period', 'starts_on', 'state') });

export function readWarnings(reader: Reader, orgId: string, from: string): Promise<RowOf<typeof warningRow>[]> {
  return reader.rows(warningRow.sql`
    select scope, subject, period, starts_on as "startsOn", state from ai_budget_warnings
    where org_id = ${orgId} and starts_on >= ${from}`);
}
