import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { computed, fields, row } from '../../../platform/db/row.ts';

/** A relation to `_team` from which a blueprint inherits its teams, and which is to go. */
export interface TeamRelation {
  readonly blueprintKey: number;
  readonly relation: string;
}

const lastRow = row({ last: computed.number.orNull() });

/**
 * Gives entities as their own the teams that a relation leads them to, a batch of them after `afterKey`, and answers the last
 * key that was looked at; undefined at the end. While the blueprint inherits along that relation nobody sees their own teams,
 * so this can be done long before the relation goes. What entities named themselves until then is kept for `migrationId`.
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
 * The same for what was written since a moment, as the journal tells: at once, and no more work than there was written. An
 * index of what is due would do too, but finds every row that was due once, until it is vacuumed.
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

/** Entities whose teams were left to be computed later have them computed now: by what their relation says. */
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
 * Drops what entities hold under a relation that their blueprint no longer has, after `afterKey`, and answers the last key
 * that was looked at; undefined at the end. Who was written since the relation went has dropped it, or means another one.
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
