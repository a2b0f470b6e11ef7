import { t } from '../../kit/translate.ts';
import type { WidgetKind } from './form-fields.ts';

/** The groups of the gallery, in its order. */
export const kindGroups = {
  numbers: t('Numbers'),
  charts: t('Charts'),
  tables: t('Tables'),
  content: t('Content'),
  platform: t('Platform'),
} as const;

const groupByType: Readonly<Record<string, keyof typeof kindGroups>> = {
  'entities-number-chart': 'numbers',
  'entities-pie-chart': 'charts',
  'bar-chart': 'charts',
  'line-chart': 'charts',
  'multi-line-chart': 'charts',
  'table-entities-explorer': 'tables',
  'table-entities-explorer-by-direction': 'tables',
  'my-entities': 'tables',
  markdown: 'content',
  'links-widget': 'content',
  'entity-info': 'content',
  'iframe-widget': 'content',
  grouper: 'content',
};

export function groupOfKind({ type }: WidgetKind): keyof typeof kindGroups {
  return groupByType[type] ?? 'platform';
}
