import type { AiUsageFigures } from '@portolan/contract/ai-usage';
import sql from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';

export type Interval = 'hour' | 'day' | 'week' | 'month';

/** Usage of one group: everything, an interval, an agent or a person. */
export interface GroupedUsage extends AiUsageFigures {
  readonly kind: 'totals' | 'interval' | 'agent' | 'person';
  readonly startsAt: string | null;
  readonly agent: string | null;
  readonly askedBy: string | null;
}

/** Usage of invocations asked within a time, grouped in one statement; only the agents and people with the most. */
export function readGroupedUsage(
  reader: Reader,
  orgId: string,
  asked: { readonly from: Date; readonly to: Date; readonly interval: Interval; readonly topMax: number },
): Promise<GroupedUsage[]> {
  const { from, to, interval, topMax } = asked;
  return reader.rows<GroupedUsage>(sql`
    with asked as (
      select date_trunc(${interval}, i.asked_at at time zone 'UTC') as starts_at, i.agent, i.asked_by, i.state, i.usage
      from invocations i where i.org_id = ${orgId} and i.asked_at >= ${from} and i.asked_at < ${to}
    ), grouped as (
      select case grouping(starts_at, agent, asked_by)
          when 7 then 'totals' when 3 then 'interval' when 5 then 'agent' else 'person' end as kind,
        starts_at, agent, asked_by, count(*)::int as invocations,
        (count(*) filter (where state = 'completed'))::int as completed,
        (count(*) filter (where state = 'failed'))::int as failed,
        (count(*) filter (where state = 'running'))::int as in_progress,
        coalesce(sum((usage ->> 'inputTokens')::bigint), 0)::float8 as input_tokens,
        coalesce(sum((usage ->> 'outputTokens')::bigint), 0)::float8 as output_tokens,
        coalesce(sum((usage ->> 'toolCalls')::bigint), 0)::float8 as tool_calls,
        sum((usage ->> 'costUsd')::numeric)::float8 as cost_usd,
        (count(*) filter (where state <> 'running' and usage ->> 'costUsd' is null))::int as uncosted
      from asked group by grouping sets ((), (starts_at), (agent), (asked_by))
    ), ranked as (
      select *, row_number() over (partition by kind order by invocations desc, agent, asked_by) as rank from grouped
    )
    select kind, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as "startsAt", agent, asked_by as "askedBy",
      invocations, completed, failed, in_progress as "inProgress", input_tokens as "inputTokens",
      output_tokens as "outputTokens", tool_calls as "toolCalls", cost_usd as "costUsd", uncosted
    from ranked where kind in ('totals', 'interval') or rank <= ${topMax} order by kind, rank`);
}
