import type { Field } from './fields.ts';
import { isQuery, type Query, type Rule, toRule } from './operators.ts';

/** A value of an enum, boolean or scorecard; null stands for none. */
export type ChosenValue = string | number | boolean | null;

/** The filter of a table, for what changes it from elsewhere than the toolbar. */
export interface Filtering {
  readonly blueprint: string;
  readonly filter: Query | undefined;
  /** What is searched for with another filter in place of the user's. */
  readonly queryWith: (filter: Query | undefined) => Query | undefined;
  readonly onFilter: (filter: Query | undefined) => void;
}

/** The values of a field that a filter lets through; none if it does not choose values of the field. */
export function chosenValues(query: Query | undefined, field: Field): readonly ChosenValue[] {
  return itemsOf(query).flatMap((item) => valuesIn(item, field) ?? []);
}

/** The filter with these values of the field chosen, and everything else as it was. */
export function withChosen(query: Query | undefined, field: Field, values: readonly ChosenValue[]): Query | undefined {
  const items = itemsOf(query);
  const at = items.findIndex((item) => valuesIn(item, field));
  const others = items.filter((item) => !valuesIn(item, field));
  const own = itemOf(field, values);
  const rules = own ? others.toSpliced(at < 0 ? others.length : Math.min(at, others.length), 0, own) : others;
  const [only] = rules;
  if (!only) return undefined;
  return rules.length === 1 && isQuery(only) ? only : { combinator: 'and', rules };
}

/** What must hold at once. */
function itemsOf(query: Query | undefined): readonly (Rule | Query)[] {
  if (!query) return [];
  return query.combinator === 'and' || query.rules.length <= 1 ? query.rules : [query];
}

/** The values that a rule, or rules of which one must hold, choose; undefined if they do anything else. */
function valuesIn(item: Rule | Query, field: Field): readonly ChosenValue[] | undefined {
  if (isQuery(item)) {
    const inner = item.combinator === 'or' ? item.rules.map((rule) => valuesIn(rule, field)) : [];
    return inner.length > 0 && inner.every((each) => each !== undefined) ? inner.flat() : undefined;
  }
  const { operator, value, ...subject } = item;
  const { operator: _, ...own } = toRule(field, 'isEmpty');
  if (JSON.stringify(subject) !== JSON.stringify(own)) return undefined;
  if (operator === 'isEmpty') return [null];
  const values = operator === '=' ? [value] : operator === 'in' && Array.isArray(value) ? value : [];
  return values.length > 0 && values.every(isScalar) ? values : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function itemOf(field: Field, values: readonly ChosenValue[]): Rule | Query | undefined {
  const some = values.filter((value) => value !== null);
  const ofSome =
    field.shape.type === 'boolean'
      ? some.map((value) => toRule(field, '=', value))
      : some.length > 0
        ? [toRule(field, 'in', some)]
        : [];
  const rules = [...ofSome, ...(values.includes(null) ? [toRule(field, 'isEmpty')] : [])];
  return rules.length > 1 ? { combinator: 'or', rules } : rules[0];
}
