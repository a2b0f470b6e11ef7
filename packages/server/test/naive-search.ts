import { isDeepStrictEqual } from 'node:util';
import type { Entity } from './catalog-fixtures.ts';

type Json = unknown;
export type NaiveRule = { readonly property: string; readonly operator: string; readonly value?: Json };
export type NaiveQuery = { readonly combinator: 'and' | 'or'; readonly rules: readonly (NaiveRule | NaiveQuery)[] };

/**
 * The operator truth table (catalog semantics §3.3) written out over the JSON of entities, one
 * entity at a time: what the compiled statements are compared with.
 */
export function matches(entity: Entity, query: NaiveRule | NaiveQuery): boolean {
  if (!('combinator' in query)) {
    return isKnown(entity, query.property) && holds(read(entity, query.property), emptied(entity, query));
  }
  if (query.rules.length === 0) return true;
  return query.combinator === 'and'
    ? query.rules.every((rule) => matches(entity, rule))
    : query.rules.some((rule) => matches(entity, rule));
}

/** A rule about what the blueprint does not have simply does not match there, whatever its operator. */
function isKnown(entity: Entity, property: string): boolean {
  if (property.startsWith('$')) return property === '$team' || Object.hasOwn(entity, property.slice(1));
  const [head = ''] = property.split('.');
  return (
    [property, head].some((key) => Object.hasOwn(entity.properties, key)) || Object.hasOwn(entity.relations, property)
  );
}

/** No members of a relation of many are no value. */
function emptied(entity: Entity, rule: NaiveRule): NaiveRule {
  const isNone = Array.isArray(entity.relations[rule.property]) && Array.isArray(rule.value) && rule.value.length === 0;
  return isNone && ['=', '!='].includes(rule.operator) ? { ...rule, value: null } : rule;
}

function read(entity: Entity, property: string): Json {
  if (property === '$team') return entity.team;
  if (property.startsWith('$')) return (entity as unknown as Record<string, Json>)[property.slice(1)] ?? null;
  if (Object.hasOwn(entity.properties, property)) return entity.properties[property];
  if (Object.hasOwn(entity.relations, property)) {
    const value = entity.relations[property];
    return Array.isArray(value) && value.length === 0 ? null : value;
  }
  const [head = '', ...rest] = property.split('.');
  const object = entity.properties[head];
  if (rest.length === 0 || typeof object !== 'object' || object === null || Array.isArray(object)) return null;
  return Object.hasOwn(object, rest.join('.')) ? (object as Record<string, Json>)[rest.join('.')] : null;
}

function holds(value: Json, { property, operator, value: sought }: NaiveRule): boolean {
  const isNothing = value === null || (property === '$team' && (value as Json[]).length === 0);
  switch (operator) {
    case 'isEmpty':
      return isNothing;
    case 'isNotEmpty':
      return !isNothing;
    case '=':
      if (property === '$team' && typeof sought === 'string') return isDeepStrictEqual(value, [sought]);
      return isRange(sought)
        ? isWithin(value, sought)
        : isNothing && sought === null
          ? true
          : isDeepStrictEqual(value ?? undefined, sought);
    case '>':
    case '>=':
    case '<':
    case '<=':
      return isOrdered(value, operator, sought);
    case 'between':
      return isWithin(value, sought);
    case 'contains':
      if (Array.isArray(value)) return value.some((item) => isDeepStrictEqual(item, sought));
      return typeof value === 'string' && typeof sought === 'string' && fold(value).includes(fold(sought));
    // on a single value the same as `in`: the dossier leaves it open, and people mean it so
    case 'containsAny':
    case 'in':
      return !isNothing && isAnyOf(Array.isArray(value) ? value : [value], sought);
    case 'beginsWith':
      return typeof value === 'string' && fold(value).startsWith(fold(sought as string));
    case 'endsWith':
      return typeof value === 'string' && fold(value).endsWith(fold(sought as string));
    default: {
      const positive = positives[operator];
      if (!positive) throw new Error(`No operator ${operator}`);
      return !holds(value, { property, operator: positive, value: sought });
    }
  }
}

const positives: Readonly<Record<string, string>> = {
  '!=': '=',
  notBetween: 'between',
  notIn: 'in',
  doesNotContains: 'contains',
  doesNotBeginsWith: 'beginsWith',
  doesNotEndsWith: 'endsWith',
};

function fold(text: string): string {
  return text.toLowerCase();
}

function isAnyOf(values: readonly Json[], sought: Json): boolean {
  const list = Array.isArray(sought) ? sought : [sought];
  return values.some((value) => list.some((each) => isDeepStrictEqual(value, each)));
}

function isOrdered(value: Json, operator: string, bound: Json): boolean {
  const [left, right] =
    typeof bound === 'number'
      ? [typeof value === 'number' ? value : undefined, bound]
      : [parseMoment(value), Date.parse(bound as string)];
  if (left === undefined) return false;
  return { '>': left > right, '>=': left >= right, '<': left < right, '<=': left <= right }[operator] as boolean;
}

function isRange(value: Json): value is { from: string; to: string } {
  return typeof value === 'object' && value !== null && 'from' in value;
}

function isWithin(value: Json, range: Json): boolean {
  const at = parseMoment(value);
  const { from, to } = range as { from: string; to: string };
  return at !== undefined && at >= Date.parse(from) && at <= Date.parse(to);
}

const form = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** Milliseconds of a moment that the calendar has, written with its offset. */
export function parseMoment(value: Json): number | undefined {
  const parts = typeof value === 'string' ? form.exec(value) : null;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 4, 5, 6, 9, 10].map((index) =>
    Number(parts[index] ?? 0),
  ) as [number, number, number, number, number, number, number, number];
  const daysOfMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isReal =
    year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth && hour < 24 && minute < 60 && second < 60;
  if (!isReal || offsetHour > 15 || offsetMinute > 59) return undefined;
  const fraction = Number((parts[7] ?? '').padEnd(3, '0'));
  const offset = (offsetHour * 60 + offsetMinute) * (parts[8] === '-' ? -1 : 1);
  return (
    new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction
  );
}
