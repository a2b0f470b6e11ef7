import { isDeepStrictEqual } from 'node:util';
import type { ScorecardCondition } from '@portolan/contract/scorecards';
import { presetRange } from '../../platform/date-presets.ts';

/**
 * Whether a value that may be absent satisfies a condition. As in search (catalog semantics §3.3), but emptiness is
 * wider: null, `""`, `[]` and `{}` are empty (catalog semantics §1.9). Negative operators match what has no value.
 */
export function satisfiesCondition(value: unknown, condition: ScorecardCondition, now: Date): boolean {
  switch (condition.operator) {
    case 'isEmpty':
      return isEmpty(value) !== (condition.not ?? false);
    case 'isNotEmpty':
      return isEmpty(value) === (condition.not ?? false);
    case '=':
      return isRange(condition.value)
        ? isWithin(value, condition.value, now)
        : isDeepStrictEqual(value, condition.value);
    case '!=':
      return !isDeepStrictEqual(value, condition.value);
    case '>':
    case '>=':
    case '<':
    case '<=':
      return isOrdered(value, condition.operator, condition.value);
    case 'between':
      return isWithin(value, condition.value, now);
    case 'notBetween':
      return !isWithin(value, condition.value, now);
    case 'in':
    case 'containsAny':
      return isAnyOf(value, condition.value);
    case 'contains':
      return contains(value, condition.value);
    case 'doesNotContains':
      return !contains(value, condition.value);
    case 'beginsWith':
      return isText(value, condition.value, (text, part) => text.startsWith(part));
    case 'doesNotBeginsWith':
      return !isText(value, condition.value, (text, part) => text.startsWith(part));
    case 'endsWith':
      return isText(value, condition.value, (text, part) => text.endsWith(part));
    case 'doesNotEndsWith':
      return !isText(value, condition.value, (text, part) => text.endsWith(part));
  }
}

type Constant = string | number | boolean | readonly string[];
type Range = Extract<ScorecardCondition, { operator: 'between' | 'notBetween' }>['value'];

function isRange(value: Constant | Range): value is Range {
  return typeof value === 'object' && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Numbers compare as numbers; texts only where both are moments. */
function isOrdered(value: unknown, operator: '>' | '>=' | '<' | '<=', bound: Constant): boolean {
  const [left, right] = typeof bound === 'number' ? [toNumber(value), bound] : [parseMoment(value), parseMoment(bound)];
  if (left === undefined || right === undefined) return false;
  if (left === right) return operator === '>=' || operator === '<=';
  return left > right === operator.startsWith('>');
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const momentPattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** A moment with its offset; a bare date or a text that only looks like one is none. */
function parseMoment(value: unknown): number | undefined {
  if (typeof value !== 'string' || !momentPattern.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

function isWithin(value: unknown, range: Range, now: Date): boolean {
  const at = parseMoment(value);
  if (at === undefined) return false;
  const { from, to } =
    'preset' in range ? presetRange(range.preset, now) : { from: new Date(range.from), to: new Date(range.to) };
  return at >= from.getTime() && at <= to.getTime();
}

function toList(constant: Constant): readonly unknown[] {
  return Array.isArray(constant) ? constant : [constant];
}

/** The value is one of the list, or is an array that holds one of them. */
function isAnyOf(value: unknown, list: readonly unknown[]): boolean {
  if (!Array.isArray(value)) return list.includes(value);
  const wanted = list.length > fewMax ? membersOf(list) : undefined;
  return value.some((item) => (wanted ? wanted.has(item) : list.includes(item)));
}

const fewMax = 16;
const members = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Built once for each condition: two long lists must not cost their product, entity after entity. */
function membersOf(list: readonly unknown[]): ReadonlySet<unknown> {
  const known = members.get(list) ?? new Set(list);
  members.set(list, known);
  return known;
}

/** A substring of a text in any case, or a member of an array. */
function contains(value: unknown, sought: Constant): boolean {
  if (typeof sought !== 'string' || typeof value !== 'string') return isAnyOf(value, toList(sought));
  return inLowerCase(value).includes(sought.toLowerCase());
}

/** One of the parts fits the text, in any case. */
function isText(value: unknown, parts: Constant, fits: (text: string, part: string) => boolean): boolean {
  if (typeof value !== 'string') return false;
  const text = inLowerCase(value);
  return toList(parts).some((part) => fits(text, String(part).toLowerCase()));
}

let lastText = { value: '', lower: '' };

/** The conditions of a scorecard ask for the same text one after another, and it may be long. */
function inLowerCase(value: string): string {
  if (lastText.value !== value) lastText = { value, lower: value.toLowerCase() };
  return lastText.lower;
}
