import { z } from 'zod';
import { blueprintParams } from './blueprints.ts';
import { entityReadQuery, entitySchema } from './entities.ts';
import { operation } from './operation.ts';

/** Ranges that move with the clock, in UTC (catalog semantics §3.4). */
export const datePreset = z.enum([
  'today',
  'yesterday',
  'tomorrow',
  'lastDay',
  'lastWeek',
  'last2Weeks',
  'lastMonth',
  'last3Months',
  'last6Months',
  'last12Months',
  'last2Years',
  'last3Years',
  'nextDay',
  'nextWeek',
  'next2Weeks',
  'nextMonth',
  'next3Months',
  'next6Months',
  'next12Months',
]);
export type DatePreset = z.output<typeof datePreset>;

const propertyName = z.string().min(1).max(1100);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const dateRange = z.union([
  z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
  z.strictObject({ preset: datePreset }),
]);
const value = z.union([scalar, z.array(scalar), dateRange]);

const comparisonRule = z.strictObject({
  property: propertyName,
  operator: z.enum([
    '=',
    '!=',
    'contains',
    'doesNotContains',
    'containsAny',
    'beginsWith',
    'doesNotBeginsWith',
    'endsWith',
    'doesNotEndsWith',
    'in',
    'notIn',
  ]),
  value,
});
/** A moment with its offset, or a day of UTC. */
const moment = z
  .string()
  .refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success || z.iso.date().safeParse(text).success, {
    error: 'must be a number or an ISO 8601 moment with its offset',
  });
const orderRule = z.strictObject({
  property: propertyName,
  operator: z.enum(['>', '>=', '<', '<=']),
  value: z.union([z.number(), moment]),
});
const rangeRule = z.strictObject({
  property: propertyName,
  operator: z.enum(['between', 'notBetween']),
  value: dateRange,
});
const emptinessRule = z.strictObject({ property: propertyName, operator: z.enum(['isEmpty', 'isNotEmpty']) });
const graphRule = z.strictObject({
  operator: z.literal('relatedTo'),
  blueprint: z.string().min(1),
  value: z.union([z.string(), z.array(z.string())]),
  direction: z.enum(['upstream', 'downstream']).optional(),
  required: z.boolean().optional(),
});

export const searchRule = z.discriminatedUnion('operator', [
  comparisonRule,
  orderRule,
  rangeRule,
  emptinessRule,
  graphRule,
]);
export type SearchRule = z.output<typeof searchRule>;

/** A search query (api contract §3.3.1): rules under a combinator, nested at will. No rules match everything. */
export interface SearchQuery {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (SearchRule | SearchQuery)[];
}

const depthMax = 20;

/** Nesting is read by hand so that a wrong rule is reported as a wrong rule, not as a failed union. */
export const searchQuery: z.ZodType<SearchQuery> = z
  .custom<SearchQuery>()
  .transform((input, context): SearchQuery => {
    const parsed = parseGroup(input, [], 0, context);
    return parsed ?? z.NEVER;
  })
  .meta({
    id: 'SearchQuery',
    type: 'object',
    required: ['combinator', 'rules'],
    properties: {
      combinator: { enum: ['and', 'or'] },
      rules: {
        type: 'array',
        items: {
          type: 'object',
          properties: { property: { type: 'string' }, operator: { type: 'string' }, value: {} },
        },
      },
    },
    description:
      '`{combinator: "and" | "or", rules: [...]}`. A rule is `{property, operator, value}`, an emptiness rule without value, a `relatedTo` rule, or a query again.',
  }) as unknown as z.ZodType<SearchQuery>;

function parseGroup(
  input: unknown,
  path: PropertyKey[],
  depth: number,
  context: z.RefinementCtx,
): SearchQuery | undefined {
  const fail = (message: string, at: PropertyKey[] = path) => {
    context.addIssue({ code: 'custom', message, path: at });
    return undefined;
  };
  if (depth > depthMax) return fail(`is nested deeper than ${depthMax}`);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return fail('must be an object');
  const { combinator, rules, ...unknown } = input as Record<string, unknown>;
  for (const key of Object.keys(unknown)) fail('is not a member of a query', [...path, key]);
  if (combinator !== 'and' && combinator !== 'or') fail('must be "and" or "or"', [...path, 'combinator']);
  if (!Array.isArray(rules)) return fail('must be an array of rules', [...path, 'rules']);
  if (rules.length > 1000) return fail('holds more than 1000 rules', [...path, 'rules']);
  const parsed = rules.map((rule, index) => {
    const at = [...path, 'rules', index];
    if (typeof rule === 'object' && rule !== null && 'combinator' in rule)
      return parseGroup(rule, at, depth + 1, context);
    const result = searchRule.safeParse(rule);
    if (result.success) return result.data;
    reportRule(result.error.issues, at, fail);
    return undefined;
  });
  return { combinator: combinator as 'and' | 'or', rules: parsed as (SearchRule | SearchQuery)[] };
}

/** Every issue of a rule at the member it is about; of a value that fits no form, those of the form it is nearest to. */
function reportRule(
  issues: readonly z.core.$ZodIssue[],
  at: readonly PropertyKey[],
  fail: (message: string, at: PropertyKey[]) => undefined,
): void {
  for (const issue of issues) {
    const path = [...at, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) fail('is not a member of this rule', [...path, key]);
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const nearest = issue.errors.find((branch) => branch.every(({ path: inner }) => inner.length > 0));
      if (nearest) reportRule(nearest, path, fail);
      else
        fail(issue.errors.flat().find(({ code }) => code === 'custom')?.message ?? 'has no form this rule takes', path);
    } else fail(issue.message.includes('received undefined') ? 'is required' : issue.message, path);
  }
}

export const searchEntities = operation({
  id: 'searchEntities',
  method: 'POST',
  path: '/v1/entities/search',
  tag: 'Search',
  summary: 'Search entities of all blueprints',
  access: 'token',
  query: entityReadQuery,
  body: searchQuery,
  answer: z.object({
    ok: z.literal(true),
    entities: z.array(entitySchema.partial()),
    matchingBlueprints: z.array(z.string()),
  }),
  errors: [],
});

export const searchBlueprintEntities = operation({
  id: 'searchBlueprintEntities',
  method: 'POST',
  path: '/v1/blueprints/{blueprint_identifier}/entities/search',
  tag: 'Search',
  summary: 'Search the entities of one blueprint, page by page',
  description:
    'Pages are stable: entities are ordered by the time they were created. `next` is absent on the last page.',
  access: 'token',
  params: blueprintParams,
  body: z.object({
    query: searchQuery.optional(),
    include: z.array(z.string()).optional(),
    exclude: z.array(z.string()).optional(),
    limit: z.number().int().min(1).max(1000).default(200),
    from: z.string().nullable().optional(),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    entities: z.array(entitySchema.partial()),
    next: z.string().optional(),
  }),
  errors: ['not_found'],
});

export const searchOperations = [searchEntities, searchBlueprintEntities] as const;
