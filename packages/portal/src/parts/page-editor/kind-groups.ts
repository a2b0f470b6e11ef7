import type { WidgetKind } from './form-fields.ts';

/** The groups of the gallery, in its order. */
export const kindGroups = ['Numbers', 'Charts', 'Tables', 'Content', 'Platform'] as const;

const groupByType: Readonly<Record<string, (typeof kindGroups)[number]>> = {
  'entities-number-chart': 'Numbers',
  'entities-pie-chart': 'Charts',
  'bar-chart': 'Charts',
  'line-chart': 'Charts',
  'multi-line-chart': 'Charts',
  'table-entities-explorer': 'Tables',
  'table-entities-explorer-by-direction': 'Tables',
  'my-entities': 'Tables',
  markdown: 'Content',
  'links-widget': 'Content',
  'entity-info': 'Content',
  'iframe-widget': 'Content',
  grouper: 'Content',
};

export function groupOfKind({ type }: WidgetKind): (typeof kindGroups)[number] {
  return groupByType[type] ?? 'Platform';
}
