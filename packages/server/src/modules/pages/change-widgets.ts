import type { Widget } from '@portolan/contract/pages';

/** Changes one widget, or removes it if `change` returns undefined. Returns the same array if no widget has the id. */
export function mapWidget(
  widgets: readonly Widget[],
  id: string,
  change: (widget: Widget) => Widget | undefined,
): readonly Widget[] {
  const mapped = widgets.flatMap((widget) => {
    if (widget.id === id) return change(widget) ?? [];
    return mapInside(widget, id, change);
  });
  const isSame = mapped.length === widgets.length && mapped.every((widget, index) => widget === widgets[index]);
  return isSame ? widgets : mapped;
}

function mapInside(widget: Widget, id: string, change: (widget: Widget) => Widget | undefined): Widget {
  const inner = mapList(widget['widgets'], id, change);
  const groups = widget['groups'];
  const mappedGroups =
    Array.isArray(groups) &&
    groups.map((group) => {
      const list = mapList(group?.widgets, id, change);
      return list ? { ...group, widgets: list } : group;
    });
  const isGrouped = mappedGroups !== false && mappedGroups.some((group, index) => group !== groups[index]);
  if (!inner && !isGrouped) return widget;
  return {
    ...widget,
    ...(inner ? { widgets: inner, ...closeUp(widget['layout'], new Set(inner.map((each) => each.id))) } : {}),
    ...(isGrouped ? { groups: mappedGroups } : {}),
  };
}

function mapList(value: unknown, id: string, change: (widget: Widget) => Widget | undefined): Widget[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const mapped = mapWidget(value, id, change);
  return mapped === value ? undefined : [...mapped];
}

interface Row {
  readonly columns?: readonly { readonly id?: unknown; readonly size?: unknown }[];
}

const rowWidth = 12;

/** Drops columns of removed widgets, shares their width among the rest, and drops empty rows. */
function closeUp(layout: unknown, present: ReadonlySet<unknown>): { layout?: unknown } {
  if (!Array.isArray(layout)) return {};
  const rows = (layout as Row[]).flatMap((row) => {
    const columns = row.columns ?? [];
    const left = columns.filter(({ id }) => present.has(id));
    if (left.length === columns.length) return row;
    if (left.length === 0) return [];
    const size = Math.floor(rowWidth / left.length);
    return { ...row, columns: left.map((column) => ({ ...column, size })) };
  });
  return { layout: rows };
}

/** Adds the widget in a new row of the first dashboard, or at the end. */
export function appendWidget(widgets: readonly Widget[], added: Widget & { readonly id: string }): readonly Widget[] {
  const at = widgets.findIndex(({ type }) => type === 'dashboard-widget');
  const dashboard = widgets[at];
  if (!dashboard) return [...widgets, added];
  const inner = Array.isArray(dashboard['widgets']) ? dashboard['widgets'] : [];
  const layout = Array.isArray(dashboard['layout']) ? dashboard['layout'] : [];
  const row = { height: 400, columns: [{ id: added.id, size: rowWidth }] };
  return widgets.with(at, { ...dashboard, widgets: [...inner, added], layout: [...layout, row] });
}
