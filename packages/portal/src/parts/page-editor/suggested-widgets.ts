import { t } from '../../kit/translate.ts';
import type { Field } from '../entities/fields.ts';
import type { Widget } from '../widgets/widget-shape.ts';
import { isOffered, referenceTo } from './property-choice.ts';

/** A widget without an id. */
export interface Suggestion {
  readonly title: string;
  readonly widget: Widget;
}

const averagesMax = 3;
const splitsMax = 3;

/** Widgets that a board about a blueprint often holds: how many, how they divide, what their numbers are on average. */
export function suggestWidgets(blueprint: string, title: string, fields: readonly Field[]): readonly Suggestion[] {
  const about = (...rules: readonly object[]) => ({
    combinator: 'and',
    rules: [{ property: '$blueprint', operator: '=', value: blueprint }, ...rules],
  });
  const number = (name: string, more: Widget): Suggestion => ({
    title: name,
    widget: { type: 'entities-number-chart', title: name, blueprint, unit: 'none', dataset: about(), ...more },
  });
  const compared = { compare: 'previous', period: 'month', sparkline: true };
  const hasOwner = fields.some(({ key }) => key === '$team');
  const numbers = fields.filter((field) => isOffered(field, 'numbers')).slice(0, averagesMax);
  const splits = fields
    .filter((field) => field.shape.enum !== undefined || field.source === 'scorecard' || isSingleRelation(field))
    .filter((field) => isOffered(field, 'groups'))
    .slice(0, splitsMax);
  return [
    number(t('{title}: total', { title }), {
      chartType: 'countEntities',
      func: 'count',
      portolan: { ...compared, goodWhen: 'up' },
    }),
    ...(hasOwner
      ? [
          number(t('{title}: without an owner', { title }), {
            chartType: 'countEntities',
            func: 'count',
            dataset: about({ property: '$team', operator: 'isEmpty' }),
            portolan: { ...compared, target: 0, goodWhen: 'down' },
          }),
        ]
      : []),
    ...numbers.map((field) =>
      number(t('{title}: average {title2}', { title, title2: field.title }), {
        chartType: 'aggregateByProperty',
        calculationBy: 'property',
        func: 'average',
        property: field.key,
      }),
    ),
    ...splits.map((field) => ({
      title: t('{title} by {title2}', { title, title2: field.title }),
      widget: {
        type: 'bar-chart',
        title: t('{title} by {title2}', { title, title2: field.title }),
        blueprint,
        property: referenceTo(field, 'prefixed'),
        dataset: about(),
      },
    })),
    {
      title: t('{title}: table', { title }),
      widget: { type: 'table-entities-explorer', title, displayMode: 'widget', blueprint, dataset: about() },
    },
  ];
}

function isSingleRelation({ source, isMany }: Field): boolean {
  return source === 'relation' && isMany !== true;
}
