import { useCallback, useMemo } from 'react';
import { useOpenUrlState } from '../../frame/url-state.ts';
import type { Sort } from '../../kit/data-table.tsx';
import { defaultColumns, type Field } from './fields.ts';
import { noRules, type Query } from './operators.ts';

/** The settings of a table that the address, saved views and pages store. */
export interface View {
  readonly filter?: Query | undefined;
  readonly sort?: Sort | undefined;
  readonly group?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

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

/** The view of a table: the page's settings, overridden by the address. */
export function useView(
  saved: View,
  name = '',
): { view: View; change: (part: View) => void; reset: () => void; isChanged: boolean } {
  const [own, setOwn] = useOpenUrlState<View>(`view${name}`);
  const view = useMemo(() => (own ? { ...saved, ...nullsAway(own) } : saved), [own, saved]);
  const change = useCallback((part: View) => setOwn(nullsKept({ ...own, ...part })), [own, setOwn]);
  return { view, change, reset: () => setOwn(undefined), isChanged: own !== undefined };
}

/** Turns undefined into null: the address drops undefined, and a removed setting must override the page's. */
function nullsKept(view: View): View {
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, value ?? null])) as View;
}

function nullsAway(view: View): View {
  return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, value ?? undefined])) as View;
}
