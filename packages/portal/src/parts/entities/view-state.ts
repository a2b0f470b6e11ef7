import { useMemo } from 'react';
import { useOpenUrlState, useSetUrl } from '../../frame/url-state.ts';
import type { Sort } from '../../kit/column.ts';
import { defaultColumns, type Field } from './fields.ts';
import { completed, noRules, type Query } from './operators.ts';
import { readView } from './read-view.ts';
import type { View } from './view.ts';

interface TableConfig {
  readonly filterSettings?: { readonly filterBy?: unknown };
  readonly groupSettings?: { readonly groupBy?: unknown };
  readonly sortSettings?: { readonly sortBy?: unknown };
  readonly propertiesSettings?: { readonly hidden?: unknown; readonly shown?: unknown; readonly order?: unknown };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** Reads a view from a page's widget settings. Tolerant: pages store any content. */
export function viewOfConfig(config: unknown, fields: readonly Field[]): View {
  const { filterSettings, groupSettings, sortSettings, propertiesSettings } = (config ?? {}) as TableConfig;
  const filter = filterSettings?.filterBy as Query | undefined;
  const [sort] = Array.isArray(sortSettings?.sortBy) ? (sortSettings.sortBy as Partial<Sort>[]) : [];
  const [group] = texts(groupSettings?.groupBy);
  const order = texts(propertiesSettings?.order);
  const shown = texts(propertiesSettings?.shown);
  const hidden = new Set(texts(propertiesSettings?.hidden));
  const isKnown = (key: string) => fields.some((field) => field.key === key);
  const arranged = shown.length > 0 ? shown : order;
  const usual = arranged.length > 0 ? arranged : defaultColumns(fields);
  const columns = [...new Set(['$title', ...usual])].filter((key) => isKnown(key) && !hidden.has(key));
  return {
    ...(Array.isArray(filter?.rules) && filter.rules.length > 0 ? { filter } : {}),
    ...(typeof sort?.property === 'string'
      ? { sort: { property: sort.property, order: sort.order === 'desc' ? 'desc' : 'asc' } }
      : {}),
    ...(group !== undefined && isKnown(group) ? { group } : {}),
    columns,
  };
}

/** A view in the form that a page stores. */
export function configOfView(
  { filter, sort, group, columns }: View,
  fields: readonly Field[],
): Record<string, unknown> {
  return {
    filterSettings: { filterBy: filter ?? noRules },
    sortSettings: { sortBy: sort ? [sort] : [] },
    groupSettings: { groupBy: group ? [group] : [] },
    propertiesSettings: {
      shown: columns ?? [],
      order: columns ?? [],
      hidden: fields.map(({ key }) => key).filter((key) => !columns?.includes(key)),
    },
  };
}

/** A view with every setting, also those that it removes: applied to any state of the table, it is the same view. */
export function wholeView({ filter, sort, group, columns }: View) {
  return {
    filter: filter ?? null,
    sort: sort ?? null,
    group: group ?? null,
    ...(columns ? { columns } : {}),
  };
}

/** What the address says of a table, and how to change it. */
interface AddressedView {
  readonly view: View;
  /** The text that is searched for. */
  readonly text: string;
  /** What the address asks for that this blueprint does not have. */
  readonly ignored: readonly string[];
  readonly isChanged: boolean;
  change(part: View): void;
  search(text: string): void;
  /** Removes the filter and the search. */
  showAll(): void;
  /** Back to the settings of the page, without a search. */
  reset(): void;
}

/** The view of a table: the page's settings, overridden by the address. */
export function useView(saved: View, fields: readonly Field[], name = ''): AddressedView {
  const viewName = `view${name}`;
  const textName = `q${name}`;
  const [found] = useOpenUrlState<unknown>(viewName);
  const [asked] = useOpenUrlState<unknown>(textName);
  const set = useSetUrl();
  const { own, ignored } = useMemo(() => readView(found, fields), [found, fields]);
  const view = useMemo(() => (own ? { ...saved, ...own } : saved), [own, saved]);
  // the router reads a text of digits as a number
  const text = ['string', 'number', 'boolean'].includes(typeof asked) ? String(asked) : '';
  const steps = useMemo(() => {
    const changed = (part: View) => nullsKept({ ...own, ...part });
    return {
      change: (part: View) => set({ [viewName]: changed(part) }),
      search: (typed: string) => set({ [textName]: typed || undefined }),
      showAll: () => set({ [viewName]: changed({ filter: undefined }), [textName]: undefined }),
      reset: () => set({ [viewName]: undefined, [textName]: undefined }),
    };
  }, [own, set, viewName, textName]);
  const isChanged = ignored.length > 0 || !isSameView(view, saved);
  return { view, text, ignored, isChanged, ...steps };
}

/** Whether they show the same: rules that are being written change nothing yet. */
function isSameView(one: View, other: View): boolean {
  const shown = (view: View) => wholeView({ ...view, filter: view.filter && completed(view.filter) });
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

/** Turns undefined into null: the address drops undefined, and a removed setting must override the page's. */
function nullsKept(view: View): View {
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, value ?? null])) as View;
}
