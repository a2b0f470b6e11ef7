import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';
import { type Figure, statistics, type Tally, toStatistic } from '../entity-query/index.ts';

export interface Group {
  readonly value: unknown;
  readonly count: number;
}

const valueRow = row({ value: computed.json.as<unknown>().orNull(), count: computed.number, total: computed.number });

/** How many entities have each value, most first, and how many entities there are. */
export function countGroups(
  reader: Reader,
  orgId: string,
  of: { readonly values: Sql; readonly condition: Sql; readonly limit: number },
): Promise<(Group & { readonly total: number })[]> {
  const { values, condition, limit } = of;
  return reader.rows(valueRow.sql`
    with matching as materialized (select e.* from entities e where e.org_id = ${orgId} and ${condition})
    select value, count(*)::int as count, (select count(*)::int from matching) as total
    from matching e cross join lateral ${values} as item(value)
    group by value order by count(*) desc, value nulls last limit ${limit}`);
}

const groupedValue = row({
  value: computed.json.as<unknown>().orNull(),
  count: computed.number,
  total: computed.number,
  groups: computed.number,
});

/** The same of items of entities, with how many values there are. */
export function countItems(
  reader: Reader,
  items: Sql,
  groupsMax: number,
): Promise<(Group & { readonly total: number; readonly groups: number })[]> {
  return reader.rows(groupedValue.sql`
    with items as materialized (${items})
    select value, count(*)::int as count, (count(*) over ())::int as groups,
      (select count(distinct key)::int from items) as total
    from items group by value order by count(*) desc, value nulls last limit ${groupsMax}`);
}

/** The columns of items for `readTally`. */
export function tallied(number: Sql, at: Sql): Sql {
  return sql`${number} as number, ${at} as at`;
}

/** What a figure over items comes to. */
export function readTally(reader: Reader, items: Sql, figure: Figure): Promise<Tally | undefined> {
  const statistic = toStatistic(figure);
  const conditions = [
    ...(figure.property === undefined ? [] : [sql`item.number is not null`]),
    ...(figure.periodMs === undefined ? [] : [sql`item.at is not null`]),
  ];
  const value =
    figure.property === undefined || !statistic ? sql`null::numeric` : statistics[statistic](sql`item.number`);
  return reader.first<Tally>(sql`
    select count(*)::int as n, ${value} as value,
      (extract(epoch from min(item.at)) * 1000)::double precision as "from",
      (extract(epoch from max(item.at)) * 1000)::double precision as "to"
    from (${items}) item ${conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : sql``}`);
}
