import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';

const pointing = row({
  ...fields('entities', 'identifier', 'title'),
  at: computed.time,
  target: computed.number,
  state: computed.text.orNull(),
});

interface Pointing {
  readonly targets: readonly number[];
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

/** Entities of a blueprint that point to one of several within a span of time, newest first, each with the first of them. */
export function selectPointing(
  reader: Reader,
  orgId: string,
  { targets, blueprint, relations, moment, state, condition, from, to, limit }: Pointing,
): Promise<RowOf<typeof pointing>[]> {
  return reader.rows(pointing.sql`
    select found.identifier, found.title, found.at, found.target, found.state
    from (
      select e.key, e.identifier, e.title, pointing.target, coalesce(${moment}, e.created_at) as at,
        e.properties ->> ${state}::text as state
      from (
        select r.source_key, min(r.target_key) as target from entity_relations r
        where r.org_id = ${orgId} and r.target_key = any(${[...targets]}::bigint[])
          and r.relation = any(${[...relations]}::text[])
        group by r.source_key) pointing
      join entities e on e.org_id = ${orgId} and e.key = pointing.source_key
      where e.blueprint_key = ${blueprint.key} and ${condition}
    ) found
    where found.at >= ${from} and found.at <= ${to}
    order by found.at desc, found.key desc limit ${limit}`);
}
