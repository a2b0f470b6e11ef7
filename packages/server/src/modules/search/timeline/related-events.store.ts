import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';

const pointing = row({
  ...fields('entities', 'identifier', 'title'),
  at: computed.time,
  state: computed.text.orNull(),
});

interface Pointing {
  readonly target: number;
  readonly blueprint: StoredBlueprint;
  readonly relations: readonly string[];
  /** The moment of row `e`; its creation where that is empty. */
  readonly moment: Sql;
  /** The key of the property with its state. */
  readonly state: string;
  readonly condition: Sql;
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/** Entities of a blueprint that point to an entity within a span of time, newest first. */
export function selectPointing(
  reader: Reader,
  orgId: string,
  { target, blueprint, relations, moment, state, condition, from, to, limit }: Pointing,
): Promise<RowOf<typeof pointing>[]> {
  return reader.rows(pointing.sql`
    select found.identifier, found.title, found.at, found.state
    from (
      select e.key, e.identifier, e.title, coalesce(${moment}, e.created_at) as at, e.properties ->> ${state}::text as state
      from entities e
      where e.org_id = ${orgId} and e.blueprint_key = ${blueprint.key} and e.key in (
        select r.source_key from entity_relations r
        where r.org_id = ${orgId} and r.target_key = ${target} and r.relation = any(${[...relations]}::text[]))
        and ${condition}
    ) found
    where found.at >= ${from} and found.at <= ${to}
    order by found.at desc, found.key desc limit ${limit}`);
}
