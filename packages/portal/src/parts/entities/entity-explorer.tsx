import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { locale } from '../../kit/language.ts';
import type { RowSelection } from '../../kit/row-selection.ts';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { matchedText, plural } from './counted.ts';
import { ExplorerToolbar } from './explorer-toolbar.tsx';
import type { Field } from './fields.ts';
import { FilterChips, useRuleText } from './filter-chips.tsx';
import { GroupBands } from './group-bands.tsx';
import { completed, joined, noRules, type Query } from './operators.ts';
import { EntitySearchRows } from './search-rows.tsx';
import type { EntitySearch } from './use-entities.ts';
import { useFields } from './use-fields.ts';
import { useMatchCount } from './use-match-count.ts';
import type { Filtering } from './value-filter.ts';
import { ValueStrips } from './value-strips.tsx';
import type { View } from './view.ts';
import { useView, viewOfConfig } from './view-state.ts';

// loaded with the first selected row
const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

interface ExplorerProps {
  readonly blueprint: string;
  readonly label: string;
  /** Restricts the table in addition to the user's filter. */
  readonly dataset?: Query | undefined;
  /** Shows what the dataset restricts to, as chips with a lock. */
  readonly isDatasetShown?: boolean;
  /** Table settings stored in the page. */
  readonly config?: unknown;
  /** Distinguishes the tables of one screen in the address. */
  readonly name?: string;
  readonly isCompact?: boolean;
  readonly empty?: ReactNode;
  readonly actions?: (shown: {
    view: View;
    fields: readonly Field[];
    apply: (view: View) => void;
    isChanged: boolean;
    reset: () => void;
  }) => ReactNode;
}

/** The entities of a blueprint with search, filters, sorting, grouping, columns and export. */
export function EntityExplorer(props: ExplorerProps) {
  const { read, fields } = useFields(props.blueprint);
  return (
    <Reading of={read} skeleton={<TableSkeleton />}>
      {({ blueprint }) =>
        fields ? <Explorer {...props} fields={fields} icon={blueprint.icon} title={blueprint.title} /> : null
      }
    </Reading>
  );
}

