import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';

const facts = row({
  hasModel: computed.boolean,
  holdsDemo: computed.boolean,
  hasSource: computed.boolean,
  entities: computed.number,
  hasTeam: computed.boolean,
  isFresh: computed.boolean,
  people: computed.number,
  hasEvaluated: computed.boolean,
  hasAnswer: computed.boolean,
  hasRun: computed.boolean,
});
export type ChecklistFacts = RowOf<typeof facts>;

/** So many entities are counted, and no more. */
export const entitiesWanted = 10;
/** So many of the newest entities of a blueprint, invocations and runs are looked at. */
const sampleMax = 1000;

/**
 * What is there, without the demo, whose author is the platform. Every part ends at the first row that decides, so the
 * size of the organization does not matter.
 */
export async function findFacts(reader: Reader, orgId: string): Promise<ChecklistFacts> {
  const [found] = await reader.rows(facts.sql`
    with own as (
      select key, created_by = 'portolan' as "isDemo" from blueprints where org_id = ${orgId} and not is_system
    )
    select
      exists (select 1 from own where not "isDemo") as "hasModel",
      exists (select 1 from own where "isDemo") as "holdsDemo",
      exists (select 1 from sources where org_id = ${orgId} and created_by <> 'portolan')
        or exists (select 1 from integrations where org_id = ${orgId} and created_by <> 'portolan')
        or exists (select 1 from webhook_deliveries where org_id = ${orgId} and state = 'processed') as "hasSource",
      (select count(*)::int from (
        select 1 from own cross join lateral (
          select e.created_by from entities e
          where e.org_id = ${orgId} and e.blueprint_key = own.key
          order by e.key desc limit ${sampleMax}) as sample
        where sample.created_by <> 'portolan' limit ${entitiesWanted}) as counted) as entities,
      exists (
        select 1 from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
        where m.org_id = ${orgId} and not exists (
          select 1 from blueprints b join entities e on e.org_id = b.org_id and e.blueprint_key = b.key
          where b.org_id = ${orgId} and b.identifier = '_team' and e.identifier = t.identifier
            and e.created_by = 'portolan')) as "hasTeam",
      exists (
        select 1 from sources s where s.org_id = ${orgId} and (
          select count(*) from (
            select 1 from source_syncs y
            where y.org_id = ${orgId} and y.source_key = s.key and y.status = 'completed' and not y.is_plan
            limit 2) as syncs) = 2)
        or exists (
          select 1 from integration_syncs where org_id = ${orgId} and sync_state = 'completed'
          group by integration_key having count(distinct event_id) > 1)
        or exists (select 1 from webhook_deliveries where org_id = ${orgId} and state = 'processed') as "isFresh",
      (select count(*)::int from (
        select 1 from users where org_id = ${orgId} and last_login_at is not null limit 2) as counted) as people,
      exists (
        select 1 from scorecards s where s.org_id = ${orgId} and s.created_by <> 'portolan' and exists (
          select 1 from entities e where e.org_id = ${orgId} and e.blueprint_key = s.blueprint_key)) as "hasEvaluated",
      exists (
        select 1 from (
          select state, usage from invocations where org_id = ${orgId} order by asked_at desc limit ${sampleMax}) as last
        where state = 'completed' and (usage ->> 'toolCalls')::int > 0) as "hasAnswer",
      exists (
        select 1 from (
          select status, created_by from action_runs where org_id = ${orgId} order by key desc limit ${sampleMax}) as last
        where status in ('SUCCESS', 'DECLINED') and created_by <> 'portolan') as "hasRun"`);
  return found as ChecklistFacts;
}

const owned = row({ entities: computed.number, owned: computed.number });

/**
 * How many of the newest thousand entities of the main blueprint have a team. The main blueprint is `service` where it
 * has entities, else the organization's own with the most entities, counted to a hundred.
 */
