import sql from 'sql-template-tag';
import { groupBy } from '../../platform/collections.ts';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import { selectKeys } from './entity.store.ts';

const targetRow = row({
  ...fields('entities', 'identifier', 'key'),
  blueprint: computed.text,
  blueprintKey: field('blueprints', 'key'),
});
export type TargetRow = RowOf<typeof targetRow>;

/**
 * Finds the targets of relations and holds them: they may change but not be deleted during the transaction. Keys are
 * looked up one by one and locked in order, like in `lockEntities`.
 */
export function holdTargets(
  tx: Tx,
  orgId: string,
  wanted: readonly { readonly blueprint: string; readonly identifier: string }[],
): Promise<TargetRow[]> {
  if (wanted.length === 0) return Promise.resolve([]);
  return tx.rows(targetRow.sql`
    select o.blueprint, o."blueprintKey", e.identifier, e.key from (
      select w.blueprint, b.key as "blueprintKey", n.key, n.name
      from (
        select r.blueprint, array_agg(distinct r.identifier) as identifiers
        from jsonb_to_recordset(${json(wanted)}::jsonb) as r(blueprint text, identifier text) group by r.blueprint) w
      join blueprints b on b.org_id = ${orgId} and b.identifier = w.blueprint
      cross join lateral (${selectKeys(orgId, sql`b.key`, sql`w.identifiers`)}) n
      order by n.key) o
    cross join lateral (
      select x.key, x.identifier from entities x
      where x.org_id = ${orgId} and x.key = o.key and x.identifier = o.name for key share) e`);
}

export interface Edge {
  readonly sourceKey: number;
  readonly relation: string;
  readonly targetKey: number;
  readonly position: number;
}

const entityRelationRow = row(fields('entity_relations', 'relation', 'target_key'));

/** Removes the sources' edges that are not among these, and returns them. */
export function dropOtherEdges(
  tx: Tx,
  orgId: string,
  sourceKeys: readonly number[],
  edges: readonly Edge[],
): Promise<Pick<Edge, 'relation' | 'targetKey'>[]> {
  if (sourceKeys.length === 0) return Promise.resolve([]);
  return tx.rows(entityRelationRow.sql`
    delete from entity_relations r
    where r.org_id = ${orgId} and r.source_key = any(${sourceKeys}::bigint[])
      and not exists (
        select 1 from jsonb_to_recordset(${json(edges)}::jsonb)
          as n("sourceKey" bigint, relation text, "targetKey" bigint, position int)
        where n."sourceKey" = r.source_key and n.relation = r.relation and n."targetKey" = r.target_key)
    returning r.relation, r.target_key as "targetKey"`);
}

/** Adds edges of entities of one blueprint; existing ones only get their position updated. */
export function addEdges(tx: Tx, orgId: string, blueprintKey: number, edges: readonly Edge[]): void {
  if (edges.length === 0) return;
  tx.send(sql`
    insert into entity_relations (org_id, source_key, relation, target_key, source_blueprint_key, position)
    select ${orgId}, n."sourceKey", n.relation, n."targetKey", ${blueprintKey}::bigint, n.position
    from jsonb_to_recordset(${json(edges)}::jsonb)
      as n("sourceKey" bigint, relation text, "targetKey" bigint, position int)
    on conflict (org_id, source_key, relation, target_key) do update set position = excluded.position
      where entity_relations.position <> excluded.position`);
}

const dependent = row({
  ...fields('entity_relations', 'source_key', 'relation', 'target_key'),
  sourceBlueprintKey: field('blueprints', 'key'),
  sourceBlueprint: field('blueprints', 'identifier'),
  sourceIdentifier: field('entities', 'identifier'),
});
export type Dependent = RowOf<typeof dependent>;

/** Entities pointing at one of the targets, locked; optionally without those of one blueprint over one relation. */
export function lockDependents(
  tx: Tx,
  orgId: string,
  targetKeys: readonly number[],
  except?: { readonly blueprintKey: number; readonly relation: string },
): Promise<Dependent[]> {
  const others = except
    ? sql`and not (r.source_blueprint_key = ${except.blueprintKey} and r.relation = ${except.relation})`
    : sql``;
  return tx.rows(dependent.sql`
    select r.source_key as "sourceKey", b.key as "sourceBlueprintKey", b.identifier as "sourceBlueprint", e.identifier as "sourceIdentifier",
      r.relation, r.target_key as "targetKey"
    from entity_relations r
    join entities e on e.org_id = r.org_id and e.key = r.source_key
    join blueprints b on b.org_id = r.org_id and b.key = r.source_blueprint_key
    where r.org_id = ${orgId} and r.target_key = any(${targetKeys}::bigint[]) ${others}
    order by r.source_key for no key update of e`);
}

/**
 * Updates relation values after a rename or deletion: the new identifier, or nothing. A list that becomes empty is
 * unset.
 */
export async function rewriteRelationValues(
  tx: Tx,
  orgId: string,
  dependents: readonly Pick<Dependent, 'sourceKey' | 'relation'>[],
  from: string,
  to: string | null,
): Promise<void> {
  const byRelation = groupBy(dependents, ({ relation }) => relation);
  for (const [relation, rows] of byRelation) {
    const keys = rows.map(({ sourceKey }) => sourceKey);
    await tx.execute(sql`
      update entities e set relations = jsonb_set_lax(e.relations, array[${relation}::text], n.value, true, 'delete_key')
      from (
        select s.key, case when jsonb_typeof(s.relations -> ${relation}) = 'array' then l.list
          else ${to === null ? null : json(to)}::jsonb end as value
        from entities s cross join lateral (
          select jsonb_agg(case when v.value = ${from} then ${to}::text else v.value end order by v.position)
            filter (where v.value <> ${from} or ${to}::text is not null) as list
          from jsonb_array_elements_text(
            case when jsonb_typeof(s.relations -> ${relation}) = 'array' then s.relations -> ${relation} else '[]' end
          ) with ordinality as v(value, position)) l
        where s.org_id = ${orgId} and s.key = any(${keys}::bigint[])) n
      where e.org_id = ${orgId} and e.key = n.key`);
  }
}

const targetUse = row(fields('entity_relations', 'source_blueprint_key', 'relation', 'target_key'));

export function listEdges(
  reader: Reader,
  orgId: string,
  sourceKeys: readonly number[],
): Promise<{ readonly sourceBlueprintKey: number; readonly relation: string; readonly targetKey: number }[]> {
  return reader.rows(targetUse.sql`
    select distinct source_blueprint_key as "sourceBlueprintKey", relation, target_key as "targetKey"
    from entity_relations where org_id = ${orgId} and source_key = any(${sourceKeys}::bigint[])`);
}
