import { isRecord } from '@portolan/contract/json-value';
import type { DateRange, Scalar } from '@portolan/contract/search-values';
import sql, { type Sql } from 'sql-template-tag';
import { presetRange } from '../../platform/date-presets.ts';
import { dayAfterNext, dayBefore, parseMoment } from '../../platform/moments.ts';
import { and, type Condition, not, or } from './condition.sql.ts';
import type { Operand } from './operand.sql.ts';

/** A rule on one value. */
export interface ValueRule {
  readonly operator: string;
  readonly value?: Scalar | readonly Scalar[] | DateRange | undefined;
}

/**
 * A rule on a value that may be absent (operator table, catalog semantics §3.3): whole texts compare case-sensitively,
 * parts of texts do not; negative operators match absent values.
 */
export function valueCondition(operand: Operand, rule: ValueRule, now: Date): Condition {
  const { value } = rule;
  switch (rule.operator) {
    case 'isEmpty':
      return isEmpty(operand);
    case 'isNotEmpty':
      return not(isEmpty(operand));
    case '=':
      return equal(operand, value, now);
    case '!=':
      return not(equal(operand, value, now));
    case '>':
    case '>=':
    case '<':
    case '<=':
      return ordered(operand, rule.operator, value);
    case 'between':
      return within(operand, value, now);
    case 'notBetween':
      return not(within(operand, value, now));
    case 'in':
    case 'containsAny':
      return anyOf(operand, toList(value));
    case 'notIn':
      return not(anyOf(operand, toList(value)));
    case 'contains':
      return contains(operand, toList(value));
    case 'doesNotContains':
      return not(contains(operand, toList(value)));
    case 'beginsWith':
      return like(operand, value, (text) => `${text}%`);
    case 'doesNotBeginsWith':
      return not(like(operand, value, (text) => `${text}%`));
    case 'endsWith':
      return like(operand, value, (text) => `%${text}`);
    case 'doesNotEndsWith':
      return not(like(operand, value, (text) => `%${text}`));
    case 'isExpired':
      return sql`${operand.moment} < ${now}`;
    case 'isNotExpired':
      return sql`${operand.moment} >= ${now}`;
    default:
      return false;
  }
}

type Value = ValueRule['value'];

function isRange(value: Value): value is DateRange {
  return isRecord(value);
}

/** One value or several, without ranges and null. */
function toList(value: Value): (string | number | boolean)[] {
  const list: readonly Scalar[] = Array.isArray(value) ? value : isRange(value) ? [] : [(value ?? null) as Scalar];
  return [...new Set(list)].filter((each) => each !== null);
}

function asJson(value: unknown): Sql {
  return sql`${JSON.stringify(value)}::jsonb`;
}

function isEmpty({ key, json, isLinks }: Operand): Sql {
  return isLinks ? sql`coalesce(${json}, '[]') = '[]'` : sql`${key} is null`;
}

function equal(operand: Operand, value: Value, now: Date): Condition {
  if (isRange(value)) return within(operand, value, now);
  if (value === null || value === undefined) return isEmpty(operand);
  const { type, json, number, isLinks } = operand;
  if (isLinks && Array.isArray(value) && value.length === 0) return isEmpty(operand);
  if (Array.isArray(value)) return type === 'array' || type === 'json' ? sql`${json} = ${asJson(value)}` : false;
  if (typeof value === 'string') return equalText(operand, value);
  if (type === 'number' && typeof value === 'number') return sql`${number} = ${value}::numeric`;
  if (type === 'boolean' && typeof value === 'boolean') return sql`${operand.key} = ${String(value)}`;
  return type === 'json' ? sql`${json} = ${asJson(value)}` : false;
}

function equalText(operand: Operand, value: string): Condition {
  const { type, json, key, keyLength, isMoment, moment } = operand;
  if (type !== 'text' && type !== 'json') return false;
  const isWhole = type === 'text' && value.length < keyLength;
  const same = isWhole
    ? sql`${key} = ${value}`
    : sql`(${key} = ${[...value].slice(0, 256).join('')} and ${json} = ${asJson(value)})`;
  const at = isMoment ? parseMoment(value) : undefined;
  return at ? or([same, sql`${moment} = ${at}`]) : same;
}

