import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Blueprint } from '@portolan/contract/blueprints';
import { type ReactNode, useMemo, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { ExplorerToolbar } from './explorer-toolbar.tsx';
import { type Field, listFields } from './fields.ts';
import { FilterChips } from './filter-chips.tsx';
import { GroupBands } from './group-bands.tsx';
import { completed, joined, noRules, type Query } from './operators.ts';
import { EntitySearchRows } from './search-rows.tsx';
import type { EntitySearch } from './use-entities.ts';
import { useView, type View, viewOfConfig } from './view-state.ts';

interface ExplorerProps {
  readonly blueprint: string;
  readonly label: string;
  /** Restricts the table in addition to the user's filter. */
  readonly dataset?: Query | undefined;
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

/** The fields of a blueprint, including its scorecards. */
export function useFields(blueprint: string) {
  const read = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  const scorecards = useRead('listScorecards', { params: { blueprint_identifier: blueprint } });
  const isOn = Object.keys(read.data?.blueprint.mirrorProperties ?? {}).length > 0;
  const others = useRead('listBlueprints', undefined, { isOn });
  const fields = useMemo(
    () =>
      read.data
        ? listFields(read.data.blueprint, scorecards.data?.scorecards, others.data?.blueprints as readonly Blueprint[])
        : undefined,
    [read.data, scorecards.data, others.data],
  );
  return { read, fields };
}

/** The entities of a blueprint with search, filters, sorting, grouping, columns and export. */
export function EntityExplorer(props: ExplorerProps) {
  const { read, fields } = useFields(props.blueprint);
  return (
    <Reading of={read} skeleton={<TableSkeleton />}>
      {({ blueprint }) => (fields ? <Explorer {...props} fields={fields} icon={blueprint.icon} /> : null)}
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
  empty,
  actions,
  fields,
  icon,
}: ExplorerProps & { fields: readonly Field[]; icon: string | undefined }) {
  const saved = useMemo(() => viewOfConfig(config, fields), [config, fields]);
  const { view, change, reset, isChanged } = useView(saved, name);
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 250);
  // debounced: a filter that is being built is not sent at once
  const [filter] = useDebouncedValue(view.filter ?? noRules, 200);
  const query = useMemo(
    () => joined([dataset, completed(filter), asked ? searchRule(asked) : undefined]),
    [dataset, filter, asked],
  );
  const isNarrowed = asked !== '' || (view.filter?.rules.length ?? 0) > 0;
  const shown = (view.columns ?? []).flatMap((key) => fields.find((field) => field.key === key) ?? []);
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
  const total = useTotal(search);
  const common = { fields: shown, icon, isCompact };
  return (
    <section aria-label={label}>
      <ExplorerToolbar
        label={label}
        text={text}
        onText={setText}
        view={view}
        onView={change}
        usualColumns={viewOfConfig(config, fields).columns ?? []}
        fields={fields}
        search={search}
        isCompact={isCompact}
      >
        {actions?.({ view, fields, apply: change, isChanged, reset })}
      </ExplorerToolbar>
      <FilterChips
        query={view.filter}
        fields={fields}
        onChange={(next) => change({ filter: next })}
        {...(isChanged ? { onReset: reset } : {})}
      />
      {by ? (
        <GroupBands by={by} search={search} {...common} />
      ) : (
        <EntitySearchRows
          {...common}
          label={label}
          search={search}
          sort={view.sort}
          onSort={(sort) => change({ sort })}
          total={total}
          empty={
            isNarrowed ? (
              <Unfound
                blueprint={blueprint}
                onClear={() => {
                  setText('');
                  change({ filter: undefined });
                }}
              />
            ) : (
              (empty ?? (
                <EmptyState title="There is no entity here">Nothing satisfies what this table asks for.</EmptyState>
              ))
            )
          }
        />
      )}
    </section>
  );
}

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

/** The count of matching entities, from the server. */
function useTotal({ blueprint, query }: EntitySearch): { count: number; isExact: boolean } | undefined {
  const counted = useRead('groupBlueprintEntities', {
    params: { blueprint_identifier: blueprint },
    body: { groupBy: '$createdBy', limit: 1, ...(query ? { query: query } : {}) },
  });
  return counted.data && { count: counted.data.total, isExact: true };
}

function Unfound({ blueprint, onClear }: { blueprint: string; onClear: () => void }) {
  const count = useRead('countEntities', { params: { blueprint_identifier: blueprint } });
  return (
    <EmptyState
      title="Nothing fits the filter"
      action={
        <Button variant="default" size="xs" onClick={onClear}>
          Clear the filter
        </Button>
      }
    >
      {count.data ? `Without it there are ${count.data.count.toLocaleString()}.` : undefined}
    </EmptyState>
  );
}
