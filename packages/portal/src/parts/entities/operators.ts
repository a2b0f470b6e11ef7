import { t } from '../../kit/translate.ts';
import { type Field, relationKey } from './fields.ts';

export interface Rule {
  readonly property?: string;
  readonly relation?: string;
  readonly scorecard?: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly [key: string]: unknown;
}

/** A query in the filter builder: rules, and groups of rules. */
export interface Query {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (Rule | Query)[];
}

export const noRules: Query = { combinator: 'and', rules: [] };

export function isQuery(rule: Rule | Query): rule is Query {
  return 'combinator' in rule;
}

/** The kind of input an operator needs. */
export type ValueKind = 'none' | 'one' | 'list' | 'range';

interface Operator {
  readonly label: string;
  readonly value: ValueKind;
}

/** Every search operator with its label. */
export const operators: Readonly<Record<string, Operator>> = {
  '=': { label: t('is'), value: 'one' },
  '!=': { label: t('is not'), value: 'one' },
  in: { label: t('is any of'), value: 'list' },
  notIn: { label: t('is none of'), value: 'list' },
  contains: { label: t('contains'), value: 'one' },
  doesNotContains: { label: t('does not contain'), value: 'one' },
  containsAny: { label: t('contains any of'), value: 'list' },
  beginsWith: { label: t('begins with'), value: 'one' },
  doesNotBeginsWith: { label: t('does not begin with'), value: 'one' },
  endsWith: { label: t('ends with'), value: 'one' },
  doesNotEndsWith: { label: t('does not end with'), value: 'one' },
  '>': { label: t('is more than'), value: 'one' },
  '>=': { label: t('is at least'), value: 'one' },
  '<': { label: t('is less than'), value: 'one' },
  '<=': { label: t('is at most'), value: 'one' },
  between: { label: t('is within'), value: 'range' },
  notBetween: { label: t('is not within'), value: 'range' },
  isEmpty: { label: t('is empty'), value: 'none' },
  isNotEmpty: { label: t('is not empty'), value: 'none' },
  isExpired: { label: t('has expired'), value: 'none' },
  isNotExpired: { label: t('has not expired'), value: 'none' },
};

const emptiness = ['isEmpty', 'isNotEmpty'];
const order = ['>', '>=', '<', '<='];
const parts = ['contains', 'doesNotContains', 'beginsWith', 'doesNotBeginsWith', 'endsWith', 'doesNotEndsWith'];

/** The operators that fit a field, the most common first. */
export function listOperators({ key, source, shape, isMany }: Field): readonly string[] {
  if (source === 'scorecard') return ['in', 'notIn', '=', '!=', ...emptiness];
  if (key === '$team') return ['in', 'notIn', ...emptiness];
  if (source === 'relation') return isMany ? ['containsAny', ...emptiness] : ['in', 'notIn', ...emptiness];
  if (shape.format === 'timer') return ['isExpired', 'isNotExpired', 'between', 'notBetween', ...emptiness];
  if (shape.format === 'date-time') return ['between', 'notBetween', ...order, ...emptiness];
  if (shape.type === 'number') return ['=', '!=', ...order, 'in', 'notIn', ...emptiness];
  if (shape.type === 'boolean') return ['=', '!=', ...emptiness];
  if (shape.type === 'array') return ['containsAny', 'contains', 'doesNotContains', ...emptiness];
  if (shape.type === 'object') return emptiness;
  if (shape.enum) return ['in', 'notIn', '=', '!=', ...emptiness];
  return ['contains', '=', '!=', 'in', 'notIn', ...parts.slice(1), ...emptiness];
}

/** A rule for a field, in the form of the search API. */
export function toRule({ key, source }: Pick<Field, 'key' | 'source'>, operator: string, value?: unknown): Rule {
  const subject =
    source === 'relation'
      ? { relation: relationKey({ key }) }
      : source === 'scorecard'
        ? { scorecard: key }
        : { property: key };
  return operators[operator]?.value === 'none' ? { ...subject, operator } : { ...subject, operator, value };
}

