import { type Widget, type WidgetContext, widgetList, widgetText } from './widget-shape.ts';
import { WidgetView } from './widget-view.tsx';
import classes from './widgets.module.css';

/** Rows of widgets in the page's layout; widgets without a place come last. */
export function Board({ widget, context }: { widget: Widget; context: WidgetContext }) {
  if (widgetText(widget, 'type') !== 'dashboard-widget') return <WidgetView widget={widget} context={context} />;
  const widgets = widgetList(widget, 'widgets');
  const byId = new Map(widgets.map((each) => [widgetText(each, 'id'), each]));
  const placed = new Set<Widget>();
  const rows = widgetList(widget, 'layout').map((row) =>
    widgetList(row, 'columns').flatMap((column) => {
      const each = byId.get(widgetText(column, 'id'));
      if (!each) return [];
      placed.add(each);
      const size = Math.min(12, Math.max(1, Number(column['size']) || 12));
      return [{ widget: each, size }];
    }),
  );
  const others = widgets.filter((each) => !placed.has(each)).map((each) => [{ widget: each, size: 12 }]);
  return (
    <div className={classes.rows}>
      {[...rows, ...others].map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
        <div key={index} className={classes.row}>
          {row.map(({ widget: each, size }, at) => (
            <div key={widgetText(each, 'id') ?? at} className={classes.cell} data-size={size}>
              <WidgetView widget={each} context={context} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
