import type { Issue } from '@portolan/contract/errors';
import type { Widget } from '@portolan/contract/pages';
import { allWidgets, innerWidgets } from './page.ts';

/** Required keys by widget type (catalog semantics §7.3). */
const needed: Readonly<Record<string, readonly string[]>> = {
  'ai-agent': ['agentIdentifier'],
  'action-card-widget': ['actions'],
  'action-runs-table-widget': ['action'],
  'bar-chart': ['property', 'dataset'],
  'entities-number-chart': ['unit'],
  'entities-pie-chart': ['property', 'dataset'],
  'graph-entities-explorer': ['dataset'],
  grouper: ['groups'],
  'iframe-widget': ['title', 'url', 'urlType'],
  'line-chart': ['chartType'],
  'links-widget': ['links'],
  'run-info': ['runId'],
  'table-audit-log': ['query'],
  'table-entities-explorer': ['dataset'],
  'team-info': ['team_name'],
  'user-info': ['user_email'],
  'workflow-card-widget': ['items'],
};

/** Types without required keys. */
const others = new Set([
  'dashboard-widget',
  'entity-details',
  'entity-info',
  'markdown',
  'multi-line-chart',
  'my-entities',
  'recently-used-actions',
  'recently-viewed-entities',
  'runs-table',
  'table-entities-explorer-by-direction',
  'teams-table',
  'users-table',
  'workflow-runs-history-table',
]);

/** Refuses pages that cannot be drawn: duplicate ids, or places for missing widgets. */
export function checkWidgets(widgets: readonly Widget[]): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  walk(widgets, '/widgets', (widget, path) => {
    if (typeof widget.type !== 'string' || widget.type === '') {
      issues.push({ path: `${path}/type`, message: 'is required' });
    }
    const { id } = widget;
    if (typeof id === 'string') {
      if (seen.has(id)) issues.push({ path: `${path}/id`, message: `"${id}" is the id of another widget of the page` });
      seen.add(id);
    }
    issues.push(...checkLayout(widget, path));
  });
  return issues;
}

function walk(widgets: readonly Widget[], path: string, visit: (widget: Widget, path: string) => void): void {
  for (const [index, widget] of widgets.entries()) {
    visit(widget, `${path}/${index}`);
    if (Array.isArray(widget['widgets'])) walk(widget['widgets'], `${path}/${index}/widgets`, visit);
    const groups = Array.isArray(widget['groups']) ? widget['groups'] : [];
    for (const [at, group] of groups.entries()) {
      if (Array.isArray(group?.widgets)) walk(group.widgets, `${path}/${index}/groups/${at}/widgets`, visit);
    }
  }
}

interface Column {
  readonly id?: unknown;
  readonly size?: unknown;
}

/** With the path to each. */
function listColumns(widget: Widget, path: string): { readonly column: Column; readonly path: string }[] {
  const rows = Array.isArray(widget['layout']) ? widget['layout'] : [];
  return rows.flatMap((row, at) => {
    const columns = Array.isArray(row?.columns) ? row.columns : [];
    return columns.map((column: Column, index: number) => ({ column, path: `${path}/layout/${at}/columns/${index}` }));
  });
}

function checkLayout(widget: Widget, path: string): Issue[] {
  const inside = new Set(innerWidgets(widget).map(({ id }) => id));
  return listColumns(widget, path).flatMap(({ column, path: at }) =>
    typeof column?.id === 'string' && inside.has(column.id)
      ? []
      : [{ path: `${at}/id`, message: `"${String(column?.id)}" is no widget of this dashboard` }],
  );
}

/**
 * Problems a page is saved with: an unknown type, a missing key that leaves a widget empty, a row that is not twelve
 * wide.
 */
export function warnOfWidgets(widgets: readonly Widget[]): string[] {
  return [...allWidgets(widgets)].flatMap((widget) => {
    const name = widget.id ? `The widget "${widget.id}"` : `A widget of type "${widget.type}"`;
    const keys = needed[widget.type];
    if (!keys && !others.has(widget.type)) return [`${name} has a type that is not known: "${widget.type}"`];
    const missing = (keys ?? []).filter((key) => widget[key] === undefined || widget[key] === null);
    const rows = Array.isArray(widget['layout']) ? widget['layout'] : [];
    const odd = rows.filter((row) => Array.isArray(row?.columns) && totalWidth(row.columns) !== 12);
    return [
      ...missing.map((key) => `${name} has no "${key}" and stays empty`),
      ...(odd.length > 0 ? [`${name} has a row that is not 12 wide`] : []),
    ];
  });
}

function totalWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { size }) => sum + (typeof size === 'number' ? size : 0), 0);
}