/** The rule that finds what has one value of a field, or none. */
export function ruleForValue(field: Field, value: unknown): Rule {
  if (value === null) return toRule(field, 'isEmpty');
  const offered = listOperators(field);
  const operator = ['in', 'containsAny', '='].find((each) => offered.includes(each)) ?? '=';
  return toRule(field, operator, operator === '=' ? value : [value]);
}

/** The field of a rule; undefined for a rule that only the JSON view can show. */
export function fieldOfRule(rule: Rule, fields: readonly Field[]): Field | undefined {
  const key = rule.relation ?? rule.scorecard ?? rule.property;
  return typeof key === 'string' ? fields.find((field) => field.key === key) : undefined;
}

/** A rule without its value is incomplete and not sent. */
export function isComplete(rule: Rule): boolean {
  const kind = operators[rule.operator]?.value;
  if (kind === undefined || kind === 'none') return true;
  if (Array.isArray(rule.value)) return rule.value.length > 0;
  return rule.value !== undefined && rule.value !== '' && !(typeof rule.value === 'number' && Number.isNaN(rule.value));
}

/** The query to send: without incomplete or empty parts. */
export function completed(query: Query): Query {
  return {
    combinator: query.combinator,
    rules: query.rules.flatMap((rule): (Rule | Query)[] => {
      if (!isQuery(rule)) return isComplete(rule) ? [rule] : [];
      const inner = completed(rule);
      return inner.rules.length > 0 ? [inner] : [];
    }),
  };
}

/** Combines queries with `and`; empty ones are dropped. */
export function joined(queries: readonly (Query | undefined)[]): Query | undefined {
  const telling = queries.filter((query): query is Query => query !== undefined && query.rules.length > 0);
  return telling.length <= 1 ? telling[0] : { combinator: 'and', rules: telling };
}

/** A rule in words, such as "Lifecycle is any of beta, production". */
export function ruleText(
  rule: Rule,
  fields: readonly Field[],
  nameOf: (value: unknown, field: Field) => string,
): string {
  const field = fieldOfRule(rule, fields);
  const operator = operators[rule.operator];
  if (!field || !operator) return JSON.stringify(rule);
  if (operator.value === 'none') return `${field.title} ${operator.label}`;
  if (!isComplete(rule)) return `${field.title} ${operator.label} …`;
  return `${field.title} ${operator.label} ${valueText(rule.value, (value) => nameOf(value, field))}`;
}

function valueText(value: unknown, nameOf: (value: unknown) => string): string {
  if (Array.isArray(value)) {
    const [first, second, ...others] = value.map(nameOf);
    return (
      [first, second].filter((each) => each !== undefined).join(', ') + (others.length > 0 ? ` +${others.length}` : '')
    );
  }
  if (typeof value === 'object' && value !== null) {
    const { preset, from, to } = value as { preset?: string; from?: string; to?: string };
    return preset ? (presetNames[preset] ?? preset) : `${String(from).slice(0, 10)} – ${String(to).slice(0, 10)}`;
  }
  return nameOf(value);
}

/** Date ranges relative to now. */
export const presetNames: Readonly<Record<string, string>> = {
  today: t('today'),
  yesterday: t('yesterday'),
  tomorrow: t('tomorrow'),
  lastDay: t('the last 24 hours'),
  lastWeek: t('the last 7 days'),
  last2Weeks: t('the last 14 days'),
  lastMonth: t('the last 30 days'),
  last3Months: t('the last 90 days'),
  last6Months: t('the last 180 days'),
  last12Months: t('the last 365 days'),
  nextDay: t('the next 24 hours'),
  nextWeek: t('the next 7 days'),
  next2Weeks: t('the next 14 days'),
  nextMonth: t('the next 30 days'),
  next3Months: t('the next 90 days'),
  next6Months: t('the next 180 days'),
  next12Months: t('the next 365 days'),
};