const comparators = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` } as const;

/** Numbers compare as numbers, moments as moments. */
function ordered(operand: Operand, operator: keyof typeof comparators, bound: Value): Condition {
  const compare = comparators[operator];
  if (typeof bound === 'number') {
    const canBe = operand.type === 'number' || operand.type === 'json';
    return canBe ? sql`${operand.number} ${compare} ${bound}::numeric` : false;
  }
  const at = typeof bound === 'string' && canBeMoment(operand) ? parseMoment(bound) : undefined;
  if (!at) return false;
  const narrow = operator.startsWith('>') ? fromDay(operand, at) : untilDay(operand, at);
  return and([...narrow, sql`${operand.moment} ${compare} ${at}`]);
}

function within(operand: Operand, range: Value, now: Date): Condition {
  if (!isRange(range) || !canBeMoment(operand)) return false;
  const { from, to } =
    'preset' in range ? presetRange(range.preset, now) : { from: parseMoment(range.from), to: parseMoment(range.to) };
  if (!from || !to) return false;
  const { moment } = operand;
  return and([...fromDay(operand, from), ...untilDay(operand, to), sql`${moment} between ${from} and ${to}`]);
}

function canBeMoment({ type }: Operand): boolean {
  return type === 'text' || type === 'json';
}

/** Moments are stored as text; an index narrows them by day. */
function fromDay({ key, isMoment, slot }: Operand, at: Date): Condition[] {
  const day = isMoment && slot?.form === 'text' ? dayBefore(at) : undefined;
  return day ? [sql`${key} >= ${day}`] : [];
}

function untilDay({ key, isMoment, slot }: Operand, at: Date): Condition[] {
  const day = isMoment && slot?.form === 'text' ? dayAfterNext(at) : undefined;
  return day ? [sql`${key} < ${day}`] : [];
}

type Members = readonly (string | number | boolean)[];

/** The value, or a member of the array, is in the list. */
function anyOf(operand: Operand, list: Members): Condition {
  if (list.length === 0) return false;
  const { type, json } = operand;
  switch (type) {
    case 'text':
      return oneOfTexts(operand, list);
    case 'number': {
      const numbers = list.filter((each) => typeof each === 'number');
      return numbers.length > 0 && sql`${operand.number} = any(${numbers}::numeric[])`;
    }
    case 'boolean': {
      const texts = list.filter((each) => typeof each === 'boolean').map(String);
      return texts.length > 0 && sql`${operand.key} = any(${texts}::text[])`;
    }
    case 'array':
      return holdsOne(json, list);
    case 'json': {
      const held = holdsOne(json, list);
      const texts = list.map((each) => JSON.stringify(each));
      return sql`case when jsonb_typeof(${json}) = 'array' then ${held} else ${json} = any(${texts}::jsonb[]) end`;
    }
    case 'object':
      return false;
  }
}

function oneOfTexts(operand: Operand, list: Members): Condition {
  const texts = list.filter((each) => typeof each === 'string');
  if (operand.isMoment) return or(texts.map((text) => equalText(operand, text)));
  const short = texts.filter((text) => text.length < operand.keyLength);
  const long = texts.filter((text) => text.length >= operand.keyLength);
  return or([
    short.length > 0 && sql`${operand.key} = any(${short}::text[])`,
    ...long.map((text) => equalText(operand, text)),
  ]);
}

function holdsOne(array: Sql, list: Members): Sql {
  const texts = list.filter((each) => typeof each === 'string');
  const others = list.filter((each) => typeof each !== 'string');
  const parts = [
    ...(texts.length > 0 ? [sql`${array} ?| ${texts}::text[]`] : []),
    ...others.map((each) => sql`${array} @> ${asJson([each])}`),
  ];
  return or(parts) as Sql;
}

/** A substring of a text or a member of an array, for any of the given. */
function contains(operand: Operand, list: Members): Condition {
  const texts = list.filter((each) => typeof each === 'string');
  const inText = likeAny(operand, texts);
  const { type, json } = operand;
  if (type === 'text') return inText;
  if (type === 'array') return list.length > 0 && holdsOne(json, list);
  if (type !== 'json' || list.length === 0) return false;
  return or([inText, sql`case when jsonb_typeof(${json}) = 'array' then ${holdsOne(json, list)} end`]);
}

function like({ type, text }: Operand, value: Value, patternOf: (escaped: string) => string): Condition {
  if (typeof value !== 'string' || (type !== 'text' && type !== 'json')) return false;
  return sql`${text} ilike ${patternOf(escapeLike(value))}`;
}

/** One parameter for any number of parts. */
function likeAny({ type, text }: Operand, parts: readonly string[]): Condition {
  if (parts.length === 0 || (type !== 'text' && type !== 'json')) return false;
  const patterns = parts.map((part) => `%${escapeLike(part)}%`);
  return patterns.length === 1 ? sql`${text} ilike ${patterns[0]}` : sql`${text} ilike any(${patterns}::text[])`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
