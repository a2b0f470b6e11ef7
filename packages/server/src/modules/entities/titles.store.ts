import type { Reader } from '../../platform/db/database.ts';
import { field, fields, type RowOf, row } from '../../platform/db/row.ts';

const titled = row({
  ...fields('entity_relations', 'source_key', 'relation'),
  ...fields('entities', 'identifier', 'title', 'key', 'blueprint_key'),
});

/** What an entity points at. */
export type TargetTitle = RowOf<typeof titled>;

export function listTargets(reader: Reader, orgId: string, sourceKeys: readonly number[]): Promise<TargetTitle[]> {
  return reader.rows(titled.sql`
    select r.source_key as "sourceKey", r.relation, t.identifier, t.title, t.key, t.blueprint_key as "blueprintKey"
    from entity_relations r
    join entities t on t.org_id = r.org_id and t.key = r.target_key
    where r.org_id = ${orgId} and r.source_key = any(${sourceKeys}::bigint[])`);
}

export interface End {
  readonly identifier: string;
  readonly title: string;
}

const targetRow = row(fields('entity_relations', 'source_key', 'target_key'));

/** Where a relation leads from some entities, in the order of each. */
export function listEdges(
  reader: Reader,
  orgId: string,
  relation: string,
  sourceKeys: readonly number[],
): Promise<{ readonly sourceKey: number; readonly targetKey: number }[]> {
  return reader.rows(targetRow.sql`
    select source_key as "sourceKey", target_key as "targetKey" from entity_relations
    where org_id = ${orgId} and relation = ${relation} and source_key = any(${sourceKeys}::bigint[])
    order by source_key, position`);
}

const entityRow = row({ ...fields('entities', 'identifier', 'key'), title: field('entities', 'title').notNull() });

/** Those of the entities that have a title. */
export function listTitles(
  reader: Reader,
  orgId: string,
  keys: readonly number[],
): Promise<(End & { readonly key: number })[]> {
  return reader.rows(entityRow.sql`
    select key, identifier, title from entities
    where org_id = ${orgId} and key = any(${keys}::bigint[]) and title is not null`);
}
