import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';
import type { TeamRelation } from './convert-ownership.store.ts';

interface ReturnedRelation extends TeamRelation {
  readonly isMany: boolean;
}

const entityIdentifier = row(fields('entities', 'identifier'));

/** Entities whose teams the relation cannot hold: unresolved names, or several teams for a relation to one. */
export async function listUnreturnable(
  reader: Reader,
  orgId: string,
  { blueprintKey, isMany }: ReturnedRelation,
  limit: number,
): Promise<string[]> {
  const rows = await reader.rows(entityIdentifier.sql`
    select e.identifier from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint and e.own_team_refs <> '{}'
      and (exists (select 1 from unnest(e.own_team_refs) as r(reference) where r.reference like '?%')
        or (not ${isMany} and cardinality(e.own_team_refs) > 1))
    order by e.key limit ${limit}`);
  return rows.map(({ identifier }) => identifier);
}

/** Reverses `convertOwnership`: the relation gets the current teams, and own teams become the earlier ones. */
export async function restoreTeams(
  tx: Tx,
  orgId: string,
  migrationId: string,
  { blueprintKey, relation, isMany }: ReturnedRelation,
): Promise<void> {
  await tx.execute(sql`
    delete from entity_relations
    where org_id = ${orgId} and source_blueprint_key = ${blueprintKey}::bigint and relation = ${relation}`);
  await tx.execute(sql`
    update entities set relations = relations - ${relation}::text
    where org_id = ${orgId} and blueprint_key = ${blueprintKey}::bigint and relations ? ${relation}`);
  await tx.execute(sql`
    insert into entity_relations (org_id, source_key, relation, target_key, source_blueprint_key, position)
    select ${orgId}, e.key, ${relation}, x.key, ${blueprintKey}::bigint, r.position - 1
    from entities e
    cross join lateral unnest(e.own_team_refs) with ordinality as r(reference, position)
    join teams t on t.org_id = ${orgId} and t.key = r.reference
    join blueprints b on b.org_id = ${orgId} and b.identifier = '_team'
    join entities x on x.org_id = ${orgId} and x.blueprint_key = b.key and x.identifier = t.identifier
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint and e.own_team_refs <> '{}'`);
  await tx.execute(sql`
    update entities e set
      relations = case when l.names is null then e.relations
        else jsonb_set(e.relations, array[${relation}::text], case when ${isMany} then l.names else l.names -> 0 end) end,
      own_team_refs = coalesce((
        select k.own_team_refs from people_migration_teams k
        where k.org_id = ${orgId} and k.migration_id = ${migrationId} and k.entity_key = e.key), '{}')
    from (
      select s.key, (
        select jsonb_agg(t.identifier order by r.position)
        from unnest(s.own_team_refs) with ordinality as r(reference, position)
        join teams t on t.org_id = ${orgId} and t.key = r.reference) as names
      from entities s
      where s.org_id = ${orgId} and s.blueprint_key = ${blueprintKey}::bigint and s.own_team_refs <> '{}') l
    where e.org_id = ${orgId} and e.key = l.key`);
}
