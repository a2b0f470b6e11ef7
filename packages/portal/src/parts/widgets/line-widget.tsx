import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { joined } from '../entities/operators.ts';
import { useFields } from '../entities/use-fields.ts';
import { ChartOrTable } from './figures.tsx';
import { toLines } from './line-series.ts';
import stat from './stat.module.css';
import {
  figureText,
  pageQueries,
  parseProperty,
  toQuery,
  type Widget,
  type WidgetContext,
  type WidgetProps,
  widgetList,
  widgetMap,
  widgetText,
  widgetTexts,
  withinBlueprint,
} from './widget-shape.ts';
import classes from './widgets.module.css';

const Lines = lazy(async () => ({ default: (await import('./charts-rendered.tsx')).LinesRendered }));

type OverTime = AnswerOf<'aggregateOverTime'>['result'];

/** Figures over time; several lines are separate charts, each with its own scale. */
export function LineWidget({ widget, context }: WidgetProps) {
  const lines = widgetList(widget, 'lines');
  if (lines.length === 0) return <One widget={widget} context={context} />;
  return (
    <>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own
        <div key={index}>
          {widgetText(line, 'title') && <strong>{widgetText(line, 'title')}</strong>}
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
    widgetText(widget, 'blueprint') !== undefined && widgetText(widgetMap(widget, 'timeRange'), 'preset') !== undefined;
  if (!isReady)
    return <p className={classes.calm}>{t('Choose a blueprint and a time range in the settings of this chart.')}</p>;
  return widgetText(widget, 'chartType') === 'propertiesValueHistory' ? (
    <History {...props} />
  ) : (
    <OverMany {...props} />
  );
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function common(widget: Widget) {
  return {
    timeRange: { preset: widgetText(widgetMap(widget, 'timeRange'), 'preset'), timeZone },
    timeInterval: widgetText(widget, 'timeInterval') ?? 'day',
  };
}

function bareNames(widget: Widget): readonly string[] {
  return widgetTexts(widget, 'properties').map((each) => parseProperty(each).name);
}

function History({ widget, context }: WidgetProps) {
  const read = useRead('getPropertiesHistory', {
    body: {
      entityIdentifier: widgetText(widget, 'entity') ?? context.entity?.identifier ?? '',
      blueprintIdentifier: widgetText(widget, 'blueprint') ?? '',
      propertyNames: [...bareNames(widget)],
      ...common(widget),
    } as never,
  });
  return <Reading of={read}>{({ result }) => <Drawn result={result} widget={widget} />}</Reading>;
}

function OverMany({ widget, context }: WidgetProps) {
  const read = useRead('aggregateOverTime', { body: overTimeBody(widget, context) as never });
  const isCount = widgetText(widget, 'chartType') === 'countEntities';
  const breakdown = isCount ? widgetText(widget, 'breakdownProperty') : undefined;
  return (
    <Reading of={read}>
      {({ result }) =>
        breakdown === undefined ? (
          <Drawn result={result} widget={widget} />
        ) : (
          <DrawnByValue result={result} widget={widget} property={parseProperty(breakdown).name} />
        )
      }
    </Reading>
  );
}

function overTimeBody(widget: Widget, context: WidgetContext): object {
  const blueprint = widgetText(widget, 'blueprint');
  const isCount = widgetText(widget, 'chartType') === 'countEntities';
  const query = joined([...pageQueries(context, blueprint), withinBlueprint(toQuery(widget['dataset']))]);
  const breakdown = widgetText(widget, 'breakdownProperty');
  return {
    aggregationType: isCount ? 'countEntities' : 'aggregatePropertiesValues',
    func: widgetText(widget, 'func') ?? (isCount ? 'count' : 'average'),
    blueprint,
    ...(isCount
      ? breakdown
        ? { breakdownProperty: parseProperty(breakdown).name }
        : {}
      : { properties: bareNames(widget) }),
    ...(widgetText(widget, 'measureTimeBy') ? { measureTimeBy: widgetText(widget, 'measureTimeBy') } : {}),
    ...(query ? { query } : {}),
    ...common(widget),
  };
}

type Colours = Readonly<Record<string, string>> | undefined;

/** Lines of a choice have the colours of the choice. */
function DrawnByValue({ result, widget, property }: { result: OverTime; widget: Widget; property: string }) {
  const { fields } = useFields(widgetText(widget, 'blueprint') ?? '');
  const field = fields?.find(({ key }) => key === property);
  return <Drawn result={result} widget={widget} colours={field?.levels ?? field?.shape.enumColors} />;
}

function Drawn({
  result: { dates, series },
  widget,
  colours,
}: {
  result: OverTime;
  widget: Widget;
  colours?: Colours;
}) {
  const title = widgetText(widget, 'title') ?? t('Over time');
  const isHourly = widgetText(widget, 'timeInterval') === 'hour';
  const format = new Intl.DateTimeFormat(
    undefined,
    isHourly ? { dateStyle: 'short', timeStyle: 'short' } : { year: 'numeric', month: 'short', day: 'numeric' },
  );
  const short = new Intl.DateTimeFormat(
    undefined,
    isHourly ? { dateStyle: 'short', timeStyle: 'short' } : { month: 'short', day: 'numeric' },
  );
  const named = series.map(({ property, value, values }, index) => ({
    name:
      value !== undefined
        ? String(value ?? t('None'))
        : (property ?? (index === 0 ? t('Count') : t('Series {value}', { value: index + 1 }))),
    own: colours?.[String(value)],
    values,
  }));
  if (named.length === 0 || named.every(({ values }) => values.every((each) => each === null)))
    return <p className={classes.calm}>{widgetText(widget, 'emptyStateText') ?? t('No data in this time range.')}</p>;
  const [single] = named;
  const known = single?.values.filter((each) => each !== null) ?? [];
  if (named.length === 1 && single && known.length === 1) {
    const at = dates[single.values.findIndex((each) => each !== null)] ?? 0;
    return (
      <>
        <p className={stat.figure}>{figureText(known[0] ?? 0, widget)}</p>
        <p className={classes.calm}>
          {t('History since {at}. A line appears with the second value.', { at: format.format(at) })}
        </p>
      </>
    );
  }
  const lines = toLines(named, widgetText(widget, 'chartType') === 'countEntities');
  const last = named[0]?.values.findLast((each) => each !== null);
  return (
    <ChartOrTable
      label={title}
      heads={[t('From'), ...named.map(({ name }) => name)]}
      rows={dates.map((date, index) => [format.format(date), ...named.map(({ values }) => values[index] ?? null)])}
    >
      <Suspense fallback={<Skeleton className={classes.chart ?? ''} />}>
        <Lines
          series={lines.shown}
          dates={dates.map((date) => short.format(date))}
          label={plural(named.length, '{title}: one line, latest {last}', '{title}: {count} lines, latest {last}', {
            title,
            last: last ?? t('none'),
          })}
          xTitle={widgetText(widget, 'xAxisTitle')}
          yTitle={widgetText(widget, 'yAxisTitle')}
        />
      </Suspense>
      {lines.left > 0 && (
        <p className={classes.calm}>
          {t('{count} of {count2} lines. See all in the table.', { count: lines.shown.length, count2: named.length })}
        </p>
      )}
    </ChartOrTable>
  );
}
