import type { Blueprint } from '@portolan/contract/blueprints';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useOpenUrlState } from '../../frame/url-state.ts';
import type { Rule } from '../entities/operators.ts';
import { blueprintsOn, fieldsByBlueprint, filterFields, readRules, toPageFilters } from './reader-filters.ts';
import { type Widget, widgetText } from './widget-shape.ts';

/** The filters of a page as its reader has them; the address keeps them, so that a reload and a link do too. */
export function useReaderFilters(pageFilters: readonly Widget[], widgets: readonly Widget[]) {
  const [found, setFound] = useOpenUrlState<unknown>('filter');
  const [offFound, setOff] = useOpenUrlState<readonly string[]>('off');
  const rules = useMemo(() => readRules(found), [found]);
  const off = useMemo(() => (Array.isArray(offFound) ? offFound.map(String) : []), [offFound]);
  const about = useMemo(() => blueprintsOn(widgets), [widgets]);
  // the page brings these along: they are read without a request
  const read = useRead('listBlueprints', undefined, { isOn: about.length > 0 });
  const all = useMemo(
    () => fieldsByBlueprint(about, (read.data?.blueprints ?? []) as readonly Blueprint[]),
    [about, read.data],
  );
  const fields = useMemo(() => filterFields(all), [all]);
  const active = useMemo(
    () => [
      ...pageFilters.filter((filter) => !off.includes(widgetText(filter, 'identifier') ?? '')),
      ...toPageFilters(rules, all),
    ],
    [pageFilters, off, rules, all],
  );
  return {
    rules,
    off,
    fields,
    /** The filters that widgets apply. */
    active,
    /** Whether it is known yet which widgets have what is filtered by. */
    isReady: rules.length === 0 || about.length === 0 || !read.isPending,
    setRules: (next: readonly Rule[]) => setFound(next.length > 0 ? next : undefined),
    setOff: (next: readonly string[]) => setOff(next.length > 0 ? next : undefined),
  };
}

export type ReaderFilters = ReturnType<typeof useReaderFilters>;
