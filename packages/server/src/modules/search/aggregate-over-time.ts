import type { CountOverTimeBody, OverTime, OverTimeBody, PropertiesOverTimeBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { openScope, readCondition } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { answered, type CompileContext, compileQuery, statistics } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { momentOf, numberOf, valuesOf } from './chart-values.ts';
import { type TimeBuckets, timeBuckets } from './time-buckets.ts';

/** Lines of a chart that are answered at most; a chart shows ten (catalog semantics §7.5). */
const linesMax = 20;

type Series = OverTime['series'][number];

/**
 * Figures over the entities of a blueprint that match and that the caller may read, by the bucket in which the moment
 * measured lies (catalog semantics §7.3). An empty bucket counts and sums to 0, other figures of it are null.
 * @throws AppError `not_found` for the blueprint; `invalid_request` for properties that it does not have
 */
export async function aggregateOverTime(deps: ReadDeps, actor: Actor, body: OverTimeBody): Promise<OverTime> {
  const blueprint = await readableBlueprint(deps, actor, body.blueprint);
  const context = (await openScope(deps, actor, body.query)).contextOf(blueprint);
  const buckets = timeBuckets(body.timeRange, body.timeInterval, context.now);
  const issues: Issue[] = [];
  const at = momentOf(body.measureTimeBy, context);
  if (!at) issues.push({ path: '/measureTimeBy', message: 'is not a property with a time' });
  const matching = allOf([
    sql`e.org_id = ${actor.orgId}`,
    sql`e.blueprint_key = ${blueprint.key}`,
    await readCondition(deps, actor, blueprint),
    ...(body.query ? [compileQuery(body.query, context)] : []),
  ]);
  const rows = { at: at ?? sql`null::timestamptz`, matching, buckets };
  if (body.aggregationType === 'aggregatePropertiesValues') {
    const statement = figures(rows, body, context, issues);
    if (issues.length > 0) throw invalidRequest(issues);
    return presentSeries(buckets, await propertySeries(deps, statement, body, buckets));
  }
  const statement = counts(rows, body, blueprint, context, issues);
  if (issues.length > 0) throw invalidRequest(issues);
  const { series, left } = await countSeries(deps, statement, body, buckets);
  return {
    ...presentSeries(buckets, series),
    ...(body.breakdownProperty === undefined ? {} : { seriesLeftOut: left }),
  };
}

/** Series as they are answered, with the buckets their values stand at. */
export function presentSeries({ from, to, starts }: TimeBuckets, series: readonly Series[]): OverTime {
  return {
    minDate: from.getTime(),
    maxDate: to.getTime(),
    dates: starts.map((start) => start.getTime()),
    series: [...series],
    data: series.flatMap(({ values }) => values),
  };
}

interface Rows {
  readonly at: Sql;
  readonly matching: Sql;
  readonly buckets: TimeBuckets;
}

/** The rows `item` of the range with the number of their bucket, from 1 on. */
function itemsOf({ at, matching, buckets }: Rows, columns: readonly Sql[], from = sql``): Sql {
  const listed = join([sql`${at} as at`, sql`e.key`, ...columns]);
  return sql`select width_bucket(item.at, ${buckets.starts}::timestamptz[]) as bucket, item.*
    from (select ${listed} from entities e ${from} where ${matching}) item
    where item.at between ${buckets.from} and ${buckets.to}`;
}

function figures(
  rows: Rows,
  { func, properties }: PropertiesOverTimeBody,
  context: CompileContext,
  issues: Issue[],
): Sql {
  const numbers = properties.map((name, index) => {
    const number = numberOf(name, context);
    if (!number) issues.push({ path: `/properties/${index}`, message: 'is not a number property of the blueprint' });
    return sql`${number ?? sql`null::numeric`} as ${raw(`n${index}`)}`;
  });
  const columns = properties.map((_, index) => {
    const number = raw(`item.n${index}`);
    return func === 'last' ? lastOf(number) : statistics[func](number);
  });
  return sql`select item.bucket::int, json_build_array(${join(columns)}) as figures
    from (${itemsOf(rows, numbers)}) item group by item.bucket`;
}

/** The number with the latest moment; of two at the same, that of the younger entity. */
function lastOf(number: Sql): Sql {
  return sql`(array_agg(${number} order by item.at desc, item.key desc) filter (where ${number} is not null))[1]`;
}

async function propertySeries(
  { database }: ReadDeps,
  statement: Sql,
  { func, properties }: PropertiesOverTimeBody,
  { starts }: TimeBuckets,
): Promise<Series[]> {
  const found = await database.rows<{ bucket: number; figures: unknown[] }>(statement);
  const byBucket = new Map(found.map((row) => [row.bucket, row.figures]));
  return properties.map((property, index) => {
    const valueAt = (bucket: number) => {
      const value = byBucket.get(bucket)?.[index] ?? null;
      return value === null && func === 'sum' ? 0 : answered(value);
    };
    return { property, values: starts.map((_, position) => valueAt(position + 1)) };
  });
}

function counts(
  rows: Rows,
  { breakdownProperty }: CountOverTimeBody,
  blueprint: StoredBlueprint,
  context: CompileContext,
  issues: Issue[],
): Sql {
  const values = breakdownProperty === undefined ? undefined : valuesOf(breakdownProperty, blueprint, context);
  if (breakdownProperty !== undefined && !values) {
    issues.push({ path: '/breakdownProperty', message: 'is not a property to count by of the blueprint' });
  }
  const items = values
    ? itemsOf(rows, [sql`value.value`], sql`cross join lateral ${values} as value(value)`)
    : itemsOf(rows, [sql`null::jsonb as value`]);
  return sql`
    with counts as (select item.value, item.bucket, count(*)::int as count from (${items}) item group by item.value, item.bucket),
      lines as (select value, row_number() over (order by sum(count) desc, value nulls last) as place,
        count(*) over () as lines from counts group by value)
    select l.value, l.place::int, l.lines::int, c.bucket::int, c.count
    from lines l join counts c on c.value is not distinct from l.value
    where l.place <= ${linesMax} order by l.place, c.bucket`;
}

interface Counted {
  readonly value: Series['value'];
  readonly place: number;
  readonly lines: number;
  readonly bucket: number;
  readonly count: number;
}

/** What a count of a bucket is divided by for an average; not how long the bucket is (catalog semantics §7.3). */
const divisors = { hour: 60, day: 24, isoWeek: 7, month: 30, quarter: 90 } as const;

async function countSeries(
  { database }: ReadDeps,
  statement: Sql,
  { func, breakdownProperty, timeInterval }: CountOverTimeBody,
  { starts }: TimeBuckets,
): Promise<{ series: Series[]; left: number }> {
  const rows = await database.rows<Counted>(statement);
  const divisor = func === 'average' ? divisors[timeInterval] : 1;
  const lines: Series[] = breakdownProperty === undefined ? [{ values: starts.map(() => 0) }] : [];
  for (const { value, place, bucket, count } of rows) {
    lines[place - 1] ??= { value: value ?? null, values: starts.map(() => 0) };
    (lines[place - 1] as Series).values[bucket - 1] = count / divisor;
  }
  return { series: lines, left: Math.max(0, (rows[0]?.lines ?? 0) - linesMax) };
}
