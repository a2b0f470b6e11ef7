import { Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { ColourBadge } from '../badges.tsx';
import { joined } from '../entities/operators.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import {
  blueprintOf,
  conditionMet,
  figureText,
  overBlueprints,
  pageQueries,
  propertyOf,
  queryOf,
  textOf,
  type Widget,
  type WidgetProps,
} from './widget-shape.ts';
import classes from './widgets.module.css';

/** One figure: a property of an entity, a count, or a figure over many. */
export function NumberWidget(props: WidgetProps) {
  return textOf(props.widget, 'chartType') === 'displaySingleProperty' ? (
    <OfEntity {...props} />
  ) : (
    <OfMany {...props} />
  );
}

function OfEntity({ widget, context }: WidgetProps) {
  const blueprint = textOf(widget, 'blueprint') ?? context.entity?.blueprint ?? '';
  const identifier = textOf(widget, 'entity') ?? context.entity?.identifier ?? '';
  const { name } = propertyOf(textOf(widget, 'property') ?? '');
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
  const blueprint = blueprintOf(widget);
  const query = overBlueprints(
    joined([...pageQueries(context, blueprint), queryOf(widget['dataset'])].filter((each) => each !== undefined)),
    blueprint,
  );
  const func = textOf(widget, 'func') ?? 'count';
  const isOfProperty =
    textOf(widget, 'chartType') === 'aggregateByProperty' && textOf(widget, 'calculationBy') !== 'entities';
  const { name } = propertyOf(textOf(widget, 'property') ?? '');
  const measured =
    func === 'average'
      ? {
          averageOf: textOf(widget, 'averageOf') ?? 'total',
          ...(textOf(widget, 'measureTimeBy') ? { measureTimeBy: textOf(widget, 'measureTimeBy') } : {}),
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
  if (value === null) return <p className={classes.calm}>{textOf(widget, 'emptyStateText') ?? 'There is no value.'}</p>;
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
