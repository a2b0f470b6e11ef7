import type { CountOverTimeBody, OverTime, PropertiesOverTimeBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { computed, type RowSql, row } from '../../platform/db/row.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type CompileContext, statistics } from '../entity-query/index.ts';
import { chartNumber, chartValues } from './chart-values.sql.ts';
import type { TimeBuckets } from './time-buckets.ts';

/** Lines of a chart that are answered at most; a chart shows ten (catalog semantics §7.5). */
export const linesMax = 20;

export function ofOrganization(orgId: string): Sql {
  return sql`e.org_id = ${orgId}`;
}

/** The moment of a row `e`, and which rows count. */
interface Rows {
  readonly at: Sql;
  readonly matching: Sql;
  readonly buckets: TimeBuckets;
}

/** The rows `item` of the range with the number of their bucket, from 1 on. */
function compileItems({ at, matching, buckets }: Rows, columns: readonly Sql[], from = sql``): Sql {
  const listed = join([sql`${at} as at`, sql`e.key`, ...columns]);
  return sql`select width_bucket(item.at, ${buckets.starts}::timestamptz[]) as bucket, item.*
    from (select ${listed} from entities e ${from} where ${matching}) item
    where item.at between ${buckets.from} and ${buckets.to}`;
}

const bucketRow = row({ bucket: computed.number, figures: computed.json.as<unknown[]>() });

/** The figures of a bucket, in the order of the properties; what cannot be one is told in `issues`. */
export function figures(
  rows: Rows,
  { func, properties }: PropertiesOverTimeBody,
  context: CompileContext,
  issues: Issue[],
): RowSql<typeof bucketRow.fields> {
  const numbers = properties.map((name, index) => {
    const number = chartNumber(name, context);
    if (!number) issues.push({ path: `/properties/${index}`, message: 'is not a number property of the blueprint' });
    return sql`${number ?? sql`null::numeric`} as ${raw(`n${index}`)}`;
  });
  const columns = properties.map((_, index) => {
    const number = raw(`item.n${index}`);
    return func === 'last' ? lastValue(number) : statistics[func](number);
  });
  return bucketRow.sql`select item.bucket::int, json_build_array(${join(columns)}) as figures
    from (${compileItems(rows, numbers)}) item group by item.bucket`;
}

/** The number with the latest moment; of two at the same, that of the younger entity. */
function lastValue(number: Sql): Sql {
  return sql`(array_agg(${number} order by item.at desc, item.key desc) filter (where ${number} is not null))[1]`;
}

const counted = row({
  value: computed.json.as<OverTime['series'][number]['value']>().orNull(),
  place: computed.number,
  lines: computed.number,
  bucket: computed.number,
  count: computed.number,
});

/** How many rows have each value in each bucket, the lines with most first. */
export function counts(
  rows: Rows,
  { breakdownProperty }: CountOverTimeBody,
  blueprint: StoredBlueprint,
  context: CompileContext,
  issues: Issue[],
): RowSql<typeof counted.fields> {
  const values = breakdownProperty === undefined ? undefined : chartValues(breakdownProperty, blueprint, context);
  if (breakdownProperty !== undefined && !values) {
    issues.push({ path: '/breakdownProperty', message: 'is not a property to count by of the blueprint' });
  }
  const items = values
    ? compileItems(rows, [sql`value.value`], sql`cross join lateral ${values} as value(value)`)
    : compileItems(rows, [sql`null::jsonb as value`]);
  return counted.sql`
    with counts as (select item.value, item.bucket, count(*)::int as count from (${items}) item group by item.value, item.bucket),
      lines as (select value, row_number() over (order by sum(count) desc, value nulls last) as place,
        count(*) over () as lines from counts group by value)
    select l.value, l.place::int, l.lines::int, c.bucket::int, c.count
    from lines l join counts c on c.value is not distinct from l.value
    where l.place <= ${linesMax} order by l.place, c.bucket`;
}
