import { isRecord, toRecord } from '@portolan/contract/json-value';
import type { JqValue } from '@portolan/jq';

/** A policy of rules over the person and the form, joined by `and` or `or`. */
export interface QueryPolicy {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly unknown[];
}

/** What the rules of a policy compare. */
export interface PolicyValues {
  readonly user: JqValue;
  /** Inputs, with entities in the place of their names; absent before there are any. */
  readonly form: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Whether a policy admits somebody. What cannot be understood or is not there admits nobody, also where a rule asks for
 * the opposite; so does a policy without rules.
 */
export function meetsPolicy(policy: QueryPolicy, values: PolicyValues): boolean {
  return decide(policy, values) === true;
}

/** Undefined where a rule cannot be asked. */
function decide(rule: unknown, values: PolicyValues): boolean | undefined {
  if (!isRecord(rule)) return undefined;
  if (!Array.isArray(rule['rules'])) return compare(rule, values);
  const answers = rule['rules'].map((each) => decide(each, values));
  if (rule['combinator'] === 'or') return answers.some((answer) => answer === true);
  if (rule['combinator'] !== 'and' || answers.length === 0) return undefined;
  return answers.every((answer) => answer === true);
}

function compare(rule: Readonly<Record<string, unknown>>, values: PolicyValues): boolean | undefined {
  const left = isContext(rule['property']) ? readValue(rule['property'], values) : undefined;
  const right = isContext(rule['value']) ? readValue(rule['value'], values) : rule['value'];
  if (left === undefined) return undefined;
  switch (rule['operator']) {
    case 'isEmpty':
      return isEmpty(left);
    case 'isNotEmpty':
      return !isEmpty(left);
  }
  if (right === undefined || right === null) return undefined;
  const list = Array.isArray(left) ? left : [left];
  const wanted = Array.isArray(right) ? right : [right];
  switch (rule['operator']) {
    case '=':
      return !Array.isArray(left) && left === right;
    case '!=':
      return !Array.isArray(left) && left !== right;
    case 'in':
    case 'containsAny':
      return list.some((each) => wanted.includes(each));
    case 'notIn':
      return !list.some((each) => wanted.includes(each));
    case 'contains':
      return typeof left === 'string' && typeof right === 'string'
        ? left.includes(right)
        : wanted.every((each) => list.includes(each));
    case 'doesNotContains':
      return typeof left === 'string' && typeof right === 'string'
        ? !left.includes(right)
        : !wanted.some((each) => list.includes(each));
    case 'beginsWith':
      return typeof left === 'string' && typeof right === 'string' && left.startsWith(right);
    case 'endsWith':
      return typeof left === 'string' && typeof right === 'string' && left.endsWith(right);
    case '>':
      return compareNumbers(left, right, (one, other) => one > other);
    case '>=':
      return compareNumbers(left, right, (one, other) => one >= other);
    case '<':
      return compareNumbers(left, right, (one, other) => one < other);
    case '<=':
      return compareNumbers(left, right, (one, other) => one <= other);
    default:
      return undefined;
  }
}

type Context = Readonly<{ context: string; property: string }>;

function isContext(value: unknown): value is Context {
  return isRecord(value) && typeof value['context'] === 'string' && typeof value['property'] === 'string';
}

function compareNumbers(left: unknown, right: unknown, holds: (left: number, right: number) => boolean): boolean {
  return typeof left === 'number' && typeof right === 'number' && holds(left, right);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value by its name; null where it is unset, undefined where there is nothing of this name to ask. */
function readValue({ context, property }: Context, { user, form }: PolicyValues): unknown {
  const person = toRecord(user);
  if (context === 'user') return readEntity(person, property);
  if (context === 'userTeams') {
    const teams = Array.isArray(person['teams']) ? person['teams'].map(toRecord) : [];
    const key = { $identifier: 'identifier', $title: 'name' }[property];
    return key === undefined ? undefined : teams.map((team) => team[key]);
  }
  if (context !== 'form' || form === undefined) return undefined;
  const [input = '', ...rest] = property.split('.');
  if (!Object.hasOwn(form, input)) return undefined;
  const value = form[input] ?? null;
  if (rest.length === 0) return isRecord(value) ? (value['identifier'] ?? null) : value;
  return isRecord(value) ? readEntity(value, rest.join('.')) : undefined;
}

const meta: Readonly<Record<string, string>> = { $identifier: 'identifier', $title: 'title', $team: 'team' };

function readEntity(entity: Readonly<Record<string, unknown>>, property: string): unknown {
  const known = meta[property];
  if (known !== undefined) return entity[known] ?? null;
  for (const part of ['properties', 'relations']) {
    const values = toRecord(entity[part]);
    if (Object.hasOwn(values, property)) return values[property] ?? null;
  }
  return Object.hasOwn(entity, property) ? (entity[property] ?? null) : undefined;
}
