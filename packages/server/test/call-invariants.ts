import sql from 'sql-template-tag';
import type { Database } from '../src/platform/db/database.ts';

interface StoredCall {
  readonly run: string;
  readonly operation: string;
  readonly result: string;
  readonly rule: string;
  readonly isObserved: boolean;
  readonly label: readonly string[];
  readonly runLabel: readonly string[];
  /** Authors of the results that the invocation was shown, all of them. */
  readonly shown: readonly string[];
  readonly invocationLabel: readonly string[] | null;
  /**
   * Whether a standing approval that held then covers the run's agent, action and entity. Moments are those at which
   * transactions began, so one that is revoked meanwhile may seem to be used a little later.
   */
  readonly isCovered: boolean;
}

/** What the database says about calls that ran at once and should not have; computed from rows alone. */
export async function findBrokenCalls(database: Database, orgId: string): Promise<string[]> {
  const calls = await database.rows<StoredCall>(sql`
    select r.id as run, r.action #>> '{definition,trigger,operation}' as operation, r.decision ->> 'result' as result,
      r.decision ->> 'rule' as rule, r.decision ? 'observed' as "isObserved", r.decision -> 'label' as label,
      to_json(r.label) as "runLabel", to_json(i.label) as "invocationLabel",
      coalesce((select jsonb_agg(distinct author) from invocation_events e, jsonb_array_elements(e.events::jsonb) event,
        jsonb_array_elements_text(event -> 3) author where e.org_id = i.org_id and e.invocation_id = i.id
          and jsonb_array_length(event) > 3), '[]') as shown,
      exists (select 1 from ai_standing_uses u
        join ai_standing_approvals a on a.org_id = u.org_id and a.id = u.approval_id
        where u.org_id = r.org_id and u.run_id = r.id and a.id = r.decision #>> '{standing,id}'
          and a.agent = r.invocation ->> 'agent' and a.action_id = r.action ->> 'id'
          and a.action_version = (r.action ->> 'version')::bigint and u.used_at between a.given_at and a.expires_at
          and (a.revoked_at is null or u.used_at <= a.revoked_at + interval '5 seconds')
          and (jsonb_typeof(a.entity) is distinct from 'array' or a.entity ? r.entity)
          and (select count(*) from ai_standing_uses o where o.org_id = u.org_id and o.approval_id = u.approval_id
            and o.used_at > u.used_at - interval '1 hour' and o.used_at <= u.used_at) <= a.max_per_hour
      ) as "isCovered"
    from action_runs r join invocations i on i.org_id = r.org_id and i.id = r.invocation ->> 'id'
    where r.org_id = ${orgId} and r.decision is not null`);
  const starts = await database.rows<StoredCall>(sql`
    select c.id as run, case when exists (select 1 from workflow_versions v, jsonb_array_elements(v.definition::jsonb -> 'nodes') n
        where v.org_id = c.org_id and v.workflow_key = c.workflow_key and v.version = c.version
          and n #>> '{config,type}' = 'DELETE_ENTITY') then 'DELETE' else 'CREATE' end as operation,
      c.decision ->> 'result' as result, c.decision ->> 'rule' as rule, c.decision ? 'observed' as "isObserved",
      c.decision -> 'label' as label, to_json(coalesce(r.text_authors, c.text_authors)) as "runLabel",
      to_json(i.label) as "invocationLabel", '[]'::jsonb as shown,
      exists (select 1 from ai_standing_uses u
        join ai_standing_approvals a on a.org_id = u.org_id and a.id = u.approval_id
        join workflows w on w.org_id = u.org_id and w.key = c.workflow_key
        where u.org_id = c.org_id and u.run_id = c.id and a.id = c.decision #>> '{standing,id}'
          and a.action_id = w.id || '/' || c.trigger_node and a.action_version = c.version) as "isCovered"
    from workflow_run_calls c join invocations i on i.org_id = c.org_id and i.id = c.invocation
    left join workflow_runs r on r.org_id = c.org_id and r.id = c.id
    where c.org_id = ${orgId} and c.decision is not null`);
  const unasked = await database.rows<{ id: string }>(sql`
    select r.id from workflow_runs r join workflow_run_calls c on c.org_id = r.org_id and c.id = r.id
    where r.org_id = ${orgId} and (c.state <> 'STARTED' or (c.draft is not null and c.decided_by is null))`);
  const sent = await database.rows<{ call: string; rule: string }>(sql`
    select invocation_id || ' ' || call_id as call, rule from invocation_egress
    where org_id = ${orgId} and not is_observed`);
  return [
    ...unasked.map(({ id }) => `${id}: began although nobody approved it`),
    ...[...calls, ...starts].flatMap((call) => brokenBy(call).map((what) => `${call.run} (${call.rule}): ${what}`)),
    ...sent.filter(({ rule }) => !leaving.has(rule)).map(({ call, rule }) => `${call} (${rule}): left for a server`),
  ];
}

const leaving = new Set(['asked-for', 'open', 'nothing-read', 'vouched']);
const allowing = new Set(['standing', 'asked-for', 'open', 'authority', 'nothing-read']);

function brokenBy(call: StoredCall): string[] {
  const { result, rule, label, runLabel, shown, operation, isObserved, invocationLabel } = call;
  const isFree = rule === 'authority' || rule === 'nothing-read';
  const hasOpenText = label.includes('outside') || label.includes('*');
  const known = new Set(invocationLabel ?? []);
  return [
    result === 'execute' && !isObserved && !allowing.has(rule) ? 'was executed by no rule that allows it' : '',
    result === 'execute' && rule === 'standing' && !call.isCovered ? 'was covered by no standing approval' : '',
    isFree && hasOpenText ? 'was executed although text of anybody had been read' : '',
    isFree && operation === 'DELETE' ? 'was destructive and not asked for' : '',
    label.some((author) => !runLabel.includes(author)) ? 'does not carry the label of its call' : '',
    !known.has('*') && [...label, ...shown].some((author) => !known.has(author))
      ? 'was read and is not in the label'
      : '',
  ].filter((what) => what !== '');
}
