import { z } from 'zod';
import { isRecord } from './json-value.ts';
import {
  contextValue,
  dateRange,
  moment,
  momentRange,
  pathRef,
  presetRange,
  propertyName,
  propertyRef,
  propertySchemaRef,
  scalar,
  text,
} from './search-values.ts';

const comparisonOperators = [
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
] as const;
const orderOperators = ['>', '>=', '<', '<='] as const;
const comparison = z.enum(comparisonOperators);
const valuesMax = 10_000;
const tooManyValues = `holds more than ${valuesMax} values`;
const listOrScalar = z.union([scalar, z.array(scalar).max(valuesMax, tooManyValues)]);

const comparisonRule = z.strictObject({
  property: propertyRef,
  operator: comparison,
  value: z.union([listOrScalar, dateRange, contextValue]),
});
const orderRule = z.strictObject({
  property: propertyRef,
  operator: z.enum(orderOperators),
  value: z.union([z.number(), moment, contextValue], { error: 'must be a number or an ISO date-time' }),
});
const rangeRule = z.strictObject({
  property: propertyRef,
  operator: z.enum(['between', 'notBetween']),
  value: z.union([dateRange, contextValue]),
});
/** Parsed as the range it tries to be, so that errors name the wrong member. */
const momentRangeRule = rangeRule.extend({ value: momentRange });
const presetRangeRule = rangeRule.extend({ value: presetRange });
const emptinessRule = z.strictObject({ property: propertyName, operator: z.enum(['isEmpty', 'isNotEmpty']) });
const timerRule = z.strictObject({ property: propertyName, operator: z.enum(['isExpired', 'isNotExpired']) });
const schemaRule = z.strictObject({
  propertySchema: propertySchemaRef,
  operator: comparison,
  value: listOrScalar,
});
const graphRule = z.strictObject({
  operator: z.literal('relatedTo'),
  blueprint: text.min(1),
  value: z.union([text, z.array(text).max(valuesMax, tooManyValues)]),
  direction: z.enum(['upstream', 'downstream']).optional(),
  required: z.boolean().optional(),
});
const pathRule = z.strictObject({
  property: z.union([propertyName, contextValue, pathRef]),
  operator: z.literal('matchAny'),
  value: z.union([text, z.array(text).max(valuesMax, tooManyValues), contextValue]),
});
const relationTarget = { relation: text.min(1), targetProperty: z.enum(['$title', '$identifier']).optional() };
const relationRule = z.union([
  z.strictObject({ ...relationTarget, operator: comparison, value: listOrScalar }),
  z.strictObject({ ...relationTarget, operator: z.enum(['isEmpty', 'isNotEmpty']) }),
]);
const scorecardTarget = { scorecard: text.min(1), scorecardRule: text.min(1).optional() };
const scorecardRule = z.union([
  z.strictObject({ ...scorecardTarget, operator: comparison, value: listOrScalar }),
  z.strictObject({ ...scorecardTarget, operator: z.enum(['isEmpty', 'isNotEmpty']) }),
]);

export type ComparisonRule = z.output<typeof comparisonRule>;
export type OrderRule = z.output<typeof orderRule>;
export type RangeRule = z.output<typeof rangeRule>;
export type EmptinessRule = z.output<typeof emptinessRule>;
export type TimerRule = z.output<typeof timerRule>;
export type SchemaRule = z.output<typeof schemaRule>;
export type GraphRule = z.output<typeof graphRule>;
export type PathRule = z.output<typeof pathRule>;
export type RelationSearchRule = z.output<typeof relationRule>;
export type ScorecardSearchRule = z.output<typeof scorecardRule>;

/** One rule of a query (api contract §3.3.1, §3.3.2). The last two are for searches within one blueprint. */
export type SearchRule =
  | ComparisonRule
  | OrderRule
  | RangeRule
  | EmptinessRule
  | TimerRule
  | SchemaRule
  | GraphRule
  | PathRule
  | RelationSearchRule
  | ScorecardSearchRule;

/** A search query (api contract §3.3.1): rules under a combinator, nested at will. No rules match everything. */
export interface SearchQuery {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (SearchRule | SearchQuery)[];
}

const depthMax = 20;
/** Per query, including groups. */
const rulesMax = 1000;
/** Rules that walk relations, or expand to every property of a kind. */
const wideRulesMax = 50;
/** The cost of a substring search is the product of both lengths. */
const partMax = 1000;

const byOperator: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(comparisonOperators.map((operator) => [operator, comparisonRule])),
  ...Object.fromEntries(orderOperators.map((operator) => [operator, orderRule])),
  between: rangeRule,
  notBetween: rangeRule,
  isEmpty: emptinessRule,
  isNotEmpty: emptinessRule,
  isExpired: timerRule,
  isNotExpired: timerRule,
  relatedTo: graphRule,
  matchAny: pathRule,
};

/** Decides the form of a rule by its members, so that errors name what it tried to be. */
function findRuleSchema(rule: Record<string, unknown>, isWithinBlueprint: boolean): z.ZodType | string {
  const { operator } = rule;
  if (typeof operator !== 'string' || !Object.hasOwn(byOperator, operator)) {
    return `must be one of ${Object.keys(byOperator).join(' ')}`;
  }
  const isEmptiness = operator === 'isEmpty' || operator === 'isNotEmpty';
  if (isWithinBlueprint && 'relation' in rule) return relationRule.options[isEmptiness ? 1 : 0];
  if (isWithinBlueprint && 'scorecard' in rule) return scorecardRule.options[isEmptiness ? 1 : 0];
  if ('propertySchema' in rule) return schemaRule;
  if (byOperator[operator] === rangeRule) return findRangeSchema(rule['value']);
  return byOperator[operator] as z.ZodType;
}

