import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';
import { addWidgets, removeWidget } from './board-draft.ts';
import { newWidgetId } from './page-draft.ts';

/** Where new widgets go: the page, one of its boards, or a tab of a group. */
export type Place = 'page' | { readonly board: string } | { readonly grouper: string; readonly tab: number };

type Widgets = readonly Widget[];

/** The widget of an id, wherever it is on the page. */
export function findWidget(widgets: Widgets, id: string): Widget | undefined {
  for (const each of widgets) {
    if (widgetText(each, 'id') === id) return each;
    const inner = [
      ...widgetList(each, 'widgets'),
      ...widgetList(each, 'groups').flatMap((tab) => widgetList(tab, 'widgets')),
    ];
    const found = findWidget(inner, id);
    if (found) return found;
  }
  return undefined;
}

export function replaceIn(widgets: Widgets, id: string, next: Widget): Widgets {
  return widgets.map((each) =>
    widgetText(each, 'id') === id ? next : withInner(each, (inner) => replaceIn(inner, id, next)),
  );
}

export function removeFrom(widgets: Widgets, id: string): Widgets {
  return widgets.flatMap((each) => {
    if (widgetText(each, 'id') === id) return [];
    const isHere = widgetList(each, 'widgets').some((inner) => widgetText(inner, 'id') === id);
    return isHere && isBoard(each) ? [removeWidget(each, id)] : [withInner(each, (inner) => removeFrom(inner, id))];
  });
}

/** A page without a board gets one. */
export function addTo(widgets: Widgets, place: Place, added: Widgets): Widgets {
  if (place === 'page') {
    const last = widgets.findLastIndex(isBoard);
    const board = widgets[last];
    if (board) return widgets.with(last, addWidgets(board, added));
    return [...widgets, addWidgets({ id: newWidgetId(), type: 'dashboard-widget', layout: [], widgets: [] }, added)];
  }
  return widgets.map((each) => {
    const id = widgetText(each, 'id');
    if ('board' in place && place.board === id) return addWidgets(each, added);
    if ('grouper' in place && place.grouper === id) return addToTab(each, place.tab, added);
    return withInner(each, (inner) => addTo(inner, place, added));
  });
}

function addToTab(grouper: Widget, index: number, added: Widgets): Widget {
  const groups = widgetList(grouper, 'groups');
  const tab = groups[index];
  if (!tab) return grouper;
  return { ...grouper, groups: groups.with(index, { ...tab, widgets: [...widgetList(tab, 'widgets'), ...added] }) };
}

function isBoard(widget: Widget): boolean {
  return widgetText(widget, 'type') === 'dashboard-widget';
}

/** The widget with its inner lists changed; one that holds none stays the same object. */
function withInner(widget: Widget, change: (inner: Widgets) => Widgets): Widget {
  if (Array.isArray(widget['widgets'])) return { ...widget, widgets: change(widgetList(widget, 'widgets')) };
  if (!Array.isArray(widget['groups'])) return widget;
  const groups = widgetList(widget, 'groups').map((tab) =>
    Array.isArray(tab['widgets']) ? { ...tab, widgets: change(widgetList(tab, 'widgets')) } : tab,
  );
  return { ...widget, groups };
}
