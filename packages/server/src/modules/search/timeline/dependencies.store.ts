import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../../platform/db/row.ts';

const dependency = row(fields('entities', 'key', 'blueprint_key', 'identifier', 'title', 'created_at'));
export type DependencyRow = RowOf<typeof dependency>;

interface Dependencies {
  readonly key: number;
  readonly relations: readonly string[];
  /** Condition on the `entities e` at the other end. */
  readonly permitted: Sql;
  readonly limit: number;
}

/** The entities that an entity points to over these relations, each once; those first that were written last. */
export function selectDependencies(
  reader: Reader,
  orgId: string,
  { key, relations, permitted, limit }: Dependencies,
): Promise<DependencyRow[]> {
  return reader.rows(dependency.sql`
    select e.key, e.blueprint_key as "blueprintKey", e.identifier, e.title, e.created_at as "createdAt"
    from entities e
    where e.org_id = ${orgId} and e.key <> ${key} and e.key in (
      select r.target_key from entity_relations r
      where r.org_id = ${orgId} and r.source_key = ${key} and r.relation = any(${[...relations]}::text[]))
      and ${permitted}
    order by e.updated_at desc, e.key desc limit ${limit}`);
}