function Explorer({
  blueprint,
  label,
  dataset,
  config,
  name = '',
  isCompact = false,
  isDatasetShown = false,
  empty,
  actions,
  fields,
  icon,
  title,
}: ExplorerProps & { fields: readonly Field[]; icon: string | undefined; title: string }) {
  const saved = useMemo(() => viewOfConfig(config, fields), [config, fields]);
  const addressed = useView(saved, fields, name);
  const { view, text, isChanged, change, reset, showAll } = addressed;
  // debounced: a filter that is being built is not sent at once
  const [filter] = useDebouncedValue(view.filter ?? noRules, 200);
  const queryWith = useCallback(
    (own: Query | undefined) => joined([dataset, completed(own ?? noRules), text ? searchRule(text) : undefined]),
    [dataset, text],
  );
  const query = useMemo(() => queryWith(filter), [queryWith, filter]);
  const filtering = useMemo<Filtering>(
    () => ({ blueprint, filter: view.filter, queryWith, onFilter: (next) => change({ filter: next }) }),
    [blueprint, view.filter, queryWith, change],
  );
  const shown = useMemo(
    () => (view.columns ?? []).flatMap((key) => fields.find((field) => field.key === key) ?? []),
    [view.columns, fields],
  );
  const by = fields.find(({ key }) => key === view.group);
  const search: EntitySearch = {
    blueprint,
    query,
    ...(view.sort ? { sort: [view.sort] } : {}),
    include: [
      '$title',
      '$identifier',
      '$icon',
      '$blueprint',
      ...(shown.some(({ source }) => source === 'scorecard') ? ['scorecards'] : []),
      ...shown.flatMap((field) => (field.source === 'scorecard' ? [] : [field.key])),
    ],
  };
  const total = useMatchCount(search);
  const all = useMatchCount({ blueprint, query: dataset });
  const selection = useSelected(JSON.stringify([blueprint, query]));
  const isNarrowed = text !== '' || completed(view.filter ?? noRules).rules.length > 0;
  const nothing = isNarrowed ? (
    <Unfound title={title} text={text} filter={view.filter} fields={fields} all={all} onShowAll={showAll} />
  ) : (
    (empty ?? (
      <EmptyState title={t('No {title} here', { title: plural(title) })}>
        {t('Nothing matches the filter of this table.')}
      </EmptyState>
    ))
  );
  const common = {
    fields: shown,
    icon,
    isCompact,
    empty: nothing,
    selection: isCompact ? undefined : selection,
    countText: (matched: number, loaded: number) => matchedText(matched, all ?? matched, loaded, title),
  };
  const rows = (
    <EntitySearchRows
      {...common}
      label={label}
      search={search}
      sort={view.sort}
      onSort={(sort) => change({ sort })}
      total={total === undefined ? undefined : { count: total, isExact: true }}
    />
  );
  return (
    <section aria-label={label}>
      <ExplorerToolbar
        label={label}
        text={text}
        onText={addressed.search}
        view={view}
        onView={change}
        usualColumns={saved.columns ?? []}
        fields={fields}
        search={search}
        isCompact={isCompact}
      >
        {actions?.({ view, fields, apply: change, isChanged, reset })}
      </ExplorerToolbar>
      <FilterChips
        query={view.filter}
        locked={isDatasetShown ? dataset : undefined}
        fields={fields}
        text={text}
        ignored={addressed.ignored}
        onChange={(next) => change({ filter: next })}
        onClear={showAll}
        onReset={isChanged ? reset : undefined}
      />
      {by ? (
        <GroupBands by={by} search={search} {...common} />
      ) : isCompact ? (
        rows
      ) : (
        <ValueStrips query={query} fields={shown} filtering={filtering}>
          {rows}
        </ValueStrips>
      )}
      {!isCompact && selection.selected.size > 0 && (
        <Suspense fallback={null}>
          <SelectionBar
            blueprint={blueprint}
            title={title}
            selection={selection}
            search={search}
            fields={fields}
            shown={shown}
            total={total}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The selected entities of a search: another search starts without any. */
function useSelected(of: string): RowSelection {
  const [kept, setKept] = useState({ of, selected: none });
  const selected = kept.of === of ? kept.selected : none;
  return useMemo(
    () => ({ selected, onChange: (next: ReadonlySet<string>) => setKept({ of, selected: next }) }),
    [selected, of],
  );
}

const none: ReadonlySet<string> = new Set();

function searchRule(text: string): Query {
  const value = text.slice(0, 500);
  return {
    combinator: 'or',
    rules: [
      { property: '$title', operator: 'contains', value },
      { property: '$identifier', operator: 'contains', value },
    ],
  };
}

/** Names what left nothing, and shows everything by one click. */
function Unfound({
  title,
  text,
  filter,
  fields,
  all,
  onShowAll,
}: {
  title: string;
  text: string;
  filter: Query | undefined;
  fields: readonly Field[];
  all: number | undefined;
  onShowAll: () => void;
}) {
  const textOf = useRuleText(fields);
  const sent = completed(filter ?? noRules);
  const rules = sent.rules.length > 0 ? textOf(sent) : '';
  const parts = [text ? t('contain "{text}"', { text }) : '', rules ? t('match "{rules}"', { rules }) : ''].filter(
    Boolean,
  );
  return (
    <EmptyState
      title={t('No {title} {parts}', { title: plural(title), parts: parts.join(` ${t('and')} `) })}
      action={
        <Button variant="default" size="xs" onClick={onShowAll}>
          {all === undefined ? t('Show all') : t('Show all {all}', { all: all.toLocaleString(locale) })}
        </Button>
      }
    />
  );
}
