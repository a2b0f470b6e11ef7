import { Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { joined } from '../entities/operators.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import { ChartOrTable } from './figures.tsx';
import { Stat } from './stat.tsx';
import { readTrend, type StatSettings, statSettings, type TrendKind, trendBuckets } from './stat-trend.ts';
import {
  overBlueprints,
  pageQueries,
  parseProperty,
  toQuery,
  type Widget,
  type WidgetProps,
  widgetBlueprint,
  widgetText,
  withinBlueprint,
} from './widget-shape.ts';
import classes from './widgets.module.css';

/** A single figure: a property of an entity, a count, or an aggregate over many. */
export function NumberWidget(props: WidgetProps) {
  return widgetText(props.widget, 'chartType') === 'displaySingleProperty' ? (
    <OfEntity {...props} />
  ) : (
    <OfMany {...props} />
  );
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function bucketsOf(kind: TrendKind, { period }: StatSettings) {
  const { preset, timeInterval } = trendBuckets(kind, period);
  return { timeRange: { preset, timeZone }, timeInterval };
}

function OfEntity({ widget, context }: WidgetProps) {
  const blueprint = widgetText(widget, 'blueprint') ?? context.entity?.blueprint ?? '';
  const identifier = widgetText(widget, 'entity') ?? context.entity?.identifier ?? '';
  const { name } = parseProperty(widgetText(widget, 'property') ?? '');
  const settings = statSettings(widget);
  const isReady = blueprint !== '' && identifier !== '' && name !== '';
  const read = useRead(
    'getEntity',
    { params: { blueprint_identifier: blueprint, entity_identifier: identifier } },
    { isOn: isReady },
  );
  const history = useRead(
    'getPropertiesHistory',
    {
      body: {
        entityIdentifier: identifier,
        blueprintIdentifier: blueprint,
        propertyNames: [name],
        ...bucketsOf('level', settings),
      } as never,
    },
    { isOn: isReady && settings.compares },
  );
  if (!isReady) return <Unset />;
  return (
    <Reading of={read}>
      {({ entity }) => {
        const value = entity.properties?.[name];
        return (
          <>
            <Figure
              value={typeof value === 'number' ? value : null}
              widget={widget}
              kind="level"
              isOnScale
              history={history.data?.result}
              hasFailed={history.error !== null}
            />
            <Text size="xs" c="dimmed">
              <EntityAnchor blueprint={blueprint} identifier={identifier} title={entity.title} />
            </Text>
          </>
        );
      }}
    </Reading>
  );
}

function OfMany({ widget, context }: WidgetProps) {
  const blueprint = widgetBlueprint(widget);
  const query = overBlueprints(
    joined([...pageQueries(context, blueprint), toQuery(widget['dataset'])].filter((each) => each !== undefined)),
    blueprint,
  );
  const func = widgetText(widget, 'func') ?? 'count';
  const isOfProperty =
    widgetText(widget, 'chartType') === 'aggregateByProperty' && widgetText(widget, 'calculationBy') !== 'entities';
  const { name } = parseProperty(widgetText(widget, 'property') ?? '');
  const measured =
    func === 'average'
      ? {
          averageOf: widgetText(widget, 'averageOf') ?? 'total',
          ...(widgetText(widget, 'measureTimeBy') ? { measureTimeBy: widgetText(widget, 'measureTimeBy') } : {}),
        }
      : {};
  const body = {
    func,
    query,
    ...measured,
    ...(isOfProperty ? { property: name, calculationBy: 'property' } : { calculationBy: 'entities' }),
  };
  const isReady = !isOfProperty || name !== '';
  const read = useRead('aggregateEntities', { body: body as never }, { isOn: isReady });

  const settings = statSettings(widget);
  const moment = widgetText(widget, 'measureTimeBy');
  const kind: TrendKind = moment || func === 'average' ? 'flow' : 'growth';
  // nobody keeps the smallest, largest or median value of the past; what was added since is known by its creation
  const hasHistory = blueprint !== undefined && (kind === 'flow' || func === 'count' || func === 'sum');
  const within = joined([...pageQueries(context, blueprint), withinBlueprint(toQuery(widget['dataset']))]);
  const history = useRead(
    'aggregateOverTime',
    {
      body: {
        ...(isOfProperty
          ? { aggregationType: 'aggregatePropertiesValues', func, properties: [name] }
          : { aggregationType: 'countEntities', func: 'count' }),
        blueprint,
        ...(moment ? { measureTimeBy: moment } : {}),
        ...(within ? { query: within } : {}),
        ...bucketsOf(kind, settings),
      } as never,
    },
    { isOn: isReady && settings.compares && hasHistory },
  );
  if (!isReady) return <Unset />;
  const isOfPeriod = isOfProperty ? func !== 'sum' : widgetText(widget, 'averageOf') === settings.period;
  return (
    <Reading of={read}>
      {({ result }) => (
        <Figure
          value={'value' in result ? result.value : null}
          widget={widget}
          kind={kind}
          isOnScale={kind === 'growth' || isOfPeriod}
          history={history.data?.result}
          hasFailed={history.error !== null}
        />
      )}
    </Reading>
  );
}

function Unset() {
  return <p className={classes.calm}>{t('Choose what to count in the settings of this widget.')}</p>;
}

function Figure({
  value,
  widget,
  kind,
  isOnScale,
  history,
  hasFailed,
}: {
  value: number | null;
  widget: Widget;
  kind: TrendKind;
  isOnScale: boolean;
  history: Parameters<typeof readTrend>[1] | undefined;
  hasFailed: boolean;
}) {
  if (value === null)
    return <p className={classes.calm}>{widgetText(widget, 'emptyStateText') ?? t('There is no value.')}</p>;
  const settings = statSettings(widget);
  const trend = history && settings.compares ? readTrend(kind, history, value) : undefined;
  const stat = <Stat value={value} widget={widget} settings={settings} over={trend && { kind, trend, isOnScale }} />;
  if (!trend)
    return (
      <>
        {stat}
        {hasFailed && settings.compares && (
          <Text size="xs" c="dimmed">
            {t('The history could not be read.')}
          </Text>
        )}
      </>
    );
  return (
    <ChartOrTable
      label={widgetText(widget, 'title') ?? t('Number')}
      heads={[t('From'), t('Value')]}
      rows={trend.points.map((point, index) => [new Date(trend.dates[index] ?? 0).toLocaleDateString(locale), point])}
    >
      {stat}
    </ChartOrTable>
  );
}
