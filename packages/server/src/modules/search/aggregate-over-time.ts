import type { CountOverTimeBody, OverTime, OverTimeBody, PropertiesOverTimeBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { openScope, readCondition } from '../access/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { answered, compileQuery, ofBlueprint } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { chartMoment, noMoment } from './chart-values.sql.ts';
import { counts, figures, linesMax, ofOrganization } from './over-time.sql.ts';
import { type TimeBuckets, timeBuckets } from './time-buckets.ts';

type Series = OverTime['series'][number];

/**
 * Figures over the matching entities of a blueprint that the caller may read, by the bucket of the measured moment
 * (catalog semantics §7.3). In an empty bucket counts and sums are 0, other figures null.
 * @throws AppError `not_found` for the blueprint; `invalid_request` for properties it does not have
 */
export async function aggregateOverTime(deps: ReadDeps, actor: Actor, body: OverTimeBody): Promise<OverTime> {
  const blueprint = await readableBlueprint(deps, actor, body.blueprint);
  const context = (await openScope(deps, actor, body.query)).contextOf(blueprint);
  const buckets = timeBuckets(body.timeRange, body.timeInterval, context.now);
  const issues: Issue[] = [];
  const at = chartMoment(body.measureTimeBy, context);
  if (!at) issues.push({ path: '/measureTimeBy', message: 'is not a property with a time' });
  const matching = allOf([
    ofOrganization(actor.orgId),
    ofBlueprint(blueprint.key),
    await readCondition(deps, actor, blueprint),
    ...(body.query ? [compileQuery(body.query, context)] : []),
  ]);
  const rows = { at: at ?? noMoment, matching, buckets };
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

export function presentSeries({ from, to, starts }: TimeBuckets, series: readonly Series[]): OverTime {
  return {
    minDate: from.getTime(),
    maxDate: to.getTime(),
    dates: starts.map((start) => start.getTime()),
    series: [...series],
    data: series.flatMap(({ values }) => values),
  };
}

async function propertySeries(
  { database }: ReadDeps,
  statement: ReturnType<typeof figures>,
  { func, properties }: PropertiesOverTimeBody,
  { starts }: TimeBuckets,
): Promise<Series[]> {
  const found = await database.standby.rows(statement);
  const byBucket = new Map(found.map((row) => [row.bucket, row.figures]));
  return properties.map((property, index) => {
    const valueAt = (bucket: number) => {
      const value = byBucket.get(bucket)?.[index] ?? null;
      return value === null && func === 'sum' ? 0 : answered(value);
    };
    return { property, values: starts.map((_, position) => valueAt(position + 1)) };
  });
}

/** Divisor of a bucket's count for an average; not the bucket's length (catalog semantics §7.3). */
const divisors = { hour: 60, day: 24, isoWeek: 7, month: 30, quarter: 90 } as const;

async function countSeries(
  { database }: ReadDeps,
  statement: ReturnType<typeof counts>,
  { func, breakdownProperty, timeInterval }: CountOverTimeBody,
  { starts }: TimeBuckets,
): Promise<{ series: Series[]; left: number }> {
  const rows = await database.standby.rows(statement);
  const divisor = func === 'average' ? divisors[timeInterval] : 1;
  const lines: Series[] = breakdownProperty === undefined ? [{ values: starts.map(() => 0) }] : [];
  for (const { value, place, bucket, count } of rows) {
    lines[place - 1] ??= { value: value ?? null, values: starts.map(() => 0) };
    (lines[place - 1] as Series).values[bucket - 1] = count / divisor;
  }
  return { series: lines, left: Math.max(0, (rows[0]?.lines ?? 0) - linesMax) };
}
