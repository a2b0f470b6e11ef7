import { z } from 'zod';
import { operation } from './operation.ts';
import { searchQuery } from './search-query.ts';
import { propertyName, text } from './search-values.ts';

const averageOf = z.enum(['hour', 'day', 'week', 'month', 'total']);
const common = {
  query: searchQuery,
  averageOf: averageOf.optional(),
  measureTimeBy: propertyName.optional(),
};

const ofEntities = z.strictObject({
  func: z.enum(['count', 'average']),
  ...common,
  calculationBy: z.literal('entities').optional(),
});
const ofProperty = z.strictObject({
  func: z.enum(['sum', 'average', 'min', 'max', 'median']),
  property: propertyName,
  ...common,
  calculationBy: z.literal('property').optional(),
});
const ofValues = z
  .strictObject({
    func: z.literal('countValues'),
    query: searchQuery,
    property: propertyName.optional(),
    relation: propertyName.optional(),
    scorecard: propertyName.optional(),
    rule: propertyName.optional(),
  })
  .refine(
    ({ property, relation, scorecard }) => [property, relation, scorecard].filter(Boolean).length === 1,
    'needs exactly one of property, relation and scorecard',
  )
  .refine(({ rule, scorecard }) => rule === undefined || scorecard !== undefined, {
    path: ['rule'],
    message: 'belongs to a scorecard',
  });

/** One aggregate over a query (api contract §3.4), in three closed forms that `func` and `property` tell apart. */
const aggregateBody = z
  .looseObject({})
  .transform((input, context) => {
    const form = input['func'] === 'countValues' ? ofValues : 'property' in input ? ofProperty : ofEntities;
    const parsed = form.safeParse(input);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
    return z.NEVER;
  })
  .meta({
    id: 'Aggregate',
    type: 'object',
    required: ['func', 'query'],
    properties: {
      func: { enum: ['count', 'average', 'sum', 'min', 'max', 'median', 'countValues'] },
      query: { $ref: '#/components/schemas/SearchQuery' },
      property: { type: 'string' },
      relation: { type: 'string' },
      scorecard: { type: 'string' },
      rule: { type: 'string' },
      averageOf: { enum: averageOf.options },
      measureTimeBy: { type: 'string' },
      calculationBy: { enum: ['entities', 'property'] },
    },
  });
export type AggregateBody = z.output<typeof ofEntities> | z.output<typeof ofProperty> | z.output<typeof ofValues>;

export const aggregateEntities = operation({
  id: 'aggregateEntities',
  method: 'POST',
  path: '/v1/entities/aggregate',
  tag: 'Search',
  summary: 'Compute one figure, or count values, over the entities that match',
  description:
    '`result.value` is the figure; null where no entity has a value. With `countValues`, `result.values` holds `{value, count}`, largest first; an entity with several values is in several, one without in `null`.',
  access: 'token',
  body: aggregateBody,
  answer: z.object({
    ok: z.literal(true),
    result: z.object({
      value: z.number().nullable().optional(),
      values: z.array(z.object({ value: z.json(), count: z.number() })).optional(),
    }),
  }),
  errors: [],
});

/** How far back a series goes (api contract §3.4). */
export const seriesPreset = z.enum([
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
export type SeriesPreset = z.output<typeof seriesPreset>;

export const timeInterval = z.enum(['hour', 'day', 'isoWeek', 'month', 'quarter']);
export type TimeInterval = z.output<typeof timeInterval>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const timeZone = z.string().refine(isTimeZone, 'is not the name of a time zone');
const timeRange = z.strictObject({ preset: seriesPreset, timeZone: timeZone.optional() });
const yearsNeedQuarters = {
  path: ['timeInterval'],
  message: 'must be quarter for ranges of years',
};
function fits(body: { timeRange: { preset: SeriesPreset }; timeInterval?: TimeInterval | undefined }): boolean {
  const isYears = body.timeRange.preset === 'last2Years' || body.timeRange.preset === 'last3Years';
  return !isYears || body.timeInterval === 'quarter' || body.timeInterval === undefined;
}

const overTime = {
  blueprint: text.min(1),
  timeRange,
  timeInterval: timeInterval,
  query: searchQuery.optional(),
  measureTimeBy: propertyName.optional(),
};
const overTimeBody = z
  .discriminatedUnion('aggregationType', [
    z.strictObject({
      ...overTime,
      aggregationType: z.literal('aggregatePropertiesValues'),
      func: z.enum(['average', 'sum', 'min', 'max', 'median', 'last']),
      properties: z.array(propertyName).min(1).max(20),
    }),
    z.strictObject({
      ...overTime,
      aggregationType: z.literal('countEntities'),
      func: z.enum(['count', 'average']),
      breakdownProperty: propertyName.optional(),
    }),
  ])
  .refine(fits, yearsNeedQuarters);
export type OverTimeBody = z.output<typeof overTimeBody>;

const point = z.object({ timestamp: z.number(), values: z.record(z.string(), z.number().nullable()) });

export const aggregateOverTime = operation({
  id: 'aggregateOverTime',
  method: 'POST',
  path: '/v1/entities/aggregate-over-time',
  tag: 'Search',
  summary: 'Compute figures over the entities of one blueprint, per interval of time',
  description:
    '`data` has a point per interval, oldest first: the moment it begins (milliseconds since 1970) and a value per property, per value of the breakdown, or `count`.',
  access: 'token',
  body: overTimeBody,
  answer: z.object({
    ok: z.literal(true),
    result: z.object({ minDate: z.number(), maxDate: z.number(), data: z.array(point) }),
  }),
  errors: ['not_found'],
});

const historyBody = z
  .strictObject({
    entityIdentifier: text.min(1),
    blueprintIdentifier: text.min(1),
    propertyNames: z.array(propertyName).min(1).max(20),
    timeInterval: timeInterval.optional(),
    timeRange,
  })
  .refine(fits, yearsNeedQuarters);
export type HistoryBody = z.output<typeof historyBody>;

export const propertiesHistory = operation({
  id: 'propertiesHistory',
  method: 'POST',
  path: '/v1/entities/properties-history',
  tag: 'Search',
  summary: 'Read how the properties of one entity changed over time',
  description:
    'The last known value at the end of each interval; null before the first. `data` holds the first property, `series` all of them, `dates` the moments at which the intervals begin.',
  access: 'token',
  body: historyBody,
  answer: z.object({
    ok: z.literal(true),
    result: z.object({
      minDate: z.number(),
      maxDate: z.number(),
      data: z.array(z.number().nullable()),
      dates: z.array(z.number()),
      series: z.array(z.object({ property: z.string(), values: z.array(z.number().nullable()) })),
    }),
  }),
  errors: ['not_found'],
});

export const aggregateOperations = [aggregateEntities, aggregateOverTime, propertiesHistory] as const;
