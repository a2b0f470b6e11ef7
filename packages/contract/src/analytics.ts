import { z } from 'zod';
import { operation } from './operation.ts';
import { searchQuery } from './search-query.ts';
import { propertyName, text } from './search-values.ts';

/** Periods of an average; `total` is one period however long (catalog semantics §1.7). */
const averageOf = z.enum(['hour', 'day', 'week', 'month', 'total']);

const measured = {
  query: searchQuery,
  averageOf: averageOf.optional(),
  /** A date-time property, `$createdAt` or `$updatedAt`. */
  measureTimeBy: propertyName.default('$createdAt'),
};
const byEntities = { calculationBy: z.literal('entities').optional() };
const byProperty = { property: propertyName, calculationBy: z.literal('property').optional() };
const functions = ['count', 'average', 'sum', 'min', 'max', 'median', 'countValues'];

const figure = z.strictObject({ func: z.enum(['sum', 'min', 'max', 'median']), ...measured, ...byProperty });
const grouping = z
  .strictObject({
    func: z.literal('countValues'),
    query: searchQuery,
    property: propertyName.optional(),
    relation: text.min(1).max(100).optional(),
    scorecard: text.min(1).max(100).optional(),
    rule: text.min(1).max(100).optional(),
  })
  .superRefine(({ property, relation, scorecard, rule }, context) => {
    const named = [property, relation, scorecard].filter((each) => each !== undefined).length;
    const fail = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
    if (named !== 1) fail('must name exactly one of property, relation and scorecard');
    if (rule !== undefined && scorecard === undefined) fail('belongs to a scorecard, which is missing', 'rule');
  });

/** What is aggregated (api contract §3.4): a figure over all that matches, or how many have each value. */
const aggregateBody = z.discriminatedUnion(
  'func',
  [
    z.strictObject({ func: z.literal('count'), ...measured, ...byEntities }),
    z
      .strictObject({
        func: z.literal('average'),
        ...measured,
        property: propertyName.optional(),
        calculationBy: z.enum(['entities', 'property']).optional(),
      })
      .superRefine(({ property, calculationBy }, context) => {
        const fail = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] });
        if (calculationBy === 'property' && property === undefined) fail('is required', 'property');
        if (calculationBy === 'entities' && property !== undefined) {
          fail('must be "property" where a property is averaged', 'calculationBy');
        }
      }),
    figure,
    grouping,
  ],
  { error: `must be one of ${functions.join(' ')}` },
);
export type AggregateBody = z.output<typeof aggregateBody>;
export type CountValuesBody = Extract<AggregateBody, { func: 'countValues' }>;
export type AggregateFigureBody = Exclude<AggregateBody, CountValuesBody>;

const count = z.number().int();
const group = z.object({ value: z.json(), count });

export const aggregateEntities = operation({
  id: 'aggregateEntities',
  reads: 'standby',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/entities/aggregate',
  tag: 'Analytics',
  summary: 'Compute one figure over entities, or count them by a value',
  description:
    '`count` and `average` are over entities, per `averageOf` from the oldest to the newest moment measured; `sum`, `average`, `min`, `max` and `median` are over a number; `countValues` counts by a property, a relation, a scorecard’s level or one of its rules. Blueprints that do not have what is named are left out. The answer has no counterpart in the public API and may still change.',
  access: 'token',
  body: aggregateBody,
  answer: z.object({
    ok: z.literal(true),
    result: z.union([
      z.object({ value: z.number().nullable() }),
      z.object({
        /**
         * Largest first; `null` groups entities without a value; an entity with several values is in several groups.
         */
        groups: z.array(group),
        /** Groups beyond the limit. */
        groupsLeftOut: count,
        /** Entities counted. */
        total: count,
      }),
    ]),
  }),
  errors: [],
});

/** Ranges that end now, and calendar days of the time zone (catalog semantics §3.4, §3.8). */
const chartPreset = z.enum([
  'today',
  'yesterday',
  'lastDay',
  'lastWeek',
  'last2Weeks',
  'lastMonth',
  'last3Months',
  'last6Months',
  'last12Months',
  'last2Years',
  'last3Years',
]);
const timeInterval = z.enum(['hour', 'day', 'isoWeek', 'month', 'quarter']);
export type TimeInterval = z.output<typeof timeInterval>;

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name })) && /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

const timeZone = text.max(100).refine(isTimeZone, 'is not the name of a time zone, as in Europe/Berlin');
export type TimeRange = { readonly preset: z.output<typeof chartPreset>; readonly timeZone?: string | undefined };

const years: ReadonlySet<string> = new Set(['last2Years', 'last3Years']);
/** Ranges that hold more hours than a chart can show or a request should cost. */
const tooLongForHours: ReadonlySet<string> = new Set(['last6Months', 'last12Months']);

