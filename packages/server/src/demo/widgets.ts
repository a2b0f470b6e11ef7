import type { JsonObject, JsonValue, Widget } from './types.ts';

/** One row of a dashboard: its height in pixels and its widgets with their share of twelve columns. */
export type Row = { height: number; cells: [size: number, widget: Widget][] };

export function board(id: string, rows: Row[]): Widget {
  return {
    id,
    type: 'dashboard-widget',
    layout: rows.map(({ height, cells }) => ({
      height,
      columns: cells.map(([size, widget]) => ({ id: widget.id, size })),
    })),
    widgets: rows.flatMap(({ cells }) => cells.map(([, widget]) => widget)),
  };
}

export function widget(id: string, type: string, title: string, more: JsonObject): Widget {
  return { id, type, title, ...more };
}

/** All entities of a blueprint that also satisfy `rules`. */
export function dataset(blueprint: string, ...rules: JsonObject[]): JsonObject {
  return { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: blueprint }, ...rules] };
}

export function rule(property: string, operator: string, value?: JsonValue): JsonObject {
  return value === undefined ? { property, operator } : { property, operator, value };
}

export const myTeams = rule('$team', 'in', ['My Teams']);

export function table(
  id: string,
  title: string,
  blueprint: string,
  rules: JsonObject[],
  more: JsonObject = {},
): Widget {
  const { columns = {}, ...rest } = more;
  return widget(id, 'table-entities-explorer', title, {
    displayMode: 'widget',
    blueprint,
    dataset: dataset(blueprint, ...rules),
    blueprintConfig: { [blueprint]: columns },
    ...rest,
  });
}
