import sql from 'sql-template-tag';
import type { Interest } from '../../journal/index.ts';

/** Name of this consumer of events; its targets are `<workflow key>/<trigger node>`. */
export const workflowsConsumer = 'workflows';

/** Selects the triggers that listen to the records being written; they are found once, not for each of many records. */
export const workflowInterest: Interest = (orgId) => sql`
  select 'workflows' as consumer, t.workflow_key::text || '/' || t.node as target, w.key
  from (
    with listening as materialized (
      select t.workflow_key, t.node, t.event, t.blueprint, t.property from workflow_triggers t
      where t.org_id = ${orgId} and t.event is not null and t.published and not exists (
        select 1 from workflow_pauses p
        where p.org_id = ${orgId} and (p.workflow_key = 0 or p.workflow_key = t.workflow_key and p.node in ('', t.node))))
    select * from listening) t
  join written w on w.context ->> 'blueprint' = t.blueprint
  where w.resource_type = 'entity' and case w.event
    when 'entity.created' then t.event in ('ENTITY_CREATED', 'ANY_ENTITY_CHANGE')
    when 'entity.updated' then t.event in ('ENTITY_UPDATED', 'ANY_ENTITY_CHANGE')
    when 'entity.deleted' then t.event in ('ENTITY_DELETED', 'ANY_ENTITY_CHANGE')
    when 'entity.timer-expired' then t.event = 'TIMER_EXPIRED' and t.property = w.context ->> 'property'
    else false end
  union all
  select 'workflows' as consumer, t.workflow_key::text || '/' || t.node as target, w.key
  from written w join workflow_triggers t on t.org_id = ${orgId} and t.published and case w.resource_type
    when 'run' then t.event = 'ACTION_RUN_ENDED' and (t.property is null or t.property = w.context ->> 'action')
    when 'workflowRun' then t.event = 'WORKFLOW_RUN_ENDED'
      and w.after ->> 'isPart' is null and w.after ->> 'repeatedBy' is null
      and (t.property is null or t.property = w.context ->> 'workflow')
    else false end
  where t.kind = 'RUN_TRIGGER' and not exists (
    select 1 from workflow_pauses p
    where p.org_id = ${orgId} and (p.workflow_key = 0 or p.workflow_key = t.workflow_key and p.node in ('', t.node))) and (
    (w.event = 'run.updated' and w.after ->> 'status' in ('SUCCESS', 'FAILURE', 'DECLINED')
      and w.before ->> 'status' not in ('SUCCESS', 'FAILURE', 'DECLINED'))
    or (w.event = 'workflow-run.updated' and w.after ->> 'status' = 'COMPLETED' and w.before ->> 'status' <> 'COMPLETED'))`;
