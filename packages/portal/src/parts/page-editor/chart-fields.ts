import { t } from '../../kit/translate.ts';
import { presetNames } from '../entities/operators.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { type FormField, valueAt } from './form-fields.ts';

type Choices = readonly (readonly [string, string])[];

const averages: Choices = [
  ['total', t('Total')],
  ['hour', t('Hour')],
  ['day', t('Day')],
  ['week', t('Week')],
  ['month', t('Month')],
];
const countFunctions: Choices = [
  ['count', t('Count')],
  ['average', t('Average count')],
];
const figureFunctions: Choices = [
  ['sum', t('Sum')],
  ['average', t('Average')],
  ['min', t('Minimum')],
  ['max', t('Maximum')],
  ['median', t('Median')],
];
const blueprint: FormField = { kind: 'blueprint', key: 'blueprint', label: t('Blueprint'), isRequired: true };
const dataset: FormField = { kind: 'dataset', key: 'dataset', label: t('Filter') };

function is(...types: readonly string[]): (widget: Widget) => boolean {
  return (widget) => types.includes(widgetText(widget, 'chartType') ?? '');
}

function isAverage(widget: Widget): boolean {
  return widgetText(widget, 'func') === 'average';
}

function isCompared(widget: Widget): boolean {
  return valueAt(widget, 'portolan.compare') === 'previous';
}

