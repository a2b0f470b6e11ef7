import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { joined } from '../entities/operators.ts';
import { FigureTable } from './figure-table.tsx';
import {
  listOf,
  mapOf,
  pageQueries,
  propertyOf,
  queryOf,
  textOf,
  textsOf,
  type Widget,
  type WidgetContext,
  type WidgetProps,
  withinBlueprint,
} from './widget-shape.ts';
import classes from './widgets.module.css';

const Lines = lazy(async () => ({ default: (await import('./charts-rendered.tsx')).LinesRendered }));

type OverTime = AnswerOf<'aggregateOverTime'>['result'];

/** Figures over time; a chart of several lines draws each by itself, with its own scale. */
export function LineWidget({ widget, context }: WidgetProps) {
  const lines = listOf(widget, 'lines');
  if (lines.length === 0) return <One widget={widget} context={context} />;
  return (
    <>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own
        <div key={index}>
          {textOf(line, 'title') && <strong>{textOf(line, 'title')}</strong>}
          <One
            widget={{ timeRange: widget['timeRange'], timeInterval: widget['timeInterval'], ...line }}
            context={context}
          />
        </div>
      ))}
    </>
  );
}

function One(props: WidgetProps) {
  const { widget } = props;
  const isReady =
    textOf(widget, 'blueprint') !== undefined && textOf(mapOf(widget, 'timeRange'), 'preset') !== undefined;
  if (!isReady)
    return <p className={classes.calm}>This chart names no blueprint and no range of time, so it stays empty.</p>;
  return textOf(widget, 'chartType') === 'propertiesValueHistory' ? <History {...props} /> : <OverMany {...props} />;
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function common(widget: Widget) {
  return {
    timeRange: { preset: textOf(mapOf(widget, 'timeRange'), 'preset'), timeZone },
    timeInterval: textOf(widget, 'timeInterval') ?? 'day',
  };
}

function bareNames(widget: Widget): readonly string[] {
  return textsOf(widget, 'properties').map((each) => propertyOf(each).name);
}

function History({ widget, context }: WidgetProps) {
  const read = useRead('getPropertiesHistory', {
    body: {
      entityIdentifier: textOf(widget, 'entity') ?? context.entity?.identifier ?? '',
      blueprintIdentifier: textOf(widget, 'blueprint') ?? '',
      propertyNames: [...bareNames(widget)],
      ...common(widget),
    } as never,
  });
  return <Reading of={read}>{({ result }) => <Drawn result={result} widget={widget} />}</Reading>;
}

function OverMany({ widget, context }: WidgetProps) {
  const read = useRead('aggregateOverTime', { body: overTimeBody(widget, context) as never });
  return <Reading of={read}>{({ result }) => <Drawn result={result} widget={widget} />}</Reading>;
}

function overTimeBody(widget: Widget, context: WidgetContext): object {
  const blueprint = textOf(widget, 'blueprint');
  const isCount = textOf(widget, 'chartType') === 'countEntities';
  const query = joined([...pageQueries(context, blueprint), withinBlueprint(queryOf(widget['dataset']))]);
  const breakdown = textOf(widget, 'breakdownProperty');
  return {
    aggregationType: isCount ? 'countEntities' : 'aggregatePropertiesValues',
    func: textOf(widget, 'func') ?? (isCount ? 'count' : 'average'),
    blueprint,
    ...(isCount
      ? breakdown
        ? { breakdownProperty: propertyOf(breakdown).name }
        : {}
      : { properties: bareNames(widget) }),
    ...(textOf(widget, 'measureTimeBy') ? { measureTimeBy: textOf(widget, 'measureTimeBy') } : {}),
    ...(query ? { query } : {}),
    ...common(widget),
  };
}

function Drawn({ result: { dates, series }, widget }: { result: OverTime; widget: Widget }) {
  const title = textOf(widget, 'title') ?? 'Over time';
  const isHourly = textOf(widget, 'timeInterval') === 'hour';
  const format = new Intl.DateTimeFormat(
    undefined,
    isHourly ? { dateStyle: 'short', timeStyle: 'short' } : { year: 'numeric', month: 'short', day: 'numeric' },
  );
  const days = dates.map((date) => format.format(date));
  const named = series.map(({ property, value, values }, index) => ({
    name: value !== undefined ? String(value ?? 'None') : (property ?? (index === 0 ? 'Count' : `Series ${index + 1}`)),
    values,
  }));
  if (named.length === 0 || named.every(({ values }) => values.every((each) => each === null)))
    return <p className={classes.calm}>{textOf(widget, 'emptyStateText') ?? 'There is nothing in this time.'}</p>;
  const last = named[0]?.values.findLast((each) => each !== null);
  return (
    <>
      <Suspense fallback={<Skeleton height={260} />}>
        <Lines
          series={named}
          dates={days}
          label={`${title}: ${named.length} ${named.length === 1 ? 'line' : 'lines'}, latest ${last ?? 'none'}`}
          xTitle={textOf(widget, 'xAxisTitle')}
          yTitle={textOf(widget, 'yAxisTitle')}
        />
      </Suspense>
      <FigureTable
        label={title}
        heads={['From', ...named.map(({ name }) => name)]}
        rows={days.map((day, index) => [day, ...named.map(({ values }) => values[index] ?? null)])}
      />
    </>
  );
}
