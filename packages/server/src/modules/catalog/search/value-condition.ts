import type { SearchRule } from '@portolan/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { presetRange } from './date-presets.ts';

/** Every rule about one value; `relatedTo` is about the graph. */
export type ValueRule = Exclude<SearchRule, { operator: 'relatedTo' }>;

/**
 * A rule on a JSON value that may be absent (operator truth table, catalog semantics §3.3): text compares
 * case-sensitively, substrings do not; negative operators match what has no value.
 */
export function jsonCondition(value: Sql, rule: ValueRule, now: Date): Sql {
  switch (rule.operator) {
    case 'isEmpty':
      return sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`;
    case 'isNotEmpty':
      return sql`coalesce(jsonb_typeof(${value}), 'null') <> 'null'`;
    case '=':
      return isRange(rule.value) ? within(value, rule.value, now) : equal(value, rule.value);
    case '!=':
      return sql`not ${equal(value, rule.value)}`;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return ordered(value, rule.operator, rule.value);
    case 'between':
      return within(value, rule.value, now);
    case 'notBetween':
      return sql`not ${within(value, rule.value, now)}`;
    case 'in':
      return anyOf(value, listOf(rule.value));
    case 'containsAny':
      return memberOf(value, listOf(rule.value));
    case 'notIn':
      return sql`not ${anyOf(value, listOf(rule.value))}`;
    case 'contains':
      return contains(value, rule.value);
    case 'doesNotContains':
      return sql`not ${contains(value, rule.value)}`;
    case 'beginsWith':
      return like(value, `${escapeLike(rule.value)}%`);
    case 'doesNotBeginsWith':
      return sql`not ${like(value, `${escapeLike(rule.value)}%`)}`;
    case 'endsWith':
      return like(value, `%${escapeLike(rule.value)}`);
    case 'doesNotEndsWith':
      return sql`not ${like(value, `%${escapeLike(rule.value)}`)}`;
  }
}

type Range = { readonly from: string; readonly to: string } | { readonly preset: Parameters<typeof presetRange>[0] };

function isRange(value: unknown): value is Range {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function asJson(value: unknown): Sql {
  return sql`${JSON.stringify(value)}::jsonb`;
}

function equal(value: Sql, expected: unknown): Sql {
  if (expected === null) return sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`;
  return sql`coalesce(${value} = ${asJson(expected)}, false)`;
}

/** Numbers compare as numbers; moments written with an offset compare as moments. */
function ordered(value: Sql, operator: '>' | '>=' | '<' | '<=', bound: number | string): Sql {
  const compare = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` }[operator];
  if (typeof bound === 'number') {
    return sql`case when jsonb_typeof(${value}) = 'number' then (${value})::text::numeric ${compare} ${bound}::numeric else false end`;
  }
  return sql`case when ${isMoment(value)} then (${value} #>> '{}')::timestamptz ${compare} ${momentOf(bound)} else false end`;
}

const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
const date =
  '([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))' +
  `|${leapYear}-02-29)`;
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,30})?)?';
/** PostgreSQL knows no offset of 16 hours or more, and no year 0. */
const offset = '([Zz]|[+-](0[0-9]|1[0-5]):?[0-5][0-9])';
const momentPattern = `^(?!0000)${date}[Tt ]${time}${offset}$`;

/** Text that can be cast to a moment: one that cannot would fail the whole statement, wherever it is stored. */
function isMoment(value: Sql): Sql {
  return sql`coalesce(jsonb_typeof(${value}) = 'string' and (${value} #>> '{}') ~ ${momentPattern}, false)`;
}

function momentOf(bound: string): Sql {
  const at = Date.parse(bound);
  return Number.isNaN(at) ? sql`null::timestamptz` : sql`${new Date(at)}::timestamptz`;
}

function within(value: Sql, range: unknown, now: Date): Sql {
  const asked = range as Range;
  const { from, to } =
    'preset' in asked ? presetRange(asked.preset, now) : { from: new Date(asked.from), to: new Date(asked.to) };
  return sql`case when ${isMoment(value)} then (${value} #>> '{}')::timestamptz between ${from} and ${to} else false end`;
}

/** The value is one of the list, or is an array that holds one of them. */
function anyOf(value: Sql, list: readonly unknown[]): Sql {
  if (list.length === 0) return sql`false`;
  const scalars = join(list.map(asJson));
  return sql`coalesce(case when jsonb_typeof(${value}) = 'array'
    then exists (select 1 from jsonb_array_elements(${value}) as item(value) where item.value in (${scalars}))
    else ${value} in (${scalars}) end, false)`;
}

/** The value is an array that holds one of the list. */
function memberOf(value: Sql, list: readonly unknown[]): Sql {
  return sql`case when jsonb_typeof(${value}) = 'array' then ${anyOf(value, list)} else false end`;
}

/** A substring of a text, or a member of an array. */
function contains(value: Sql, sought: unknown): Sql {
  const members = memberOf(value, listOf(sought));
  if (typeof sought !== 'string') return members;
  return sql`case when jsonb_typeof(${value}) = 'string' then ${like(value, `%${escapeLike(sought)}%`)} else ${members} end`;
}

function like(value: Sql, pattern: string): Sql {
  return sql`coalesce(jsonb_typeof(${value}) = 'string' and (${value} #>> '{}') ilike ${pattern}, false)`;
}

function escapeLike(text: unknown): string {
  return String(text).replace(/[\\%_]/g, '\\$&');
}
