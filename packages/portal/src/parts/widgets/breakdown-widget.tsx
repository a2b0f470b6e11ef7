import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { colourValues } from '../../theme/colours.ts';
import { joined, ruleForValue } from '../entities/operators.ts';
import { useTeams } from '../entities/team-form.ts';
import { titleKey, useTitles } from '../entities/titles.ts';
import { useFields } from '../entities/use-fields.ts';
import { Bars } from './bars.tsx';
import { barsMax, donutMax, type Part, toParts } from './chart-parts.ts';
import { Donut } from './donut.tsx';
import { ChartOrTable } from './figures.tsx';
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

const outcomes: Readonly<Record<string, string>> = { SUCCESS: 'green', FAILURE: 'red' };

/** Counts of entities per value, as a ring of few shares or as bars. */
export function BreakdownWidget(props: WidgetProps) {
  const blueprint = widgetBlueprint(props.widget);
  const reference = widgetText(props.widget, 'property');
  if (!blueprint || !reference)
    return <p className={classes.calm}>{t('Choose a blueprint and a property in the settings of this chart.')}</p>;
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
    if (value === null) return t('None');
    if (kind === 'scorecard-rule') return value === 'SUCCESS' ? t('Met') : t('Not met');
    if (kind === 'relation') return titles.get(titleKey(field?.target ?? '', String(value))) ?? String(value);
    return name === '$team' ? nameOf(String(value)) : typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const title = widgetText(widget, 'title') ?? t('Chart');
  const { narrow } = context;
  const pick =
    narrow && field && field.source !== 'scorecard' && !kind.startsWith('scorecard')
      ? ({ value }: Part) => narrow(ruleForValue(field, value))
      : undefined;
  return (
    <Reading of={read}>
      {() => {
        if (groups.length === 0)
          return <p className={classes.calm}>{widgetText(widget, 'emptyStateText') ?? t('Nothing to count yet.')}</p>;
        const colours = kind === 'scorecard-rule' ? outcomes : (field?.levels ?? field?.shape.enumColors);
        const all = groups
          .map(({ value, count }) => {
            const own = colours?.[String(value)];
            return { label: labelOf(value), count, own: own && colourValues(own).solid, value };
          })
          .toSorted((one, other) => other.count - one.count);
        const isRing = widgetText(widget, 'type') === 'entities-pie-chart' && all.length <= donutMax;
        const parts = toParts(all, isRing ? donutMax : barsMax, isRing);
        const Drawn = isRing ? Donut : Bars;
        return (
          <ChartOrTable
            label={title}
            heads={[field?.title ?? name, t('Count')]}
            rows={all.map(({ label, count }) => [label, count])}
          >
            <Drawn parts={parts} label={title} onPick={pick} />
          </ChartOrTable>
        );
      }}
    </Reading>
  );
}
