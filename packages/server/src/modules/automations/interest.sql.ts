import sql from 'sql-template-tag';
import type { Interest } from '../journal/index.ts';

/** Name of this consumer of events; its targets are keys of automations. */
export const automationsConsumer = 'automations';

/**
 * Selects the automations that listen to the records being written. A draft run counts as created when it is approved,
 * so a declined one never counts. Those that listen to entities are found once, not for each of many records.
 */
export const automationInterest: Interest = (orgId) => sql`
  select 'automations' as consumer, a.key::text as target, w.key
  from (
    with listening as materialized (
      select a.key, a.listens_to, a.listens_about, b.identifier as blueprint
      from actions a join blueprints b on b.org_id = a.org_id and b.key = a.blueprint_key
      where a.org_id = ${orgId} and a.listens_to is not null)
    select * from listening) a
  join written w on w.context ->> 'blueprint' = a.blueprint
  where w.resource_type = 'entity' and case w.event
    when 'entity.created' then a.listens_to in ('ENTITY_CREATED', 'ANY_ENTITY_CHANGE')
    when 'entity.updated' then a.listens_to in ('ENTITY_UPDATED', 'ANY_ENTITY_CHANGE')
    when 'entity.deleted' then a.listens_to in ('ENTITY_DELETED', 'ANY_ENTITY_CHANGE')
    when 'entity.timer-expired' then
      a.listens_to = 'TIMER_PROPERTY_EXPIRED' and a.listens_about = w.context ->> 'property'
    else false end
  union all
  select 'automations' as consumer, a.key::text as target, w.key
  from written w
  join actions a on a.org_id = ${orgId} and a.listens_about = w.context ->> 'action'
    and a.listens_to in ('RUN_CREATED', 'RUN_UPDATED', 'ANY_RUN_CHANGE')
  where w.resource_type = 'run' and w.event in ('run.created', 'run.updated')
    and w.after ->> 'status' <> 'DRAFT'
    and not (w.before ->> 'status' is not distinct from 'DRAFT' and w.after ->> 'status' = 'DECLINED')
    and (a.listens_to = 'ANY_RUN_CHANGE'
      or (a.listens_to = 'RUN_CREATED')
        = (w.event = 'run.created' or w.before ->> 'status' is not distinct from 'DRAFT'))`;
