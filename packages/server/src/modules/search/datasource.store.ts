import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, field, row } from '../../platform/db/row.ts';

/** Entities that one of these wrote last. */
export function ofDatasources(datasources: readonly string[]): Sql {
  return sql`(e.datasource collate "C") = any(${datasources}::text[])`;
}

export function writtenBefore(at: Date): Sql {
  return sql`e.updated_at < ${at}`;
}

/** Neither changed nor written again as they were since then. */
export function seenBefore(at: Date): Sql {
  return sql`e.seen_at < ${at}`;
}

const nameRow = row({ name: computed.text });

/** Datasources are few and entities many: each is found by one step in the index. */
export async function matchingDatasources(
  reader: Reader,
  orgId: string,
  prefix: string,
  suffix: string,
): Promise<string[]> {
  const rows = await reader.rows(nameRow.sql`
    with recursive found(name) as (
      (select e.datasource collate "C" from entities e where e.org_id = ${orgId}
        and (e.datasource collate "C") >= ${prefix} order by e.datasource collate "C" limit 1)
      union all
      select (select e.datasource collate "C" from entities e where e.org_id = ${orgId}
        and (e.datasource collate "C") > found.name order by e.datasource collate "C" limit 1)
      from found where starts_with(found.name, ${prefix})
    )
    select name from found
    where starts_with(name, ${prefix}) and length(name) >= length(${suffix}) and right(name, length(${suffix})) = ${suffix}`);
  return rows.map(({ name }) => name);
}

const blueprintCount = row({ blueprintKey: field('entities', 'blueprint_key'), count: computed.number });

export function countByBlueprint(
  reader: Reader,
  orgId: string,
  condition: Sql,
): Promise<{ readonly blueprintKey: number; readonly count: number }[]> {
  return reader.rows(blueprintCount.sql`
    select e.blueprint_key as "blueprintKey", count(*)::int as count from entities e
    where e.org_id = ${orgId} and ${condition} group by e.blueprint_key`);
}
