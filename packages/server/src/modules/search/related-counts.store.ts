import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { countRow } from '../../platform/db/row.ts';

interface Connected {
  readonly key: number;
  readonly direction: 'outward' | 'inward';
  readonly connections: readonly { readonly relation: string; readonly sourceKey: number }[];
  /** Condition on the `entities e` at the other end. */
  readonly permitted: Sql;
  /** Counting stops there. */
  readonly limit: number;
}

/** How many entities are at the other end of each connection, in the given order. */
export async function countConnected(
  reader: Reader,
  orgId: string,
  { key, direction, connections, permitted, limit }: Connected,
): Promise<number[]> {
  const [own, other] =
    direction === 'outward' ? [sql`r.source_key`, sql`r.target_key`] : [sql`r.target_key`, sql`r.source_key`];
  const rows = await reader.rows(countRow.sql`
    select (select count(*)::int from (
      select 1 from entity_relations r join entities e on e.org_id = r.org_id and e.key = ${other}
      where r.org_id = ${orgId} and ${own} = ${key} and r.relation = c.relation
        and r.source_blueprint_key = c.source_key and ${permitted} limit ${limit}) found) as count
    from unnest(${connections.map(({ relation }) => relation)}::text[],
      ${connections.map(({ sourceKey }) => sourceKey)}::bigint[]) with ordinality as c(relation, source_key, position)
    order by c.position`);
  return rows.map(({ count }) => count);
}
