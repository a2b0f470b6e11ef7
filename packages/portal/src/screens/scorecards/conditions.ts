import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { fieldOfRule, operators, presetNames, ruleText, toRule } from '../../parts/entities/operators.ts';

/** A condition as the API has it; without a property or relation it is unfinished. */
export interface Condition {
  readonly property?: string;
  readonly relation?: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly not?: boolean;
  readonly [key: string]: unknown;
}

/** Conditions of a filter or a rule; they do not nest. */
export interface ConditionGroup {
  readonly combinator: 'and' | 'or';
  readonly conditions: readonly Condition[];
}

const emptiness = ['isNotEmpty', 'isEmpty'];
const order = ['>=', '<=', '>', '<', '=', '!='];
const dates = ['between', 'notBetween'];
const texts = ['contains', 'doesNotContains', '=', '!=', 'in', 'beginsWith', 'endsWith'];
const otherTexts = ['doesNotBeginsWith', 'doesNotEndsWith'];

/** The operators of scorecards that fit a field, emptiness first: most standards begin with "there is one". */
export function scorecardOperators({ key, source, shape, isMany }: Field): readonly string[] {
  if (key === '$team') return [...emptiness, 'containsAny'];
  if (source === 'relation') return [...emptiness, isMany ? 'containsAny' : 'in'];
  if (shape.format === 'timer' || shape.format === 'date-time') return [...emptiness, ...dates];
  if (shape.type === 'number') return [...emptiness, ...order];
  if (shape.type === 'boolean') return ['=', ...emptiness];
  if (shape.type === 'array') return [...emptiness, 'contains', 'doesNotContains', 'containsAny'];
  if (shape.type === 'object') return emptiness;
  if (shape.enum) return [...emptiness, '=', '!=', ...(shape.enum.every(isText) ? ['in'] : [])];
  return [...emptiness, ...texts, ...otherTexts];
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** The fields that conditions may name. */
export function scorecardFields(fields: readonly Field[]): readonly Field[] {
  const named = fields.filter(({ source }) => source !== 'scorecard');
  const own = (field: Field) => (field.source === 'meta' && field.key !== '$team' ? 1 : 0);
  return [...named].sort((one, other) => own(one) - own(other));
}

/** Ranges that move with the clock, as far as conditions may have them. */
export const rangeChoices = Object.entries(presetNames)
  .filter(([value]) => value !== 'lastDay')
  .map(([value, label]) => ({ value, label }));

/** The field of a condition that the form can show; undefined where only JSON can. */
export function findField(condition: Condition, fields: readonly Field[]): Field | undefined {
  if (condition.not !== undefined) return undefined;
  const field = fieldOfRule(condition, fields);
  return field && scorecardOperators(field).includes(condition.operator) ? field : undefined;
}

export function isUnnamed({ property, relation }: Condition): boolean {
  return property === undefined && relation === undefined;
}

export function toCondition(field: Field, operator: string, value?: unknown): Condition {
  return toRule(field, operator, value) as Condition;
}

/** Whether a condition says all it needs to. */
export function isComplete(condition: Condition): boolean {
  if (isUnnamed(condition)) return false;
  const { operator, value } = condition;
  if (operators[operator]?.value === 'none') return true;
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== '' && !Number.isNaN(value);
}

/** Conditions as one sentence, such as "Runbook is not empty and Tier is at most 2". */
export function writeSentence(
  { combinator, conditions }: ConditionGroup,
  fields: readonly Field[],
  teamName: (value: string) => string,
): string {
  const words = (value: unknown, field: Field) =>
    field.key === '$team'
      ? teamName(String(value))
      : typeof value === 'boolean'
        ? value
          ? t('yes')
          : t('no')
        : String(value);
  return conditions
    .filter(isComplete)
    .map((condition) => {
      if (findField(condition, fields)) return ruleText(condition, fields, words);
      const { property = condition.relation, operator, value, not } = condition;
      const said = `${property} ${operators[operator]?.label ?? operator}${value === undefined ? '' : ` ${words(value, { key: '' } as Field)}`}`;
      return not ? t('not ({said})', { said }) : said;
    })
    .join(combinator === 'or' ? ' or ' : ' and ');
}
