import { cellStyle, placedRows, rowStyle, usualSize } from './board-layout.ts';
import { type Widget, type WidgetContext, widgetText } from './widget-shape.ts';
import { WidgetView } from './widget-view.tsx';
import classes from './widgets.module.css';

/** Rows of widgets in the page's layout; widgets without a place come last. All cells of a row end at the same line. */
export function Board({ widget, context }: { widget: Widget; context: WidgetContext }) {
  if (widgetText(widget, 'type') !== 'dashboard-widget') return <WidgetView widget={widget} context={context} />;
  return (
    <div className={classes.rows}>
      {placedRows(widget).map(({ height, cells }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
          key={index}
          className={classes.row}
          data-height={height === 'auto' ? 'auto' : 'fixed'}
          style={rowStyle(height)}
        >
          {cells.map((cell, at) => (
            <div
              key={widgetText(cell.widget, 'id') ?? at}
              className={classes.cell}
              data-content={usualSize(cell.widget).height === 'auto' ? 'text' : undefined}
              style={cellStyle(cell)}
            >
              <WidgetView widget={cell.widget} context={context} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
