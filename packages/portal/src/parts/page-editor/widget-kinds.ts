import {
  BarChart3,
  Bot,
  ChartPie,
  FileText,
  Frame,
  Hash,
  IdCard,
  LineChart,
  Link2,
  PanelsTopLeft,
  Table2,
  Waypoints,
  Zap,
} from 'lucide-react';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { lineFields, numberFields } from './chart-fields.ts';
import type { FormField, WidgetKind } from './form-fields.ts';
import { recordKinds } from './record-kinds.ts';

const noRules = { combinator: 'and', rules: [] };
const blueprint: FormField = { kind: 'blueprint', key: 'blueprint', label: 'Blueprint', isRequired: true };
const dataset: FormField = { kind: 'dataset', key: 'dataset', label: 'Filter' };
const emptyText: FormField = { kind: 'text', key: 'emptyStateText', label: 'Message when empty', most: 200 };
const split: readonly FormField[] = [
  blueprint,
  { kind: 'property', key: 'property', label: 'Split by', of: 'groups', form: 'prefixed', isRequired: true },
  dataset,
  emptyText,
];
const fieldsOfEntity: readonly FormField[] = [
  blueprint,
  { kind: 'entity', key: 'entity', label: 'Entity', isRequired: true },
  { kind: 'property', key: 'hiddenQuery', label: 'Hide', of: 'any', form: 'bare', isMany: true },
  { kind: 'switch', key: 'showEmptyValues', label: 'Show empty fields' },
];
/** Every widget type of the portal, in the order of the gallery. */
export const widgetKinds: readonly WidgetKind[] = [
  {
    type: 'entities-number-chart',
    title: 'Number',
    text: 'One figure: a count, a sum, an average, or a property of one entity.',
    icon: Hash,
    fields: numberFields,
    begins: {
      chartType: 'countEntities',
      func: 'count',
      unit: 'none',
      dataset: noRules,
      portolan: { compare: 'previous', goodWhen: 'up', sparkline: true },
    },
  },
  {
    type: 'table-entities-explorer',
    title: 'Table',
    text: 'Entities of a blueprint, with search, filters and sorting.',
    icon: Table2,
    fields: [blueprint, dataset, { kind: 'table', key: 'blueprintConfig', label: 'Columns' }],
    begins: { displayMode: 'widget', dataset: noRules },
  },
  {
    type: 'table-entities-explorer-by-direction',
    title: 'Connected tables',
    text: 'Entities of several blueprints, a tab for each.',
    icon: Waypoints,
    fields: [
      {
        kind: 'list',
        key: 'blueprintConfig',
        label: 'Tables',
        one: 'table',
        isMap: true,
        begins: { title: '' },
        fields: [
          { kind: 'text', key: 'title', label: 'Title', most: 20 },
          { ...blueprint, key: 'targetBlueprint' },
          dataset,
          { kind: 'switch', key: 'hidden', label: 'Hidden' },
        ],
      },
    ],
    begins: { blueprintConfig: { $custom_1: { title: '', tabIndex: 0 } } },
  },
  {
    type: 'entities-pie-chart',
    title: 'Pie chart',
    text: 'Shares of up to four values; more become bars.',
    icon: ChartPie,
    fields: split,
    begins: { dataset: noRules },
  },
  {
    type: 'bar-chart',
    title: 'Bar chart',
    text: 'How many entities have each value.',
    icon: BarChart3,
    fields: split,
    begins: { dataset: noRules },
  },
  {
    type: 'line-chart',
    title: 'Line chart',
    text: 'How a figure changed over time.',
    icon: LineChart,
    fields: lineFields,
    begins: {
      chartType: 'countEntities',
      func: 'count',
      measureTimeBy: '$createdAt',
      timeInterval: 'day',
      timeRange: { preset: 'lastMonth' },
    },
  },
  {
    type: 'multi-line-chart',
    title: 'Several lines',
    text: 'Several figures over the same time, each with its own scale.',
    icon: LineChart,
    fields: [
      ...lineFields.filter(({ key }) => key === 'timeRange.preset' || key === 'timeInterval'),
      {
        kind: 'list',
        key: 'lines',
        label: 'Lines',
        one: 'line',
        begins: { chartType: 'countEntities', func: 'count', measureTimeBy: '$createdAt' },
        fields: [
          { kind: 'text', key: 'title', label: 'Title', most: 100 },
          ...lineFields.filter(({ key }) => key !== 'timeRange.preset' && key !== 'timeInterval'),
        ],
      },
    ],
    begins: { timeInterval: 'day', timeRange: { preset: 'lastMonth' }, lines: [] },
  },
  {
    type: 'markdown',
    title: 'Text',
    text: 'Markdown of your own, or a text property of an entity.',
    icon: FileText,
    fields: [
      {
        kind: 'choice',
        key: 'source',
        label: 'Source',
        isRequired: true,
        choices: [
          ['custom', 'Text entered here'],
          ['property', 'A property of an entity'],
        ],
      },
      { kind: 'markdown', key: 'markdown', label: 'Text', when: isOwnText },
      { ...blueprint, key: 'blueprintIdentifier', when: isPropertyText },
      { kind: 'entity', key: 'entityIdentifier', label: 'Entity', isRequired: true, when: isPropertyText },
      {
        kind: 'property',
        key: 'propertyIdentifier',
        label: 'Property',
        of: 'texts',
        form: 'bare',
        isRequired: true,
        when: isPropertyText,
      },
    ],
    begins: { source: 'custom', markdown: '' },
  },
  {
    type: 'links-widget',
    title: 'Links',
    text: 'Links that people need often.',
    icon: Link2,
    fields: [
      {
        kind: 'list',
        key: 'links',
        label: 'Links',
        one: 'link',
        begins: { title: '', url: '' },
        fields: [
          { kind: 'text', key: 'title', label: 'Title', most: 200, isRequired: true },
          { kind: 'text', key: 'url', label: 'Address', most: 2000, isRequired: true, isAddress: true },
          { kind: 'text', key: 'description', label: 'Description', most: 500 },
          { kind: 'icon', key: 'icon', label: 'Icon' },
        ],
      },
    ],
    begins: { links: [] },
  },
  {
    type: 'action-card-widget',
    title: 'Actions',
    text: 'Cards that open self-service actions.',
    icon: Zap,
    fields: [{ kind: 'actions', key: 'actions', label: 'Actions', isRequired: true }],
    begins: { actions: [] },
  },
  {
    type: 'ai-agent',
    title: 'AI agent',
    text: 'Ask an agent and read its answer here.',
    icon: Bot,
    fields: [
      { kind: 'agent', key: 'agentIdentifier', label: 'Agent', isRequired: true },
      {
        kind: 'switch',
        key: 'use_mcp',
        otherSpellings: ['useMCP', 'useMcp'],
        label: 'Use tools over MCP',
        text: 'Lets the agent look things up in the catalog. The agent never gets more rights than you have.',
      },
    ],
    begins: { use_mcp: true },
  },
  {
    type: 'entity-info',
    title: 'Entity',
    text: 'The fields of one entity.',
    icon: IdCard,
    fields: fieldsOfEntity,
  },
  {
    type: 'iframe-widget',
    title: 'Embedded page',
    text: 'A page of another website, loaded when a reader clicks Show.',
    icon: Frame,
    fields: [
      { kind: 'text', key: 'url', label: 'Address', most: 2000, isRequired: true, isAddress: true },
      {
        kind: 'choice',
        key: 'urlType',
        label: 'Access',
        isRequired: true,
        choices: [
          ['public', 'Everyone: shown here'],
          ['protected', 'People who sign in there: opens in a tab'],
        ],
      },
      { kind: 'text', key: 'authorizationUrl', label: 'Authorization address', most: 2000, when: isProtected },
      { kind: 'text', key: 'tokenUrl', label: 'Token address', most: 2000, when: isProtected },
      { kind: 'text', key: 'clientId', label: 'Client id', most: 200, when: isProtected },
      { kind: 'texts', key: 'scopes', label: 'Scopes', when: isProtected },
    ],
    begins: { urlType: 'public' },
  },
  ...recordKinds,
  {
    type: 'grouper',
    title: 'Tabs',
    text: 'Widgets in tabs.',
    icon: PanelsTopLeft,
    fields: [
      {
        kind: 'list',
        key: 'groups',
        label: 'Tabs',
        one: 'tab',
        begins: { title: '', widgets: [] },
        fields: [{ kind: 'text', key: 'title', label: 'Title', most: 60, isRequired: true }],
      },
    ],
    begins: { displayMode: 'tabs', groups: [{ title: 'First', widgets: [] }] },
  },
];

