import { isRecord } from '@portolan/contract/json-value';
import type { LucideIcon } from 'lucide-react';
import { type Widget, widgetText } from '../../parts/widgets/widget-shape.ts';

interface Common {
  /** A key of the widget, or a key inside one of its objects, such as `query.limit`. */
  readonly key: string;
  readonly label: string;
  readonly isRequired?: boolean;
  /** Asked only of widgets like this. */
  readonly when?: (widget: Widget) => boolean;
}

/** One question of a widget's form. */
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
          | 'agent'
          | 'user'
          | 'team'
          | 'run'
          | 'icon';
      }
    | {
        readonly kind: 'property';
        readonly of: 'any' | 'numbers' | 'groups' | 'texts' | 'moments';
        /** `prefixed` as in `relation#domain`, `bare` as in `domain`. */
        readonly form: 'prefixed' | 'bare';
        readonly isMany?: boolean;
      }
    | {
        readonly kind: 'list';
        /** What one of them is called. */
        readonly one: string;
        readonly begins: Widget;
        /** Kept as an object, in the order of `tabIndex`: what each is called is of no matter. */
        readonly isMap?: boolean;
        readonly fields: readonly FormField[];
      }
  );

export interface InputProps {
  readonly field: FormField;
  readonly widget: Widget;
  readonly error: string | undefined;
  readonly onAnswer: (value: unknown) => void;
}

/** What a widget says under a key, also of one of its objects. */
export function valueAt(widget: Widget, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (isMap(value) ? value[part] : undefined), widget);
}

/** The widget with a value under a key; what is undefined or empty is taken out. */
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
const nameKey = Symbol('the name of an item in its object');

/** What stands in a list, whichever way it is kept. */
export function listItems(field: ListField, widget: Widget): readonly Widget[] {
  const value = valueAt(widget, field.key);
  if (!field.isMap) return Array.isArray(value) ? value.filter(isMap) : [];
  if (!isMap(value)) return [];
  return Object.entries(value)
    .flatMap(([name, each]): Widget[] => (isMap(each) ? [{ ...each, [nameKey]: name }] : []))
    .sort((one, other) => Number(one['tabIndex'] ?? 0) - Number(other['tabIndex'] ?? 0));
}

/** The items as they are kept: in an object each has the name it had, and new ones a free one. */
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

/** The questions that are asked of a widget as it is. */
export function fieldsFor(fields: readonly FormField[], widget: Widget): readonly FormField[] {
  return fields.filter(({ when }) => when?.(widget) ?? true);
}

/** What keeps a widget from being drawn, by the key of the question. */
export function missingIn(fields: readonly FormField[], widget: Widget): ReadonlyMap<string, string> {
  return new Map(
    fieldsFor(fields, widget).flatMap((field): [string, string][] => {
      const value = valueAt(widget, field.key);
      const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
      if (field.isRequired && isEmpty) return [[field.key, `${field.label} is required`]];
      if (
        field.kind === 'text' &&
        field.isAddress &&
        typeof value === 'string' &&
        !/^(https?:|mailto:|\/)/i.test(value)
      )
        return isEmpty ? [] : [[field.key, 'Begin with https://, mailto: or /']];
      if (field.kind !== 'list') return [];
      const [broken] = listItems(field, widget).flatMap((each, index) =>
        [...missingIn(field.fields, each).values()].map((text) => `${index + 1}: ${text}`),
      );
      return broken === undefined ? [] : [[field.key, broken]];
    }),
  );
}

/** The blueprint whose properties a question of the widget offers. */
export function blueprintOfForm(widget: Widget): string | undefined {
  return (
    widgetText(widget, 'blueprint') ??
    widgetText(widget, 'blueprintIdentifier') ??
    widgetText(widget, 'targetBlueprint')
  );
}

const depending = new Set(['entity', 'property', 'dataset', 'table']);

/**
 * The widget after an answer. What belonged to another blueprint goes with it, and a choice that is not offered any more
 * becomes the first that is.
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

/** A kind of widget that people add: what it is for, what it begins as, and what its form asks. */
export interface WidgetKind {
  readonly type: string;
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
  readonly fields: readonly FormField[];
  readonly begins?: Widget;
  /** Kinds that stand on the home page alone. */
  readonly isForHome?: boolean;
}