function checkInterval(
  { timeRange, timeInterval: interval }: { timeRange: TimeRange; timeInterval?: TimeInterval | undefined },
  context: z.core.$RefinementCtx,
): void {
  const fail = (message: string) => context.addIssue({ code: 'custom', message, path: ['timeInterval'] });
  if (interval === undefined) return;
  if (years.has(timeRange.preset) && interval !== 'quarter') fail(`must be quarter with ${timeRange.preset}`);
  if (tooLongForHours.has(timeRange.preset) && interval === 'hour') {
    fail(`is too short for ${timeRange.preset}: hours are for last3Months and less`);
  }
}

const series = z.object({
  property: z.string().optional(),
  /** The value of the breakdown; null for entities without one. */
  value: z.json().optional(),
  values: z.array(z.number().nullable()),
});

/** Values over time: each series has one value per date, and dates are the starts of buckets. */
const overTime = z.object({
  /** The range in milliseconds since 1970. */
  minDate: z.number(),
  maxDate: z.number(),
  /** Starts of buckets; the first may lie before the range. */
  dates: z.array(z.number()),
  series: z.array(series),
  /** The values of all series, one series after another. */
  data: z.array(z.number().nullable()),
  /** Values of the breakdown beyond the limit. */
  seriesLeftOut: count.optional(),
});
export type OverTime = z.output<typeof overTime>;

const bucketed = {
  blueprint: text.min(1).max(1000),
  timeRange: z.strictObject({ preset: chartPreset, timeZone: timeZone.optional() }),
  timeInterval,
  query: searchQuery.optional(),
  measureTimeBy: propertyName.default('$createdAt'),
};

const names = z.array(propertyName).min(1).max(20);

const overTimeBody = z.discriminatedUnion(
  'aggregationType',
  [
    z
      .strictObject({
        aggregationType: z.literal('aggregatePropertiesValues'),
        func: z.enum(['average', 'sum', 'min', 'max', 'median', 'last']),
        properties: names,
        ...bucketed,
      })
      .superRefine(checkInterval),
    z
      .strictObject({
        aggregationType: z.literal('countEntities'),
        func: z.enum(['count', 'average']),
        breakdownProperty: propertyName.optional(),
        ...bucketed,
      })
      .superRefine(checkInterval),
  ],
  { error: 'must be aggregatePropertiesValues or countEntities' },
);
export type OverTimeBody = z.output<typeof overTimeBody>;
export type PropertiesOverTimeBody = Extract<OverTimeBody, { aggregationType: 'aggregatePropertiesValues' }>;
export type CountOverTimeBody = Extract<OverTimeBody, { aggregationType: 'countEntities' }>;

export const aggregateOverTime = operation({
  id: 'aggregateOverTime',
  reads: 'standby',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/entities/aggregate-over-time',
  tag: 'Analytics',
  summary: 'Compute figures over the entities of one blueprint, bucket by bucket',
  description:
    'Entities stand in the bucket of the moment `measureTimeBy`; those without one, or outside the range, in none. The `average` of `countEntities` is a bucket’s count by 60, 24, 7, 30 or 90 for an hour, day, week, month or quarter. Buckets begin where hours, days and so on begin in the time zone, UTC unless told.',
  access: 'token',
  body: overTimeBody,
  answer: z.object({ ok: z.literal(true), result: overTime }),
  errors: ['not_found'],
});

const historyBody = z
  .strictObject({
    entityIdentifier: text.min(1).max(1000),
    blueprintIdentifier: text.min(1).max(1000),
    propertyNames: names,
    timeInterval: timeInterval.optional(),
    timeRange: z.strictObject({ preset: chartPreset, timeZone }),
  })
  .superRefine(checkInterval)
  .transform((body) => ({
    ...body,
    timeInterval: body.timeInterval ?? (years.has(body.timeRange.preset) ? ('quarter' as const) : ('day' as const)),
  }));
export type PropertiesHistoryBody = z.output<typeof historyBody>;

export const getPropertiesHistory = operation({
  id: 'getPropertiesHistory',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/entities/properties-history',
  tag: 'Analytics',
  summary: 'Show how numbers of one entity went over time',
  description:
    'The value of a bucket is the last that was known in it: null before the entity was there and in the future, today’s in the bucket that is not over. Computed values show from the next write of the entity on.',
  access: 'token',
  body: historyBody,
  answer: z.object({ ok: z.literal(true), result: overTime }),
  errors: ['not_found'],
});

export const analyticsOperations = [aggregateEntities, aggregateOverTime, getPropertiesHistory] as const;
