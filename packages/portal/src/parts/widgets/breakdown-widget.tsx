import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { useFields } from '../entities/entity-explorer.tsx';
import { joined } from '../entities/operators.ts';
import { useTeams } from '../entities/team-form.ts';
import { titleKey, useTitles } from '../entities/titles.ts';
import { FigureTable } from './figure-table.tsx';
import {
  overBlueprints,
  pageQueries,
  parseProperty,
  toQuery,
  type WidgetProps,
  widgetBlueprint,
  widgetText,
} from './widget-shape.ts';
import classes from './widgets.module.css';

const Bars = lazy(async () => ({ default: (await import('./charts-rendered.tsx')).BarsRendered }));
const Pie = lazy(async () => ({ default: (await import('./charts-rendered.tsx')).PieRendered }));

const outcomes: Readonly<Record<string, string>> = { SUCCESS: 'green', FAILURE: 'red' };
const shownMax = { pie: 14, bar: 9 };

/** Counts of entities per value, as a pie or bars, with the figures as a table. */
export function BreakdownWidget(props: WidgetProps) {
  const blueprint = widgetBlueprint(props.widget);
  const reference = widgetText(props.widget, 'property');
  if (!blueprint || !reference)
    return <p className={classes.calm}>This chart names no blueprint and property, so it stays empty.</p>;
  return <Chart {...props} blueprint={blueprint} reference={reference} />;
}

function Chart({ widget, context, blueprint, reference }: WidgetProps & { blueprint: string; reference: string }) {
  const { kind, name, rule } = parseProperty(reference);
  const query = overBlueprints(joined([...pageQueries(context, blueprint), toQuery(widget['dataset'])]), blueprint);
  const by =
    kind === 'relation'
      ? { relation: name }
      : kind === 'scorecard'
        ? { scorecard: name }
        : kind === 'scorecard-rule'
          ? { scorecard: name, rule: rule ?? '' }
          : { property: name };
  const read = useRead('aggregateEntities', { body: { func: 'countValues', query: query, ...by } });
  const { fields } = useFields(blueprint);
  const field = fields?.find((each) => each.key === name);
  const groups = useMemo(() => (read.data && 'groups' in read.data.result ? read.data.result.groups : []), [read.data]);
  const wanted = useMemo(
    () =>
      kind === 'relation' && field?.target
        ? [
            {
              blueprint: field.target,
              identifiers: groups.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
            },
          ]
        : [],
    [kind, field?.target, groups],
  );
  const titles = useTitles(wanted);
  const { nameOf } = useTeams();
  const labelOf = (value: unknown) => {
    if (value === null) return 'None';
    if (kind === 'scorecard-rule') return value === 'SUCCESS' ? 'Met' : 'Not met';
    if (kind === 'relation') return titles.get(titleKey(field?.target ?? '', String(value))) ?? String(value);
    return name === '$team' ? nameOf(String(value)) : typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const isPie = widgetText(widget, 'type') === 'entities-pie-chart';
  const most = isPie ? shownMax.pie : shownMax.bar;
  const title = widgetText(widget, 'title') ?? 'Chart';
  return (
    <Reading of={read}>
      {() => {
        if (groups.length === 0)
          return <p className={classes.calm}>{widgetText(widget, 'emptyStateText') ?? 'Nothing to count yet.'}</p>;
        const colours = kind === 'scorecard-rule' ? outcomes : (field?.levels ?? field?.shape.enumColors);
        const all = groups.map(({ value, count }) => ({
          label: labelOf(value),
          count,
          colour: colours?.[String(value)],
        }));
        const rest = all.slice(most).reduce((sum, { count }) => sum + count, 0);
        const parts = [
          ...all.slice(0, most),
          ...(rest > 0 ? [{ label: 'Other', count: rest, colour: 'darkGray' }] : []),
        ];
        const Drawn = isPie ? Pie : Bars;
        return (
          <>
            <Suspense fallback={<Skeleton height={260} />}>
              <Drawn
                parts={parts}
                label={`${title}: ${parts
                  .slice(0, 3)
                  .map(({ label, count }) => `${label} ${count}`)
                  .join(', ')}`}
              />
            </Suspense>
            <FigureTable
              label={title}
              heads={[field?.title ?? name, 'Count']}
              rows={all.map(({ label, count }) => [label, count])}
            />
          </>
        );
      }}
    </Reading>
  );
}
