import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';

interface NewPeopleEntities {
  readonly orgId: string;
  readonly blueprintKey: number;
  readonly by: string;
  readonly at: Date;
}

/** Creates an entity for every team, with the team's own times (users-and-teams §2.3, R0). */
export async function insertTeamEntities(tx: Tx, { orgId, blueprintKey, by, at }: NewPeopleEntities): Promise<number> {
  return tx.execute(sql`
    insert into entities (org_id, blueprint_key, identifier, title, icon, properties, derived, datasource, seen_at,
      created_at, created_by, updated_at, updated_by)
    select t.org_id, ${blueprintKey}::bigint, t.identifier, t.title, 'Team',
      jsonb_strip_nulls(jsonb_build_object('description', t.description)),
      jsonb_build_object('size', (
        select count(*) from team_members m where m.org_id = ${orgId} and m.team_key = t.key)),
      ${by}, ${at}::timestamptz, t.created_at, ${by}, t.updated_at, ${by}
    from teams t where t.org_id = ${orgId} order by t.created_at, t.identifier`);
}

/** Creates an entity for every user; the title falls back to the email address. */
export async function insertUserEntities(tx: Tx, { orgId, blueprintKey, by, at }: NewPeopleEntities): Promise<number> {
  return tx.execute(sql`
    insert into entities (org_id, blueprint_key, identifier, title, icon, properties, own_team_refs, team_refs,
      datasource, seen_at, created_at, created_by, updated_at, updated_by)
    select u.org_id, ${blueprintKey}::bigint, u.identifier, coalesce(u.title, u.identifier), 'User',
      jsonb_strip_nulls(jsonb_build_object('status', u.status, 'port_role', u.role, 'port_type', u.type,
        'moderated_blueprints',
        case when u.moderated_blueprints = '{}' then null else to_jsonb(u.moderated_blueprints) end)),
      n.refs, n.refs, ${by}, ${at}::timestamptz, u.created_at, ${by}, u.updated_at, ${by}
    from users u
    cross join lateral (select array(
      select t.key from team_members m join teams t on t.org_id = ${orgId} and t.key = m.team_key
      where m.org_id = ${orgId} and m.user_key = u.key order by t.created_at, t.identifier) as refs) n
    where u.org_id = ${orgId} order by u.created_at, u.identifier`);
}

/** Deletes the entities of a blueprint and their relations; the rows of users and teams stay. */
export async function dropBlueprintEntities(tx: Tx, orgId: string, blueprintKey: number): Promise<void> {
  await tx.execute(sql`
    delete from entity_relations r using entities e
    where r.org_id = ${orgId} and e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint
      and (r.source_key = e.key or r.target_key = e.key)`);
  await tx.execute(sql`
    delete from derived_marks where org_id = ${orgId} and blueprint_key = ${blueprintKey}::bigint`);
  await tx.execute(sql`
    delete from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey}::bigint`);
}
