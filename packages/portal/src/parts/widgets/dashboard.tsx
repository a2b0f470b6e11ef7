import { Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { EmptyState } from '../../kit/states.tsx';
import { Board } from './board.tsx';
import { type Widget, type WidgetContext, widgetText } from './widget-shape.ts';

type Page = AnswerOf<'getPage'>['page'];

/** A page of widgets. Each loads and fails on its own. */
export function Dashboard({ page, entity }: { page: Page; entity?: WidgetContext['entity'] }) {
  const filters = (page.pageFilters ?? []) as readonly Widget[];
  const [off, setOff] = useState<readonly string[]>([]);
  const nameOf = (filter: Widget) => widgetText(filter, 'identifier') ?? '';
  const context: WidgetContext = {
    draw: (inner, around) => <Board widget={inner} context={around} />,
    page: page.identifier,
    pageFilters: filters.filter((filter) => !off.includes(nameOf(filter))),
    ...(entity ? { entity } : {}),
  };
  const widgets = (page.widgets ?? []) as readonly Widget[];
  if (widgets.length === 0)
    return (
      <EmptyState title="This dashboard is empty">
        People who can change this page add widgets with Edit page, through the API, or as code.
      </EmptyState>
    );
  return (
    <Stack gap="md">
      {filters.length > 0 && (
        <Group gap="xs" role="group" aria-label="Filters of the page">
          {filters.map((filter) => (
            <Checkbox
              key={nameOf(filter)}
              size="xs"
              checked={!off.includes(nameOf(filter))}
              onChange={({ currentTarget: { checked } }) =>
                setOff(checked ? off.filter((each) => each !== nameOf(filter)) : [...off, nameOf(filter)])
              }
              label={widgetText(filter, 'title') ?? nameOf(filter)}
            />
          ))}
        </Group>
      )}
      {widgets.map((widget, index) => (
        <Board key={widgetText(widget, 'id') ?? index} widget={widget} context={context} />
      ))}
    </Stack>
  );
}
