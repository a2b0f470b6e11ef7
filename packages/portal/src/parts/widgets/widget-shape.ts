import { isRecord } from '@portolan/contract/json-value';
import type { ReactNode } from 'react';
import { locale } from '../../kit/language.ts';
import { completed, isQuery, type Query, type Rule } from '../entities/operators.ts';

/** A widget as stored: any keys, of any shape. */
export type Widget = Readonly<Record<string, unknown>>;

export interface WidgetProps {
  readonly widget: Widget;
  readonly context: WidgetContext;
}

/** Where a widget is: the page's filters, and the entity whose screen holds it. */
export interface WidgetContext {
  /** Renders nested widgets: boards hold groups, and groups hold boards. */
  readonly draw: (widget: Widget, context: WidgetContext) => ReactNode;
  readonly page: string;
  readonly pageFilters: readonly Widget[];
  /** Filters the page by what is chosen in a widget; absent where pages are not filtered by their readers. */
  readonly narrow?: (rule: Rule) => void;
  readonly entity?: { readonly blueprint: string; readonly identifier: string };
}

export function widgetText(widget: Widget, key: string): string | undefined {
  const value = widget[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function widgetList(widget: Widget, key: string): readonly Widget[] {
  const value = widget[key];
  return Array.isArray(value) ? value.filter((each): each is Widget => typeof each === 'object' && each !== null) : [];
}

export function widgetTexts(widget: Widget, key: string): readonly string[] {
  const value = widget[key];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

export function widgetMap(widget: Widget, key: string): Widget {
  const value = widget[key];
  return isRecord(value) ? (value as Widget) : {};
}

/** The query of a dataset: a query object, or a bare list of rules. */
export function toQuery(value: unknown): Query | undefined {
  if (Array.isArray(value)) return { combinator: 'and', rules: value as (Rule | Query)[] };
  const { combinator, rules } = (value ?? {}) as Partial<Query>;
  if (!Array.isArray(rules)) return undefined;
  return { combinator: combinator === 'or' ? 'or' : 'and', rules };
}

/** The blueprint that a dataset names, if the widget itself names none. */
export function widgetBlueprint(widget: Widget): string | undefined {
  const named = widgetText(widget, 'blueprint');
  if (named) return named;
  for (const rule of toQuery(widget['dataset'])?.rules ?? []) {
    if (isQuery(rule) || rule.property !== '$blueprint' || rule.operator !== '=') continue;
    if (typeof rule.value === 'string') return rule.value;
  }
  return undefined;
}

/** The dataset without the rule that names its blueprint, for searches within that blueprint. */
export function withinBlueprint(query: Query | undefined): Query | undefined {
  if (query?.combinator !== 'and') return query;
  return {
    combinator: 'and',
    rules: query.rules.filter((rule) => isQuery(rule) || !(rule.property === '$blueprint' && rule.operator === '=')),
  };
}

/** The dataset with a rule that names its blueprint, for searches over all blueprints. */
export function overBlueprints(query: Query | undefined, blueprint: string | undefined): Query {
  const within = withinBlueprint(query) ?? { combinator: 'and' as const, rules: [] };
  if (blueprint === undefined) return query ?? within;
  return {
    combinator: 'and',
    rules: [{ property: '$blueprint', operator: '=', value: blueprint }, ...(within.rules.length > 0 ? [within] : [])],
  };
}

/** The blueprint name that marks a page filter for all blueprints. */
export const everyBlueprint = 'dashboard-filters-meta-blueprint';

/** The page's filters for a blueprint, without incomplete rules. */
export function pageQueries({ pageFilters }: WidgetContext, blueprint: string | undefined): readonly Query[] {
  return pageFilters.flatMap((filter) => {
    const about = widgetMap(filter, 'query')['blueprint'];
    const query = toQuery(filter['query']);
    return query && (about === blueprint || about === everyBlueprint || about === undefined) ? [completed(query)] : [];
  });
}

/** Splits a property reference of a chart, such as `relation#domain`. */
export function parseProperty(reference: string): {
  readonly kind: string;
  readonly name: string;
  readonly rule?: string;
} {
  const [kind = '', name, rule] = reference.split('#');
  if (name === undefined) return { kind: 'property', name: kind.replace(/^properties\./, '') };
  return { kind, name, ...(rule === undefined ? {} : { rule }) };
}

/** A figure in the widget's format. */
export function figureText(value: number, widget: Widget): string {
  const formatting = widgetText(widget, 'displayFormatting');
  const places = (widgetText(widget, 'decimalPlaces') ?? '').replace('.', '').length;
  const digits = formatting === 'round' ? 0 : formatting === 'custom' ? places : undefined;
  const text = value.toLocaleString(
    locale,
    digits === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  );
  const unit = widgetText(widget, 'unit');
  const sign = unit === 'custom' ? widgetText(widget, 'unitCustom') : unit === 'none' ? undefined : unit;
  if (!sign) return text;
  const isLeft = widgetText(widget, 'unitAlignment') === 'left';
  return isLeft ? `${sign} ${text}` : `${text} ${sign}`;
}

interface Condition {
  readonly message: string;
  readonly description: string;
  readonly color: string;
}

/** The condition that a figure satisfies; if several, the one with the closest value. */
export function conditionMet(value: number, widget: Widget): Condition | undefined {
  const met = widgetList(widget, 'conditionalFormatting').filter((each) => {
    const bound = Number(each['value']);
    if (Number.isNaN(bound)) return false;
    const tests: Readonly<Record<string, boolean>> = {
      '=': value === bound,
      '!=': value !== bound,
      '>': value > bound,
      '>=': value >= bound,
      '<': value < bound,
      '<=': value <= bound,
    };
    return tests[widgetText(each, 'operator') ?? ''] ?? false;
  });
  const [closest] = [...met].sort(
    (one, other) => Math.abs(Number(one['value']) - value) - Math.abs(Number(other['value']) - value),
  );
  return (
    closest && {
      message: widgetText(closest, 'message') ?? '',
      description: widgetText(closest, 'description') ?? '',
      color: widgetText(closest, 'color') ?? '',
    }
  );
}