const byType = new Map(widgetKinds.map((kind) => [kind.type, kind]));

/** The type of a widget; undefined if it can only be edited as JSON. */
export function widgetKind(widget: Widget): WidgetKind | undefined {
  const type = widgetText(widget, 'type') ?? '';
  return byType.get(type === 'entity-details' ? 'entity-info' : type);
}

/** A widget's name in the editor. */
export function nameOfWidget(widget: Widget): string {
  return widgetText(widget, 'title') ?? widgetKind(widget)?.title ?? widgetText(widget, 'type') ?? 'Widget';
}

/** The step of adding widgets, for undo. */
export function addingInWords(widgets: readonly Widget[]): string {
  const [first] = widgets;
  return widgets.length === 1 && first ? `Add ${nameOfWidget(first)}` : `Add ${widgets.length} widgets`;
}

/** Whether it contains widgets. */
export function holdsWidgets(widget: Widget): boolean {
  return ['dashboard-widget', 'grouper'].includes(widgetText(widget, 'type') ?? '');
}

function isOwnText(widget: Widget): boolean {
  return widgetText(widget, 'source') !== 'property';
}

function isPropertyText(widget: Widget): boolean {
  return !isOwnText(widget);
}

function isProtected(widget: Widget): boolean {
  return widgetText(widget, 'urlType') === 'protected';
}
