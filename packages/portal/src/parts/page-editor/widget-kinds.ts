import {
  BarChart3,
  Bot,
  ChartPie,
  FileText,
  Frame,
  GitBranch,
  Hash,
  IdCard,
  LineChart,
  Link2,
  PanelsTopLeft,
  Table2,
  Waypoints,
  Zap,
} from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { lineFields, numberFields } from './chart-fields.ts';
import type { FormField, WidgetKind } from './form-fields.ts';
import { recordKinds } from './record-kinds.ts';

const noRules = { combinator: 'and', rules: [] };
const blueprint: FormField = { kind: 'blueprint', key: 'blueprint', label: t('Blueprint'), isRequired: true };
const dataset: FormField = { kind: 'dataset', key: 'dataset', label: t('Filter') };
const emptyText: FormField = { kind: 'text', key: 'emptyStateText', label: t('Message when empty'), most: 200 };
const split: readonly FormField[] = [
  blueprint,
  { kind: 'property', key: 'property', label: t('Split by'), of: 'groups', form: 'prefixed', isRequired: true },
  dataset,
  emptyText,
];
const fieldsOfEntity: readonly FormField[] = [
  blueprint,
  { kind: 'entity', key: 'entity', label: t('Entity'), isRequired: true },
  { kind: 'property', key: 'hiddenQuery', label: t('Hide'), of: 'any', form: 'bare', isMany: true },
  { kind: 'switch', key: 'showEmptyValues', label: t('Show empty fields') },
];
/** Every widget type of the portal, in the order of the gallery. */
export const widgetKinds: readonly WidgetKind[] = [
  {
    type: 'entities-number-chart',
    title: t('Number'),
    text: t('One figure: a count, a sum, an average, or a property of one entity.'),
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
    title: t('Table'),
    text: t('Entities of a blueprint, with search, filters and sorting.'),
    icon: Table2,
    fields: [blueprint, dataset, { kind: 'table', key: 'blueprintConfig', label: t('Columns') }],
    begins: { displayMode: 'widget', dataset: noRules },
  },
  {
    type: 'table-entities-explorer-by-direction',
    title: t('Connected tables'),
    text: t('Entities of several blueprints, a tab for each.'),
    icon: Waypoints,
    fields: [
      {
        kind: 'list',
        key: 'blueprintConfig',
        label: t('Tables'),
        one: 'table',
        isMap: true,
        begins: { title: '' },
        fields: [
          { kind: 'text', key: 'title', label: t('Title'), most: 20 },
          { ...blueprint, key: 'targetBlueprint' },
          dataset,
          { kind: 'switch', key: 'hidden', label: t('Hidden') },
        ],
      },
    ],
    begins: { blueprintConfig: { $custom_1: { title: '', tabIndex: 0 } } },
  },
  {
    type: 'entities-pie-chart',
    title: t('Pie chart'),
    text: t('Shares of up to four values; more become bars.'),
    icon: ChartPie,
    fields: split,
    begins: { dataset: noRules },
  },
  {
    type: 'bar-chart',
    title: t('Bar chart'),
    text: t('How many entities have each value.'),
    icon: BarChart3,
    fields: split,
    begins: { dataset: noRules },
  },
  {
    type: 'line-chart',
    title: t('Line chart'),
    text: t('How a figure changed over time.'),
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
    title: t('Several lines'),
    text: t('Several figures over the same time, each with its own scale.'),
    icon: LineChart,
    fields: [
      ...lineFields.filter(({ key }) => key === 'timeRange.preset' || key === 'timeInterval'),
      {
        kind: 'list',
        key: 'lines',
        label: t('Lines'),
        one: 'line',
        begins: { chartType: 'countEntities', func: 'count', measureTimeBy: '$createdAt' },
        fields: [
          { kind: 'text', key: 'title', label: t('Title'), most: 100 },
          ...lineFields.filter(({ key }) => key !== 'timeRange.preset' && key !== 'timeInterval'),
        ],
      },
    ],
    begins: { timeInterval: 'day', timeRange: { preset: 'lastMonth' }, lines: [] },
  },
  {
    type: 'markdown',
    title: t('Text'),
    text: t('Markdown of your own, or a text property of an entity.'),
    icon: FileText,
    fields: [
      {
        kind: 'choice',
        key: 'source',
        label: t('Source'),
        isRequired: true,
        choices: [
          ['custom', t('Text entered here')],
          ['property', t('A property of an entity')],
        ],
      },
      { kind: 'markdown', key: 'markdown', label: t('Text'), when: isOwnText },
      { ...blueprint, key: 'blueprintIdentifier', when: isPropertyText },
      { kind: 'entity', key: 'entityIdentifier', label: t('Entity'), isRequired: true, when: isPropertyText },
      {
        kind: 'property',
        key: 'propertyIdentifier',
        label: t('Property'),
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
    title: t('Links'),
    text: t('Links that people need often.'),
    icon: Link2,
    fields: [
      {
        kind: 'list',
        key: 'links',
        label: t('Links'),
        one: 'link',
        begins: { title: '', url: '' },
        fields: [
          { kind: 'text', key: 'title', label: t('Title'), most: 200, isRequired: true },
          { kind: 'text', key: 'url', label: t('Address'), most: 2000, isRequired: true, isAddress: true },
          { kind: 'text', key: 'description', label: t('Description'), most: 500 },
          { kind: 'icon', key: 'icon', label: t('Icon') },
        ],
      },
    ],
    begins: { links: [] },
  },
  {
    type: 'action-card-widget',
    title: t('Actions'),
    text: t('Cards that open self-service actions.'),
    icon: Zap,
    fields: [{ kind: 'actions', key: 'actions', label: t('Actions'), isRequired: true }],
    begins: { actions: [] },
  },
  {
    type: 'workflow-card-widget',
    title: t('Workflows'),
    text: t('Cards that start workflows.'),
    icon: GitBranch,
    fields: [{ kind: 'workflows', key: 'items', label: t('Workflows'), isRequired: true }],
    begins: { items: [] },
  },
  {
    type: 'ai-agent',
    title: 'AI agent',
    text: t('Ask an agent and read its answer here.'),
    icon: Bot,
    fields: [
      { kind: 'agent', key: 'agentIdentifier', label: t('Agent'), isRequired: true },
      {
        kind: 'switch',
        key: 'use_mcp',
        otherSpellings: ['useMCP', 'useMcp'],
        label: t('Use tools over MCP'),
        text: t('Lets the agent look things up in the catalog. The agent never gets more rights than you have.'),
      },
    ],
    begins: { use_mcp: true },
  },
  {
    type: 'entity-info',
    title: t('Entity'),
    text: t('The fields of one entity.'),
    icon: IdCard,
    fields: fieldsOfEntity,
  },
  {
    type: 'iframe-widget',
    title: t('Embedded page'),
    text: t('A page of another website, loaded when a reader clicks Show.'),
    icon: Frame,
    fields: [
      { kind: 'text', key: 'url', label: t('Address'), most: 2000, isRequired: true, isAddress: true },
      {
        kind: 'choice',
        key: 'urlType',
        label: t('Access'),
        isRequired: true,
        choices: [
          ['public', t('Everyone: shown here')],
          ['protected', t('People who sign in there: opens in a tab')],
        ],
      },
      { kind: 'text', key: 'authorizationUrl', label: t('Authorization address'), most: 2000, when: isProtected },
      { kind: 'text', key: 'tokenUrl', label: t('Token address'), most: 2000, when: isProtected },
      { kind: 'text', key: 'clientId', label: t('Client id'), most: 200, when: isProtected },
      { kind: 'texts', key: 'scopes', label: t('Scopes'), when: isProtected },
    ],
    begins: { urlType: 'public' },
  },
  ...recordKinds,
  {
    type: 'grouper',
    title: t('Tabs'),
    text: t('Widgets in tabs.'),
    icon: PanelsTopLeft,
    fields: [
      {
        kind: 'list',
        key: 'groups',
        label: t('Tabs'),
        one: 'tab',
        begins: { title: '', widgets: [] },
        fields: [{ kind: 'text', key: 'title', label: t('Title'), most: 60, isRequired: true }],
      },
    ],
    begins: { displayMode: 'tabs', groups: [{ title: t('First'), widgets: [] }] },
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
  return widgetText(widget, 'title') ?? widgetKind(widget)?.title ?? widgetText(widget, 'type') ?? t('Widget');
}

/** The step of adding widgets, for undo. */
export function addingInWords(widgets: readonly Widget[]): string {
  const [first] = widgets;
  return widgets.length === 1 && first
    ? t('Add {first}', { first: nameOfWidget(first) })
    : t('Add {count} widgets', { count: widgets.length });
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
