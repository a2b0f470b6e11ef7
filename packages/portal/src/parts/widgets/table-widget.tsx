import { Tabs } from '@mantine/core';
import { t } from '../../kit/translate.ts';
import { EntityExplorer } from '../entities/entity-explorer.tsx';
import { joined, type Query } from '../entities/operators.ts';
import {
  pageQueries,
  toQuery,
  type Widget,
  type WidgetContext,
  type WidgetProps,
  widgetBlueprint,
  widgetMap,
  widgetText,
  withinBlueprint,
} from './widget-shape.ts';
import classes from './widgets.module.css';

/** Entities of a blueprint, or of several in tabs. */
export function TableWidget({ widget, context }: WidgetProps) {
  const configs = widgetMap(widget, 'blueprintConfig');
  const named = widgetBlueprint(widget);
  const blueprints = named ? [named] : Object.keys(configs);
  const id = widgetText(widget, 'id') ?? '';
  const tables = blueprints.map((blueprint) => ({
    key: blueprint,
    title: widgetText(widgetMap(configs, blueprint), 'title') ?? blueprint,
    blueprint,
    query: withinBlueprint(toQuery(widget['dataset'])),
    config: configs[blueprint],
  }));
  return <Tables tables={tables} id={id} context={context} label={widgetText(widget, 'title') ?? t('Entities')} />;
}

/** Entities related to another one, by direction. */
export function DirectionWidget({ widget, context }: WidgetProps) {
  const configs = widgetMap(widget, 'blueprintConfig');
  const tables = Object.keys(configs)
    .map((key) => ({ key, config: widgetMap(configs, key) }))
    .filter(({ config }) => config['hidden'] !== true)
    .sort((one, other) => Number(one.config['tabIndex'] ?? 0) - Number(other.config['tabIndex'] ?? 0))
    .flatMap(({ key, config }) => {
      const blueprint = widgetText(config, 'targetBlueprint') ?? widgetBlueprint(config);
      if (!blueprint) return [];
      return [
        {
          key,
          title: widgetText(config, 'title') ?? blueprint,
          blueprint,
          query: withinBlueprint(toQuery(config['dataset'])),
          config: config as unknown,
        },
      ];
    });
  return (
    <Tables
      tables={tables}
      id={widgetText(widget, 'id') ?? ''}
      context={context}
      label={widgetText(widget, 'title') ?? t('Connected entities')}
    />
  );
}

interface Table {
  readonly key: string;
  readonly title: string;
  readonly blueprint: string;
  readonly query: Query | undefined;
  readonly config: unknown;
}

function Tables({
  tables,
  id,
  context,
  label,
}: {
  tables: readonly Table[];
  id: string;
  context: WidgetContext;
  label: string;
}) {
  const [first] = tables;
  if (!first) return <p className={classes.calm}>{t('Choose a blueprint in the settings of this table.')}</p>;
  if (tables.length === 1) return <One table={first} id={id} context={context} label={label} />;
  return (
    <Tabs className={classes.tables ?? ''} defaultValue={first.key} keepMounted={false}>
      <Tabs.List mb="sm">
        {tables.map(({ key, title }) => (
          <Tabs.Tab key={key} value={key}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tables.map((table) => (
        <Tabs.Panel key={table.key} value={table.key}>
          <One table={table} id={`${id}-${table.key}`} context={context} label={table.title} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function One({
  table: { blueprint, query, config },
  id,
  context,
  label,
}: {
  table: Table;
  id: string;
  context: WidgetContext;
  label: string;
}) {
  return (
    <EntityExplorer
      blueprint={blueprint}
      label={label}
      dataset={joined([...pageQueries(context, blueprint), query])}
      config={config as Widget}
      name={`-${id}`}
      isDatasetShown
      isCompact
    />
  );
}
