import { presetNames } from '../entities/operators.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { type FormField, valueAt } from './form-fields.ts';

type Choices = readonly (readonly [string, string])[];

const averages: Choices = [
  ['total', 'Total'],
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];
const countFunctions: Choices = [
  ['count', 'Count'],
  ['average', 'Average count'],
];
const figureFunctions: Choices = [
  ['sum', 'Sum'],
  ['average', 'Average'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['median', 'Median'],
];
const blueprint: FormField = { kind: 'blueprint', key: 'blueprint', label: 'Blueprint', isRequired: true };
const dataset: FormField = { kind: 'dataset', key: 'dataset', label: 'Filter' };

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
    label: 'Shows',
    isRequired: true,
    choices: [
      ['countEntities', 'Number of entities'],
      ['aggregateByProperty', 'Calculation over a property'],
      ['displaySingleProperty', 'Property of one entity'],
    ],
  },
  blueprint,
  { kind: 'entity', key: 'entity', label: 'Entity', isRequired: true, when: is('displaySingleProperty') },
  {
    kind: 'property',
    key: 'property',
    label: 'Property',
    of: 'numbers',
    form: 'bare',
    isRequired: true,
    when: is('displaySingleProperty', 'aggregateByProperty'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: 'Calculation',
    choices: countFunctions,
    isRequired: true,
    when: is('countEntities'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: 'Calculation',
    choices: figureFunctions,
    isRequired: true,
    when: is('aggregateByProperty'),
  },
  {
    kind: 'choice',
    key: 'averageOf',
    label: 'Average per',
    choices: averages,
    when: (widget) => isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: 'Date field',
    of: 'moments',
    form: 'bare',
    when: (widget) => isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  { ...dataset, when: is('countEntities', 'aggregateByProperty') },
  {
    kind: 'choice',
    key: 'unit',
    label: 'Unit',
    isRequired: true,
    choices: [
      ['none', 'None'],
      ['%', '%'],
      ['$', '$'],
      ['€', '€'],
      ['£', '£'],
      ['custom', 'Other'],
    ],
  },
  {
    kind: 'text',
    key: 'unitCustom',
    label: 'Custom unit',
    most: 20,
    when: (widget) => widgetText(widget, 'unit') === 'custom',
  },
  {
    kind: 'choice',
    key: 'unitAlignment',
    label: 'Unit position',
    choices: [
      ['left', 'Before the number'],
      ['right', 'After the number'],
    ],
    when: (widget) => (widgetText(widget, 'unit') ?? 'none') !== 'none',
  },
  {
    kind: 'choice',
    key: 'displayFormatting',
    label: 'Rounding',
    choices: [
      ['none', 'Up to 2 decimals'],
      ['round', 'Whole numbers'],
      ['custom', 'Fixed decimals'],
    ],
  },
  {
    kind: 'choice',
    key: 'decimalPlaces',
    label: 'Decimals',
    choices: ['.0', '.00', '.000', '.0000', '.00000'].map((each) => [each, String(each.length - 1)] as const),
    when: (widget) => widgetText(widget, 'displayFormatting') === 'custom',
  },
  {
    kind: 'choice',
    key: 'portolan.compare',
    label: 'Compare with',
    choices: [
      ['previous', 'The previous period'],
      ['none', 'Nothing'],
    ],
  },
  {
    kind: 'choice',
    key: 'portolan.period',
    label: 'Period',
    choices: [
      ['week', 'Week'],
      ['month', 'Month'],
      ['quarter', 'Quarter'],
    ],
    when: isCompared,
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: 'Date to compare by',
    of: 'moments',
    form: 'bare',
    when: (widget) => isCompared(widget) && !isAverage(widget) && !is('displaySingleProperty')(widget),
  },
  { kind: 'number', key: 'portolan.target', label: 'Target', least: -1e15, most: 1e15 },
  {
    kind: 'choice',
    key: 'portolan.goodWhen',
    label: 'Good when the number goes',
    choices: [
      ['up', 'Up'],
      ['down', 'Down'],
    ],
  },
  { kind: 'switch', key: 'portolan.sparkline', label: 'Show a sparkline', when: isCompared },
  {
    kind: 'list',
    key: 'conditionalFormatting',
    label: 'Labels by value',
    one: 'condition',
    begins: { operator: '>', value: 0, message: '', description: '', color: 'green' },
    fields: [
      {
        kind: 'choice',
        key: 'operator',
        label: 'Condition',
        isRequired: true,
        choices: [
          ['=', 'exactly'],
          ['!=', 'not'],
          ['>', 'more than'],
          ['>=', 'at least'],
          ['<', 'less than'],
          ['<=', 'at most'],
        ],
      },
      { kind: 'number', key: 'value', label: 'Value', least: -1e15, most: 1e15, isRequired: true },
      { kind: 'text', key: 'message', label: 'Label', most: 50 },
      { kind: 'text', key: 'description', label: 'Note', most: 200 },
      {
        kind: 'choice',
        key: 'color',
        label: 'Color',
        choices: ['green', 'yellow', 'orange', 'red', 'blue', 'purple', 'darkGray'].map(
          (each) => [each, each] as const,
        ),
      },
    ],
  },
  { kind: 'text', key: 'emptyStateText', label: 'Message when empty', most: 200 },
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
    label: 'Shows',
    isRequired: true,
    choices: [
      ['countEntities', 'Number of entities'],
      ['aggregatePropertiesValues', 'Calculation over properties'],
      ['propertiesValueHistory', 'Properties of one entity'],
    ],
  },
  blueprint,
  { kind: 'entity', key: 'entity', label: 'Entity', isRequired: true, when: is('propertiesValueHistory') },
  {
    kind: 'property',
    key: 'properties',
    label: 'Properties',
    of: 'numbers',
    form: 'bare',
    isMany: true,
    isRequired: true,
    when: is('propertiesValueHistory', 'aggregatePropertiesValues'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: 'Calculation',
    choices: countFunctions,
    isRequired: true,
    when: is('countEntities'),
  },
  {
    kind: 'choice',
    key: 'func',
    label: 'Calculation',
    choices: [...figureFunctions, ['last', 'Latest']],
    isRequired: true,
    when: is('aggregatePropertiesValues'),
  },
  {
    kind: 'property',
    key: 'measureTimeBy',
    label: 'Date field',
    of: 'moments',
    form: 'bare',
    isRequired: true,
    when: is('countEntities', 'aggregatePropertiesValues'),
  },
  {
    kind: 'property',
    key: 'breakdownProperty',
    label: 'One line per',
    of: 'groups',
    form: 'bare',
    when: is('countEntities'),
  },
  { ...dataset, when: is('countEntities', 'aggregatePropertiesValues') },
  {
    kind: 'choice',
    key: 'timeRange.preset',
    label: 'Time range',
    isRequired: true,
    choices: ranges.map((each) => [each, presetNames[each] ?? each] as const),
  },
  {
    kind: 'choice',
    key: 'timeInterval',
    label: 'Interval',
    choices: [
      ['hour', 'hour'],
      ['day', 'day'],
      ['isoWeek', 'week'],
      ['month', 'month'],
      ['quarter', 'quarter'],
    ],
  },
  { kind: 'text', key: 'xAxisTitle', label: 'X axis title', most: 100 },
  { kind: 'text', key: 'yAxisTitle', label: 'Y axis title', most: 100 },
];
