import { type Widget, widgetList, widgetText } from './widget-shape.ts';

/** Columns of a board. */
export const rowWidth = 12;

/** What a row may be high, in pixels; what is stored beyond is drawn at the limit. */
export const rowHeights = { least: 96, most: 960, step: 24 } as const;

/** How a type of widget begins: columns of twelve, and pixels; `auto` is as high as its content. */
export interface UsualSize {
  readonly size: number;
  readonly height: number | 'auto';
}

const figure: UsualSize = { size: 3, height: 120 };
const chart: UsualSize = { size: 4, height: 320 };
const table: UsualSize = { size: 12, height: 440 };
const text: UsualSize = { size: 4, height: 'auto' };

const usual: Readonly<Record<string, UsualSize>> = {
  'entities-number-chart': figure,
  'entities-pie-chart': chart,
  'bar-chart': chart,
  'line-chart': { ...chart, size: 6 },
  'multi-line-chart': { ...chart, size: 6 },
  markdown: text,
  'links-widget': text,
  'action-card-widget': { ...text, size: 6 },
  'workflow-card-widget': { ...text, size: 6 },
  'my-entities': chart,
  'recently-viewed-entities': chart,
  'recently-used-actions': chart,
  'ai-agent': { ...table, size: 6 },
  'entity-info': { ...table, size: 6 },
  'entity-details': { ...table, size: 6 },
  'iframe-widget': { ...table, size: 6 },
};

/** The size that a widget begins with. */
export function usualSize(widget: Widget): UsualSize {
  const type = widgetText(widget, 'type') ?? '';
  return (Object.hasOwn(usual, type) && usual[type]) || table;
}

/** The one height of a row: as stored, within the limits, or what its widgets usually need. */
export function rowHeight(row: Widget, widgets: readonly Widget[]): number | 'auto' {
  const stored = Number(row['height']);
  if (Number.isFinite(stored) && stored > 0) return Math.min(rowHeights.most, Math.max(rowHeights.least, stored));
  const heights = widgets.map((each) => usualSize(each).height).filter((each) => each !== 'auto');
  return heights.length === 0 ? 'auto' : Math.max(...heights);
}

/**
 * The columns of a row's cells on a screen of medium width: twice as many, in as many lines as that takes. The last
 * cell of each line takes what is left of it.
 */
export function doubledSizes(sizes: readonly number[]): readonly number[] {
  const doubled: number[] = [];
  let free: number = rowWidth;
  for (const size of sizes) {
    const wanted = Math.min(rowWidth, size * 2);
    if (wanted > free) {
      const last = doubled.length - 1;
      doubled[last] = (doubled[last] ?? 0) + free;
      free = rowWidth;
    }
    doubled.push(wanted);
    free -= wanted;
  }
  const isFull = sizes.reduce((sum, size) => sum + size, 0) >= rowWidth;
  if (isFull && doubled.length > 0) doubled[doubled.length - 1] = (doubled.at(-1) ?? 0) + free;
  return doubled;
}

export interface PlacedCell {
  readonly widget: Widget;
  readonly size: number;
  readonly doubled: number;
}

export interface PlacedRow {
  readonly height: number | 'auto';
  readonly cells: readonly PlacedCell[];
}

/** The rows of a board as they are drawn. A widget without a place has a row of its own at the end. */
export function placedRows(board: Widget): readonly PlacedRow[] {
  const left = new Map(widgetList(board, 'widgets').map((each, index) => [widgetText(each, 'id') ?? index, each]));
  const rows = widgetList(board, 'layout').flatMap((row) => {
    const cells = widgetList(row, 'columns').flatMap((column) => {
      const id = widgetText(column, 'id') ?? '';
      const widget = left.get(id);
      if (!widget) return [];
      left.delete(id);
      return [{ widget, size: cellSize(column) }];
    });
    return cells.length > 0 ? [placed(row, cells)] : [];
  });
  return [...rows, ...[...left.values()].map((widget) => placed({}, [{ widget, size: rowWidth }]))];
}

/** The stored columns of a cell, one to twelve. */
export function cellSize(column: Widget): number {
  return Math.min(rowWidth, Math.max(1, Math.round(Number(column['size'])) || rowWidth));
}

function placed(row: Widget, cells: readonly { readonly widget: Widget; readonly size: number }[]): PlacedRow {
  const doubled = doubledSizes(cells.map(({ size }) => size));
  return {
    height: rowHeight(
      row,
      cells.map(({ widget }) => widget),
    ),
    cells: cells.map((cell, index) => ({ ...cell, doubled: doubled[index] ?? rowWidth })),
  };
}

/** Styles of a row and its cells: the style sheet reads these variables. */
export function rowStyle(height: number | 'auto'): Readonly<Record<`--${string}`, string>> {
  return height === 'auto' ? {} : { '--row-height': `${height}px` };
}

export function cellStyle({ size, doubled }: Pick<PlacedCell, 'size' | 'doubled'>) {
  return { '--size': String(size), '--doubled': String(doubled) } as Readonly<Record<`--${string}`, string>>;
}