export async function findOwned(reader: Reader, orgId: string): Promise<RowOf<typeof owned>> {
  const [found] = await reader.rows(owned.sql`
    with main as (
      select b.key from blueprints b cross join lateral (
        select count(*) as number from (
          select 1 from entities e where e.org_id = ${orgId} and e.blueprint_key = b.key
          order by e.key desc limit 100) as first
      ) as counted
      where b.org_id = ${orgId} and not b.is_system and b.created_by <> 'portolan' and counted.number > 0
      order by b.identifier = 'service' desc, counted.number desc, b.key limit 1
    )
    select count(*)::int as entities, count(*) filter (where cardinality(sample.team_refs) > 0)::int as owned
    from (
      select e.team_refs from entities e
      where e.org_id = ${orgId} and e.blueprint_key = (select key from main)
      order by e.key desc limit ${sampleMax}) as sample`);
  return found as RowOf<typeof owned>;
}

const firstPassword = row({ isHeld: computed.boolean });

/** Whether somebody may sign in with a password that was set as the organization was made, in the same transaction. */
export async function holdsFirstPassword(reader: Reader, orgId: string): Promise<boolean> {
  const found = await reader.first(firstPassword.sql`
    select exists (
      select 1 from organizations o
      join user_passwords p on p.org_id = o.id and p.changed_at <= o.created_at
      join users u on u.org_id = p.org_id and u.key = p.user_key and u.status <> 'Disabled'
      where o.id = ${orgId}) as "isHeld"`);
  return found?.isHeld === true;
}

const dismissal = row(fields('checklists', 'is_dismissed', 'dismissed_items'));
export type Dismissal = RowOf<typeof dismissal>;

export function findDismissal(reader: Reader, orgId: string): Promise<Dismissal | undefined> {
  return reader.first(dismissal.sql`
    select is_dismissed as "isDismissed", dismissed_items as "dismissedItems" from checklists where org_id = ${orgId}`);
}

/** The row, locked until the transaction ends. */
export async function lockDismissal(tx: Tx, orgId: string): Promise<Dismissal> {
  await tx.execute(sql`insert into checklists (org_id) values (${orgId}) on conflict do nothing`);
  const found = await tx.first(dismissal.sql`
    select is_dismissed as "isDismissed", dismissed_items as "dismissedItems"
    from checklists where org_id = ${orgId} for update`);
  return found as Dismissal;
}

export async function updateDismissal(
  tx: Tx,
  orgId: string,
  { isDismissed, dismissedItems }: Dismissal,
): Promise<void> {
  await tx.execute(sql`
    update checklists set is_dismissed = ${isDismissed}, dismissed_items = ${dismissedItems}::text[]
    where org_id = ${orgId}`);
}

const milestone = row(fields('organization_milestones', 'milestone', 'at'));

export function listMilestones(reader: Reader, orgId: string): Promise<RowOf<typeof milestone>[]> {
  return reader.rows(milestone.sql`select milestone, at from organization_milestones where org_id = ${orgId}`);
}

const milestoneName = row(fields('organization_milestones', 'milestone'));

/** What is there already keeps its moment. Answers those that are new. */
export async function insertMilestones(
  tx: Tx,
  orgId: string,
  milestones: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await tx.rows(milestoneName.sql`
    insert into organization_milestones (org_id, milestone, at)
    select ${orgId}, reached, ${at} from unnest(${milestones}::text[]) as reached
    on conflict do nothing returning milestone`);
  return rows.map(({ milestone: name }) => name);
}

const unfinished = row({
  orgId: field('organizations', 'id'),
  ...fields('organizations', 'model', 'entered_at'),
});

/** Organizations that have not reached everything; a demo reaches nothing of its own. */
export function listUnfinished(reader: Reader, all: number): Promise<RowOf<typeof unfinished>[]> {
  return reader.rows(unfinished.sql`
    select o.id as "orgId", o.model, o.entered_at as "enteredAt" from organizations o
    where o.demo_of is null and o.id not in (
      select m.org_id from organization_milestones m group by m.org_id having count(*) >= ${all})
    order by o.id /* all organizations */`);
}
