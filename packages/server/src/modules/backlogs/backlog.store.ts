import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';

/** So many rows of a queue are counted, and no more: a scrape must stay cheap when it matters most. */
const countedMax = 10_000;

const jobs = row({ name: computed.text, state: computed.text, count: computed.number, oldest: computed.time.orNull() });

/** By kind: jobs that could run and do not yet, that run, and that failed for good. The oldest due come first. */
export function countJobs(reader: Reader, now: Date) {
  return reader.rows(jobs.sql`
    select name, state, count(*)::int as count, min(run_at) filter (where state = 'waiting') as oldest from (
      (select name, state, run_at from jobs
        where state = 'waiting' and run_at <= ${now} order by run_at limit ${countedMax})
      union all
      (select name, state, run_at from jobs where state = 'running' limit ${countedMax})
      union all
      (select name, state, run_at from jobs where state = 'dead' limit ${countedMax})) as counted
    group by name, state /* all organizations */`);
}

const deliveries = row({
  ...fields('event_deliveries', 'consumer'),
  count: computed.number,
  oldest: computed.time.orNull(),
});

/** By consumer: events that nobody has reacted to yet, and when the oldest of them happened. */
export function countDeliveries(reader: Reader) {
  return reader.rows(deliveries.sql`
    with counted as (
      select org_id, consumer, event_key from event_deliveries limit ${countedMax}),
    oldest as (
      select distinct on (consumer) consumer, org_id, event_key from counted order by consumer, event_key)
    select o.consumer, (select count(*)::int from counted c where c.consumer = o.consumer) as count, j.at as oldest
    from oldest o left join journal j on j.org_id = o.org_id and j.key = o.event_key /* all organizations */`);
}

const receivers = row({ all: computed.number, failing: computed.number, since: computed.time.orNull() });

/** Receivers of the changelog, and since when the longest failing one does. */
export async function countReceivers(reader: Reader) {
  const [found] = await reader.rows(receivers.sql`
    select count(*)::int as all, count(failing_since)::int as failing, min(failing_since) as since from (
      select failing_since from changelog_receivers limit ${countedMax}) as counted /* all organizations */`);
  return found ?? { all: 0, failing: 0, since: null };
}

const marks = row({ derived: computed.number, ruleResults: computed.number });

/** Values and results of rules that are to be computed again. */
export async function countMarks(reader: Reader) {
  const [found] = await reader.rows(marks.sql`
    select
      (select count(*)::int from (select 1 from derived_marks limit ${countedMax}) as counted) as derived,
      (select count(*)::int from (select 1 from rule_result_marks limit ${countedMax}) as counted) as "ruleResults"
    /* all organizations */`);
  return found ?? { derived: 0, ruleResults: 0 };
}

const sources = row({
  type: field('sources', 'type'),
  paused: computed.number,
  failing: computed.number,
  working: computed.number,
  oldest: computed.time.orNull(),
});

/**
 * By type: sources that are paused, that have a problem, and that work, and when the one that waits longest was last read
 * through. Only those that read on a schedule can be late; one that never was read through counts from its making.
 */
export function countSources(reader: Reader) {
  return reader.rows(sources.sql`
    with counted as (
      select org_id, key, type, is_paused, problem is not null as "isFailing", schedule_minutes, created_at
      from sources limit ${countedMax})
    select s.type,
      count(*) filter (where s.is_paused)::int as paused,
      count(*) filter (where not s.is_paused and s."isFailing")::int as failing,
      count(*) filter (where not s.is_paused and not s."isFailing")::int as working,
      min(coalesce(done.at, s.created_at)) filter (where not s.is_paused and s.schedule_minutes is not null) as oldest
    from counted s left join lateral (
      select y.ended_at as at from source_syncs y
      where y.org_id = s.org_id and y.source_key = s.key and y.status = 'completed' and not y.is_plan
      order by y.key desc limit 1) as done on true
    group by s.type /* all organizations */`);
}

const webhooks = row({ count: computed.number, oldest: computed.time.orNull() });

/** Events that webhooks took and that no mapping was applied to yet. */
export async function countWebhooks(reader: Reader) {
  const [found] = await reader.rows(webhooks.sql`
    select count(*)::int as count, min(received_at) as oldest from (
      select received_at from webhook_deliveries where state in ('waiting', 'running') limit ${countedMax}) as counted
    /* all organizations */`);
  return found ?? { count: 0, oldest: null };
}
