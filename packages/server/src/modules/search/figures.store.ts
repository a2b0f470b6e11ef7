import sql, { join, type Sql } from 'sql-template-tag';
import { groupBy } from '../../platform/collections.ts';
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

const countedValue = row({
  place: computed.number,
  value: computed.json.as<unknown>().orNull(),
  count: computed.number,
  groups: computed.number,
});

/** All entities, in place of a property. */
const allPlace = -1;

export interface CountedProperty {
  readonly groups: readonly Group[];
  /** How many values there are, also beyond the limit. */
  readonly groupsFound: number;
}

/** The same of several properties in one pass, in their order; each with its largest groups. */
export async function countEach(
  reader: Reader,
  orgId: string,
  of: { readonly properties: readonly Sql[]; readonly condition: Sql; readonly limit: number },
): Promise<{ readonly counted: CountedProperty[]; readonly total: number }> {
  const { properties, condition, limit } = of;
  const items = properties.map((values, place) => sql`select ${place}::int, v.value from ${values} as v(value)`);
  const rows = await reader.rows(countedValue.sql`
    with counted as (
      select item.place, item.value, count(*)::int as count
      from entities e cross join lateral (
        select ${allPlace}::int, null::jsonb union all ${join(items, ' union all ')}) as item(place, value)
      where e.org_id = ${orgId} and ${condition}
      group by item.place, item.value),
    ranked as (
      select c.*, (count(*) over (partition by c.place))::int as groups,
        row_number() over (partition by c.place order by c.count desc, c.value nulls last) as rank
      from counted c)
    select place, value, count, groups from ranked where rank <= ${limit} order by place, rank`);
  const byPlace = groupBy(rows, ({ place }) => place);
  return {
    counted: properties.map((_, place) => {
      const found = byPlace.get(place) ?? [];
      return {
        groups: found.map(({ value, count }) => ({ value, count })),
        groupsFound: found[0]?.groups ?? 0,
      };
    }),
    total: byPlace.get(allPlace)?.[0]?.count ?? 0,
  };
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