function findRangeSchema(value: unknown): z.ZodType {
  if (typeof value !== 'object' || value === null) return rangeRule;
  if ('preset' in value) return presetRangeRule;
  return 'from' in value || 'to' in value ? momentRangeRule : rangeRule;
}

type Fail = (message: string, at: PropertyKey[]) => undefined;

interface QueryState {
  readonly isWithinBlueprint: boolean;
  readonly fail: Fail;
  rules: number;
  wideRules: number;
}

const partOperators = /^(contains|doesNotContains|beginsWith|doesNotBeginsWith|endsWith|doesNotEndsWith)$/;

function isLongPart({ operator, value }: Record<string, unknown>): boolean {
  if (!partOperators.test(String(operator))) return false;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.some((each) => typeof each === 'string' && each.length > partMax);
}

function isWide({ operator, property, propertySchema }: Record<string, unknown>): boolean {
  return operator === 'relatedTo' || propertySchema !== undefined || (operator === 'matchAny' && isRecord(property));
}

function parseRule(rule: unknown, at: PropertyKey[], reading: QueryState): SearchRule | undefined {
  const { fail, isWithinBlueprint } = reading;
  if (!isRecord(rule)) return fail('must be a rule', at);
  const form = findRuleSchema(rule, isWithinBlueprint);
  if (typeof form === 'string') return fail(form, [...at, 'operator']);
  if (isWide(rule)) {
    reading.wideRules += 1;
    const message = `is more than the ${wideRulesMax} rules over relations or property schemas that a query takes`;
    if (reading.wideRules > wideRulesMax) return fail(message, at);
  }
  if (isLongPart(rule)) {
    return fail(`is longer than ${partMax} characters; compare whole values with "="`, [...at, 'value']);
  }
  const result = form.safeParse(rule);
  if (result.success) return result.data as SearchRule;
  for (const issue of result.error.issues) {
    const where = [...at, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) fail('is not a known field', [...where, key]);
    } else fail(issue.code === 'invalid_union' ? unionMessage(issue) : issue.message, where);
  }
  return undefined;
}

/** The union's own message, or that of the first form whose type the value has. */
function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  return nearestMessage(issue) ?? 'is not a value of this operator';
}

const isOfItsType = ({ code }: z.core.$ZodIssue): boolean => code !== 'invalid_type' && code !== 'unrecognized_keys';

function nearestMessage(issue: z.core.$ZodIssue): string | undefined {
  if (!isOfItsType(issue)) return undefined;
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue.message;
  const fitting = issue.errors.filter((branch) => branch.every(isOfItsType));
  return fitting.map(([first]) => first && nearestMessage(first)).find((message) => message !== undefined);
}

function parseGroup(input: unknown, path: PropertyKey[], depth: number, reading: QueryState): SearchQuery | undefined {
  const { fail } = reading;
  if (depth > depthMax) return fail(`is nested deeper than ${depthMax}`, path);
  if (!isRecord(input)) return fail('must be an object', path);
  const { combinator, rules, ...unknown } = input;
  for (const key of Object.keys(unknown)) fail('is not a known field', [...path, key]);
  if (combinator !== 'and' && combinator !== 'or') fail('must be "and" or "or"', [...path, 'combinator']);
  if (!Array.isArray(rules)) return fail('must be an array of rules', [...path, 'rules']);
  reading.rules += rules.length;
  if (reading.rules > rulesMax) return fail(`holds more than the ${rulesMax} rules of a query`, [...path, 'rules']);
  const parsed = rules.map((rule, index) => {
    const at = [...path, 'rules', index];
    return isRecord(rule) && 'combinator' in rule
      ? parseGroup(rule, at, depth + 1, reading)
      : parseRule(rule, at, reading);
  });
  return { combinator: combinator as 'and' | 'or', rules: parsed as (SearchRule | SearchQuery)[] };
}

/** Nesting is parsed by hand so that errors name the wrong rule instead of a failed union. */
function querySchema(id: string, isWithinBlueprint: boolean, description: string): z.ZodType<SearchQuery> {
  return z
    .custom<SearchQuery>()
    .transform((input, context): SearchQuery => {
      const fail: Fail = (message, at) => {
        context.addIssue({ code: 'custom', message, path: at });
        return undefined;
      };
      return parseGroup(input, [], 0, { isWithinBlueprint, fail, rules: 0, wideRules: 0 }) ?? z.NEVER;
    })
    .meta({
      id,
      type: 'object',
      required: ['combinator', 'rules'],
      properties: {
        combinator: { enum: ['and', 'or'] },
        rules: {
          type: 'array',
          items: {
            type: 'object',
            properties: { property: {}, operator: { enum: Object.keys(byOperator) }, value: {} },
          },
        },
      },
      description,
    }) as unknown as z.ZodType<SearchQuery>;
}

export const searchQuery = querySchema(
  'SearchQuery',
  false,
  '`{combinator: "and" | "or", rules: [...]}`. A rule is `{property, operator, value}`, an emptiness or timer rule without value, a `propertySchema`, `relatedTo` or `matchAny` rule, or a query again.',
);

/** Adds rules on targets of relations and on scorecards (api contract §3.3.2). */
export const blueprintSearchQuery = querySchema(
  'BlueprintSearchQuery',
  true,
  'A search query whose rules may also be `{relation, targetProperty?, operator, value}` or `{scorecard, scorecardRule?, operator, value}`.',
);
