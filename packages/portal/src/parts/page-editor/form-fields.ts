import { isRecord } from '@portolan/contract/json-value';
import type { LucideIcon } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';

interface Common {
  /** A key of the widget, or a path into one of its objects, such as `query.limit`. */
  readonly key: string;
  readonly label: string;
  readonly isRequired?: boolean;
  /** Shown only for widgets that satisfy this. */
  readonly when?: (widget: Widget) => boolean;
}

/** One field of a widget's form. */
export type FormField = Common &
  (
    | { readonly kind: 'text'; readonly most: number; readonly isAddress?: boolean }
    | { readonly kind: 'markdown' }
    | { readonly kind: 'number'; readonly least: number; readonly most: number }
    | { readonly kind: 'switch'; readonly text?: string; readonly otherSpellings?: readonly string[] }
    | { readonly kind: 'choice'; readonly choices: readonly (readonly [value: string, label: string])[] }
    | { readonly kind: 'texts'; readonly text?: string }
    | {
        readonly kind:
          | 'blueprint'
          | 'entity'
          | 'dataset'
          | 'table'
          | 'action'
          | 'actions'
          | 'workflow'
          | 'workflows'
          | 'agent'
          | 'user'
          | 'team'
          | 'run'
          | 'icon';
      }
    | {
        readonly kind: 'property';
        readonly of: 'any' | 'numbers' | 'groups' | 'texts' | 'moments';
        /** `prefixed` is `relation#domain`, `bare` is `domain`. */
        readonly form: 'prefixed' | 'bare';
        readonly isMany?: boolean;
      }
    | {
        readonly kind: 'list';
        /** The word for one item. */
        readonly one: string;
        readonly begins: Widget;
        /** Stored as an object ordered by `tabIndex`; its keys have no meaning. */
        readonly isMap?: boolean;
        readonly fields: readonly FormField[];
      }
  );

const lookKeys = new Set([
  'unit',
  'unitCustom',
  'unitAlignment',
  'displayFormatting',
  'decimalPlaces',
  'portolan.sparkline',
  'conditionalFormatting',
  'emptyStateText',
  'xAxisTitle',
  'yAxisTitle',
  'hiddenQuery',
  'showEmptyValues',
]);

/** Whether a field says how the widget looks, rather than what it shows. */
export function isLook({ key, kind }: FormField): boolean {
  return kind === 'table' || lookKeys.has(key);
}

export interface InputProps {
  readonly field: FormField;
  readonly widget: Widget;
  readonly error: string | undefined;
  readonly onAnswer: (value: unknown) => void;
}

/** The value at a key or path of a widget. */
export function valueAt(widget: Widget, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (isMap(value) ? value[part] : undefined), widget);
}

/** Sets the value at a key or path; undefined or empty removes it. */
export function withValueAt(widget: Widget, key: string, value: unknown): Widget {
  const [first = '', ...rest] = key.split('.');
  const isNothing = value === undefined || value === null || value === '';
  if (rest.length > 0) {
    const inner = isMap(widget[first]) ? widget[first] : {};
    return { ...widget, [first]: withValueAt(inner, rest.join('.'), value) };
  }
  if (!isNothing) return { ...widget, [first]: value };
  const { [first]: _gone, ...others } = widget;
  return others;
}

type ListField = FormField & { readonly kind: 'list' };
const nameKey = Symbol(t('the name of an item in its object'));

/** The items of a list field, stored as an array or an object. */
export function listItems(field: ListField, widget: Widget): readonly Widget[] {
  const value = valueAt(widget, field.key);
  if (!field.isMap) return Array.isArray(value) ? value.filter(isMap) : [];
  if (!isMap(value)) return [];
  return Object.entries(value)
    .flatMap(([name, each]): Widget[] => (isMap(each) ? [{ ...each, [nameKey]: name }] : []))
    .sort((one, other) => Number(one['tabIndex'] ?? 0) - Number(other['tabIndex'] ?? 0));
}