/** The form of a number widget. */
export const numberFields: readonly FormField[] = [
  {
    kind: 'choice',
    key: 'chartType',
    label: t('Shows'),
    isRequired: true,
    choices: [
      ['countEntities', t('Number of entities')],
      ['aggregateByProperty', t('Calculation over a property')],
      ['displaySingleProperty', t('Property of one entity')],
    ],
  },
  blueprint,
  { kind: 'entity', key: 'entity', label: t('Entity'), isRequired: true, when: is('displaySingleProperty') },
  {
    kind: 'property',
    key: 'property',
    label: t('Property'),
    of: 'numbers',
    form: 'bare',
    isRequired: true,
    when: is('displaySingleProperty', 'aggregateByProperty'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: t('Calculation'),
    choices: countFunctions,
    isRequired: true,
    when: is('countEntities'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: t('Calculation'),
    choices: figureFunctions,
    isRequired: true,
    when: is('aggregateByProperty'),
  },
  {
    kind: 'choice',
    key: 'averageOf',
    label: t('Average per'),
    choices: averages,
    when: (widget) => isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: t('Date field'),
    of: 'moments',
    form: 'bare',
    when: (widget) => isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  { ...dataset, when: is('countEntities', 'aggregateByProperty') },
  {
    kind: 'choice',
    key: 'unit',
    label: t('Unit'),
    isRequired: true,
    choices: [
      ['none', t('None')],
      ['%', '%'],
      ['$', '$'],
      ['€', '€'],
      ['£', '£'],
      ['custom', t('Other')],
    ],
  },
  {
    kind: 'text',
    key: 'unitCustom',
    label: t('Custom unit'),
    most: 20,
    when: (widget) => widgetText(widget, 'unit') === 'custom',
  },
  {
    kind: 'choice',
    key: 'unitAlignment',
    label: t('Unit position'),
    choices: [
      ['left', t('Before the number')],
      ['right', t('After the number')],
    ],
    when: (widget) => (widgetText(widget, 'unit') ?? 'none') !== 'none',
  },
  {
    kind: 'choice',
    key: 'displayFormatting',
    label: t('Rounding'),
    choices: [
      ['none', t('Up to 2 decimals')],
      ['round', t('Whole numbers')],
      ['custom', t('Fixed decimals')],
    ],
  },
  {
    kind: 'choice',
    key: 'decimalPlaces',
    label: t('Decimals'),
    choices: ['.0', '.00', '.000', '.0000', '.00000'].map((each) => [each, String(each.length - 1)] as const),
    when: (widget) => widgetText(widget, 'displayFormatting') === 'custom',
  },
  {
    kind: 'choice',
    key: 'portolan.compare',
    label: t('Compare with'),
    choices: [
      ['previous', t('The previous period')],
      ['none', t('Nothing')],
    ],
  },
  {
    kind: 'choice',
    key: 'portolan.period',
    label: t('Period'),
    choices: [
      ['week', t('Week')],
      ['month', t('Month')],
      ['quarter', t('Quarter')],
    ],
    when: isCompared,
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: t('Date to compare by'),
    of: 'moments',
    form: 'bare',
    when: (widget) => isCompared(widget) && !isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  { kind: 'number', key: 'portolan.target', label: t('Target'), least: -1e15, most: 1e15 },
  {
    kind: 'choice',
    key: 'portolan.goodWhen',
    label: t('Good when the number goes'),
    choices: [
      ['up', t('Up')],
      ['down', t('Down')],
    ],
  },
  { kind: 'switch', key: 'portolan.sparkline', label: t('Show a sparkline'), when: isCompared },
  {
    kind: 'list',
    key: 'conditionalFormatting',
    label: t('Labels by value'),
    one: 'condition',
    begins: { operator: '>', value: 0, message: '', description: '', color: 'green' },
    fields: [
      {
        kind: 'choice',
        key: 'operator',
        label: t('Condition'),
        isRequired: true,
        choices: [
          ['=', 'exactly'],
          ['!=', 'not'],
          ['>', t('more than')],
          ['>=', t('at least')],
          ['<', t('less than')],
          ['<=', t('at most')],
        ],
      },
      { kind: 'number', key: 'value', label: t('Value'), least: -1e15, most: 1e15, isRequired: true },
      { kind: 'text', key: 'message', label: t('Label'), most: 50 },
      { kind: 'text', key: 'description', label: t('Note'), most: 200 },
      {
        kind: 'choice',
        key: 'color',
        label: t('Color'),
        choices: ['green', 'yellow', 'orange', 'red', 'blue', 'purple', 'darkGray'].map(
          (each) => [each, each] as const,
        ),
      },
    ],
  },
  { kind: 'text', key: 'emptyStateText', label: t('Message when empty'), most: 200 },
];

const ranges = [
  'today',
  'lastDay',
  'lastWeek',
  'last2Weeks',
  'lastMonth',
  'last3Months',
  'last6Months',
  'last12Months',
] as const;

/** The form of a line chart. */
export const lineFields: readonly FormField[] = [
  {
    kind: 'choice',
    key: 'chartType',
    label: t('Shows'),
    isRequired: true,
    choices: [
      ['countEntities', t('Number of entities')],
      ['aggregatePropertiesValues', t('Calculation over properties')],
      ['propertiesValueHistory', t('Properties of one entity')],
    ],
  },
  blueprint,
  { kind: 'entity', key: 'entity', label: t('Entity'), isRequired: true, when: is('propertiesValueHistory') },
  {
    kind: 'property',
    key: 'properties',
    label: t('Properties'),
    of: 'numbers',
    form: 'bare',
    isMany: true,
    isRequired: true,
    when: is('propertiesValueHistory', 'aggregatePropertiesValues'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: t('Calculation'),
    choices: countFunctions,
    isRequired: true,
    when: is('countEntities'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: t('Calculation'),
    choices: [...figureFunctions, ['last', t('Latest')]],
    isRequired: true,
    when: is('aggregatePropertiesValues'),
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: t('Date field'),
    of: 'moments',
    form: 'bare',
    isRequired: true,
    when: is('countEntities', 'aggregatePropertiesValues'),
  },
  {
    kind: 'property',
    key: 'breakdownProperty',
    label: t('One line per'),
    of: 'groups',
    form: 'bare',
    when: is('countEntities'),
  },
  { ...dataset, when: is('countEntities', 'aggregatePropertiesValues') },
  {
    kind: 'choice',
    key: 'timeRange.preset',
    label: t('Time range'),
    isRequired: true,
    choices: ranges.map((each) => [each, presetNames[each] ?? each] as const),
  },
  {
    kind: 'choice',
    key: 'timeInterval',
    label: t('Interval'),
    choices: [
      ['hour', 'hour'],
      ['day', 'day'],
      ['isoWeek', 'week'],
      ['month', 'month'],
      ['quarter', 'quarter'],
    ],
  },
  { kind: 'text', key: 'xAxisTitle', label: t('X axis title'), most: 100 },
  { kind: 'text', key: 'yAxisTitle', label: t('Y axis title'), most: 100 },
];
