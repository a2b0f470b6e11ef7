import { Stack } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { EmptyState, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Board } from './board.tsx';
import { FilterBar } from './filter-bar.tsx';
import { withRule } from './reader-filters.ts';
import { useReaderFilters } from './use-reader-filters.ts';
import { type Widget, type WidgetContext, widgetText } from './widget-shape.ts';

type Page = AnswerOf<'getPage'>['page'];

const none: readonly Widget[] = [];

/** A page of widgets. Each loads and fails on its own. */
export function Dashboard({ page, entity }: { page: Page; entity?: WidgetContext['entity'] }) {
  const pageFilters = (page.pageFilters ?? none) as readonly Widget[];
  const widgets = (page.widgets ?? none) as readonly Widget[];
  const filters = useReaderFilters(pageFilters, widgets);
  const { rules, active, isReady, setRules } = filters;
  const context: WidgetContext = {
    draw: (inner, around) => <Board widget={inner} context={around} />,
    page: page.identifier,
    pageFilters: active,
    ...(entity ? { entity } : { narrow: (rule) => setRules(withRule(rules, rule)) }),
  };
  if (widgets.length === 0)
    return (
      <EmptyState title={t('This dashboard is empty')}>
        {t('People who can change this page add widgets with Edit page, through the API, or as code.')}
      </EmptyState>
    );
  return (
    <Stack gap="md">
      <FilterBar pageFilters={pageFilters} filters={filters} canAdd={entity === undefined} />
      {isReady ? (
        widgets.map((widget, index) => (
          <Board key={widgetText(widget, 'id') ?? index} widget={widget} context={context} />
        ))
      ) : (
        <TableSkeleton />
      )}
    </Stack>
  );
}