/** The items in their stored form; in an object they keep their keys, and new ones get an unused key. */
export function listOfItems(field: ListField, items: readonly Widget[]): unknown {
  if (!field.isMap) return items;
  const names = items.map((item) => (item as { readonly [nameKey]?: string })[nameKey]);
  const taken = new Set(names);
  return Object.fromEntries(
    items.map((item, index) => {
      const { [nameKey]: _name, ...kept } = item as Widget & { readonly [nameKey]?: string };
      let number = index + 1;
      while (names[index] === undefined && taken.has(`$custom_${number}`)) number += 1;
      const name = names[index] ?? `$custom_${number}`;
      taken.add(name);
      return [name, { ...kept, tabIndex: index }];
    }),
  );
}

function isMap(value: unknown): value is Widget {
  return isRecord(value);
}

/** The fields that apply to the widget. */
export function fieldsFor(fields: readonly FormField[], widget: Widget): readonly FormField[] {
  return fields.filter(({ when }) => when?.(widget) ?? true);
}

/** Problems that prevent rendering the widget, by field key. */
export function missingIn(fields: readonly FormField[], widget: Widget): ReadonlyMap<string, string> {
  return new Map(
    fieldsFor(fields, widget).flatMap((field): [string, string][] => {
      const value = valueAt(widget, field.key);
      const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
      if (field.isRequired && isEmpty) return [[field.key, t('{label} is required', { label: field.label })]];
      if (
        field.kind === 'text' &&
        field.isAddress &&
        typeof value === 'string' &&
        !/^(https?:|mailto:|\/)/i.test(value)
      )
        return isEmpty ? [] : [[field.key, t('Begin with https://, mailto: or /')]];
      if (field.kind !== 'list') return [];
      const [broken] = listItems(field, widget).flatMap((each, index) =>
        [...missingIn(field.fields, each).values()].map((text) => `${index + 1}: ${text}`),
      );
      return broken === undefined ? [] : [[field.key, broken]];
    }),
  );
}

/** The blueprint whose properties the form offers. */
export function blueprintOfForm(widget: Widget): string | undefined {
  return (
    widgetText(widget, 'blueprint') ??
    widgetText(widget, 'blueprintIdentifier') ??
    widgetText(widget, 'targetBlueprint')
  );
}

const depending = new Set(['entity', 'property', 'dataset', 'table']);

/**
 * The widget after a change of one field. A new blueprint clears the fields that depend on it; a required choice that
 * is no longer offered becomes the first one that is.
 */
export function answered(fields: readonly FormField[], widget: Widget, field: FormField, value: unknown): Widget {
  let next = withValueAt(widget, field.key, value);
  if (field.kind === 'blueprint' && value !== valueAt(widget, field.key)) {
    for (const { key } of fields.filter(({ kind }) => depending.has(kind))) {
      next = withValueAt(next, key, key === 'dataset' ? { combinator: 'and', rules: [] } : undefined);
    }
  }
  for (const each of fieldsFor(fields, next)) {
    if (each.kind !== 'choice' || !each.isRequired) continue;
    const isOffered = each.choices.some(([choice]) => choice === valueAt(next, each.key));
    if (!isOffered) next = withValueAt(next, each.key, each.choices[0]?.[0]);
  }
  const isOverProperty = widgetText(next, 'chartType') === 'aggregateByProperty';
  return isOverProperty && field.key === 'chartType' ? { ...next, calculationBy: 'property' } : next;
}

/** A type of widget that users can add: purpose, initial value and form. */
export interface WidgetKind {
  readonly type: string;
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly fields: readonly FormField[];
  readonly begins?: Widget;
  /** Only available on the home page. */
  readonly isForHome?: boolean;
}

export type Choice = { readonly value: string; readonly label: string };

/** What is written stays a choice, though nothing of it is found. */
export function withWritten(choices: readonly Choice[], written: readonly string[]): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choices, ...written.filter((each) => !known.has(each)).map((each) => ({ value: each, label: each }))];
}
