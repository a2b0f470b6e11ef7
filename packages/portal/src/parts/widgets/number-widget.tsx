import { Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { ColourBadge } from '../badges.tsx';
import { joined } from '../entities/operators.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import {
  conditionMet,
  figureText,
  overBlueprints,
  pageQueries,
  parseProperty,
  toQuery,
  type Widget,
  type WidgetProps,
  widgetBlueprint,
  widgetText,
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

function OfEntity({ widget, context }: WidgetProps) {
  const blueprint = widgetText(widget, 'blueprint') ?? context.entity?.blueprint ?? '';
  const identifier = widgetText(widget, 'entity') ?? context.entity?.identifier ?? '';
  const { name } = parseProperty(widgetText(widget, 'property') ?? '');
  const read = useRead(
    'getEntity',
    { params: { blueprint_identifier: blueprint, entity_identifier: identifier } },
    { isOn: blueprint !== '' && identifier !== '' },
  );
  if (!blueprint || !identifier || !name) return <Unset />;
  return (
    <Reading of={read}>
      {({ entity }) => {
        const value = entity.properties?.[name];
        return (
          <>
            <Figure value={typeof value === 'number' ? value : null} widget={widget} />
            <Text size="sm" c="dimmed">
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
  if (!isReady) return <Unset />;
  return (
    <Reading of={read}>
      {({ result }) => <Figure value={'value' in result ? result.value : null} widget={widget} />}
    </Reading>
  );
}

function Unset() {
  return <p className={classes.calm}>This figure names nothing to compute, so it stays empty.</p>;
}

function Figure({ value, widget }: { value: number | null; widget: Widget }) {
  if (value === null)
    return <p className={classes.calm}>{widgetText(widget, 'emptyStateText') ?? 'There is no value.'}</p>;
  const condition = conditionMet(value, widget);
  return (
    <>
      <p className={classes.figure} style={{ margin: 0 }}>
        {figureText(value, widget)}
      </p>
      {condition && (
        <p style={{ margin: '4px 0' }}>
          <ColourBadge colour={condition.color}>{condition.message || 'met'}</ColourBadge> {condition.description}
        </p>
      )}
    </>
  );
}
