import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { computed, fields, row } from '../../../platform/db/row.ts';

/** A relation to `_team` that the migration removes and from which the blueprint inherits its teams. */
export interface TeamRelation {
  readonly blueprintKey: number;
  readonly relation: string;
}

const lastRow = row({ last: computed.number.orNull() });

/**
 * Copies the teams of a relation into the entities' own teams, for one batch after `afterKey`. Returns the last key of
 * the batch; undefined at the end. While the blueprint inherits along the relation, own teams are invisible, so this
 * may run long before the flip. Previous own teams are kept for `migrationId`.
 */
export async function convertOwnership(
  tx: Tx,
  orgId: string,
  migrationId: string,
  relation: TeamRelation,
  { afterKey, limit }: { readonly afterKey: number; readonly limit: number },
): Promise<number | undefined> {
  const page = await tx.first(lastRow.sql`
    select max(p.key) as last from (
      select e.key from entities e
      where e.org_id = ${orgId} and e.blueprint_key = ${relation.blueprintKey}::bigint and e.key > ${afterKey}
      order by e.key limit ${limit}) p`);
  if (!page || page.last === null) return undefined;
  await convertRows(tx, orgId, migrationId, relation, sql`e.key > ${afterKey} and e.key <= ${page.last}`);
  return page.last;
}

/**
 * Like `convertOwnership`, for the entities that the journal has as written since a moment; the cost grows with those
 * writes only. An index of pending rows would return every formerly pending row until a vacuum.
 */
export async function convertWritten(
  tx: Tx,
  orgId: string,
  migrationId: string,
  relation: TeamRelation & { readonly blueprint: string },
  since: Date,
): Promise<void> {
  const written = sql`e.key in (
    select x.key from journal j
    join entities x on x.org_id = ${orgId} and x.blueprint_key = ${relation.blueprintKey}::bigint
      and x.identifier = j.identifier
    where j.org_id = ${orgId} and j.context ->> 'blueprint' = ${relation.blueprint} and j.at >= ${since}
      and j.resource_type = 'entity')`;
  await convertRows(tx, orgId, migrationId, relation, written);
}

async function convertRows(
  tx: Tx,
  orgId: string,
  migrationId: string,
  { blueprintKey, relation }: TeamRelation,
  which: Sql,
): Promise<void> {
  await tx.execute(sql`
    with due as materialized (
      select e.key, e.own_team_refs from entities e
      where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint and ${which}
        and e.own_team_refs <> e.team_refs
      order by e.key for no key update),
    led as (
      select d.key, array(
        select t.key from entity_relations r
        join entities x on x.org_id = ${orgId} and x.key = r.target_key
        join teams t on t.org_id = ${orgId} and t.identifier = x.identifier
        where r.org_id = ${orgId} and r.source_key = d.key and r.relation = ${relation}
        order by r.position) as refs
      from due d),
    kept as (
      insert into people_migration_teams (org_id, migration_id, entity_key, own_team_refs)
      select ${orgId}, ${migrationId}, d.key, d.own_team_refs from due d where d.own_team_refs <> '{}'
      on conflict (org_id, migration_id, entity_key) do nothing)
    update entities e set own_team_refs = l.refs, team_refs = l.refs from led l
    where e.org_id = ${orgId} and e.key = l.key`);
}

/** Converts entities whose teams are still to be recomputed, by their relation. */
export async function convertMarked(tx: Tx, orgId: string, { blueprintKey, relation }: TeamRelation): Promise<void> {
  await tx.execute(sql`
    update entities e set own_team_refs = l.refs, team_refs = l.refs
    from (
      select m.entity_key as key, array(
        select t.key from entity_relations r
        join entities x on x.org_id = ${orgId} and x.key = r.target_key
        join teams t on t.org_id = ${orgId} and t.identifier = x.identifier
        where r.org_id = ${orgId} and r.source_key = m.entity_key and r.relation = ${relation}
        order by r.position) as refs
      from derived_marks m
      where m.org_id = ${orgId} and m.blueprint_key = ${blueprintKey}::bigint and m.name in ('$team', '*')) l
    where e.org_id = ${orgId} and e.key = l.key`);
}

const entityRow = row({ ...fields('entities', 'key'), isDue: computed.boolean });

/**
 * Deletes values of a removed relation from entities after `afterKey`. Returns the last key of the batch; undefined at
 * the end. Entities written since the removal are skipped: they have dropped the value, or have a new relation of that
 * name.
 */
export async function clearRelation(
  tx: Tx,
  orgId: string,
  { blueprintKey, relation }: TeamRelation,
  { goneSince, afterKey, limit }: { readonly goneSince: Date; readonly afterKey: number; readonly limit: number },
): Promise<number | undefined> {
  const rows = await tx.rows(entityRow.sql`
    select e.key, e.updated_at <= ${goneSince} as "isDue" from entities e
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey}::bigint and e.key > ${afterKey}
    order by e.key limit ${limit} for no key update`);
  const keys = rows.flatMap(({ key, isDue }) => (isDue ? [key] : []));
  await tx.execute(sql`
    update entities set relations = relations - ${relation}::text
    where org_id = ${orgId} and key = any(${keys}::bigint[]) and relations ? ${relation}`);
  await tx.execute(sql`
    delete from entity_relations
    where org_id = ${orgId} and source_key = any(${keys}::bigint[]) and relation = ${relation}`);
  return rows.at(-1)?.key;
}
