import { t } from '../../kit/translate.ts';
import { cellSize, rowHeight, rowHeights, rowWidth, usualSize } from '../widgets/board-layout.ts';
import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';

/** A widget's place in a row of the board. */
export interface Cell {
  readonly id: string;
  /** Width in columns, of twelve. */
  readonly size: number;
}

export interface Row {
  /** The stored row, including keys unknown to the editor. */
  readonly kept: Widget;
  readonly cells: readonly Cell[];
}

/** The rows of a board; a widget without a place gets its own row at the end, as the dashboard shows it. */
export function boardRows(board: Widget): readonly Row[] {
  const ids = new Set(widgetList(board, 'widgets').flatMap((each) => widgetText(each, 'id') ?? []));
  const rows = widgetList(board, 'layout').map((row) => ({
    kept: row,
    cells: widgetList(row, 'columns').flatMap((column): Cell[] => {
      const id = widgetText(column, 'id');
      if (id === undefined || !ids.delete(id)) return [];
      return [{ id, size: cellSize(column) }];
    }),
  }));
  return [...rows.filter(({ cells }) => cells.length > 0), ...[...ids].map((id) => rowAlone(id))];
}

/** Without a stored height a row is as high as its widgets usually are. */
function rowAlone(id: string, size: number = rowWidth): Row {
  return { kept: {}, cells: [{ id, size }] };
}

/** The board with these rows; widgets in none of them are removed. */
function withRows(board: Widget, rows: readonly Row[]): Widget {
  const placed = new Set(rows.flatMap(({ cells }) => cells.map(({ id }) => id)));
  return {
    ...board,
    layout: rows
      .filter(({ cells }) => cells.length > 0)
      .map(({ kept, cells }) => ({ ...kept, columns: cells.map(({ id, size }) => ({ id, size })) })),
    widgets: widgetList(board, 'widgets').filter((each) => placed.has(widgetText(each, 'id') ?? '')),
  };
}

/** Adds a widget in its usual size: to the last row if that has room, otherwise in a row of its own. */
export function addWidget(board: Widget, widget: Widget): Widget {
  const id = widgetText(widget, 'id') ?? '';
  const { size } = usualSize(widget);
  const rows = boardRows(board);
  const last = rows.at(-1);
  const added =
    last && freeColumns(last) >= size
      ? rows.with(-1, heightened({ ...last, cells: [...last.cells, { id, size }] }, widget))
      : [...rows, rowAlone(id, size)];
  return withRows({ ...board, widgets: [...widgetList(board, 'widgets'), widget] }, added);
}

export function addWidgets(board: Widget, widgets: readonly Widget[]): Widget {
  return widgets.reduce<Widget>(addWidget, board);
}

function freeColumns({ cells }: Row): number {
  return Math.max(0, rowWidth - cells.reduce((sum, { size }) => sum + size, 0));
}

/** A row whose stored height would be too small for a widget that joins it becomes as high as that needs. */
function heightened(row: Row, widget: Widget): Row {
  const { height } = usualSize(widget);
  const stored = Number(row.kept['height']);
  return height !== 'auto' && stored > 0 && stored < height ? { ...row, kept: { ...row.kept, height } } : row;
}

/** The rest of the row shares the freed width. */
export function removeWidget(board: Widget, id: string): Widget {
  return withRows(board, without(boardRows(board), id));
}

export function replaceWidget(board: Widget, id: string, next: Widget): Widget {
  return {
    ...board,
    widgets: widgetList(board, 'widgets').map((each) => (widgetText(each, 'id') === id ? next : each)),
  };
}

function without(rows: readonly Row[], id: string): readonly Row[] {
  return rows.flatMap((row) => {
    const cells = row.cells.filter((cell) => cell.id !== id);
    if (cells.length === row.cells.length) return [row];
    return cells.length === 0 ? [] : [{ ...row, cells: shared(cells) }];
  });
}

/** Splits twelve columns evenly; the first cells get the remainder. */
function shared(cells: readonly { readonly id: string }[]): readonly Cell[] {
  const each = Math.floor(rowWidth / cells.length);
  const rest = rowWidth - each * cells.length;
  return cells.map(({ id }, index) => ({ id, size: each + (index < rest ? 1 : 0) }));
}

/** Where to drop a widget: beside another, or in a new row above or below it. */
export type Side = 'before' | 'after' | 'above' | 'below';

/** Moves a widget beside another; returns the same board if there is no room or no change. */
export function placeBeside(board: Widget, id: string, other: string, side: Side): Widget {
  const all = boardRows(board);
  if (id === other) return board;
  const rows = without(all, id);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === other));
  const row = rows[at];
  if (!row) return board;
  if (side === 'above' || side === 'below') {
    const moved = rows.toSpliced(side === 'above' ? at : at + 1, 0, keptRow(all, id));
    return withRows(board, moved);
  }
  if (row.cells.length >= rowWidth) return board;
  const index = row.cells.findIndex((cell) => cell.id === other) + (side === 'after' ? 1 : 0);
  const before = all.find(({ cells }) => cells.some((cell) => cell.id === id));
  const isSameRow = before?.cells.some((cell) => cell.id === other) ?? false;
  const size = before?.cells.find((cell) => cell.id === id)?.size ?? rowWidth;
  // a move within a row keeps all widths, and so does one into a row that has room
  const joined = (isSameRow ? (before?.cells ?? []) : row.cells)
    .filter((cell) => cell.id !== id)
    .toSpliced(index, 0, { id, size });
  const cells = isSameRow || size <= freeColumns(row) ? joined : shared(joined);
  return withRows(board, rows.with(at, { ...row, cells }));
}

/** The row of a widget that fills it alone, with the row's unknown keys; otherwise a new row. */
function keptRow(rows: readonly Row[], id: string): Row {
  const row = rows.find(({ cells }) => cells.length === 1 && cells[0]?.id === id);
  return row ?? rowAlone(id);
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Moves a widget by one step: left and right within the row and on to the row before and after; up and down into a row
 * of its own, or past the next row if it already has one.
 * Returns the same board if it cannot move.
 */
export function stepWidget(board: Widget, id: string, direction: Direction): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  if (!row) return board;
  if (direction === 'left' || direction === 'right') {
    const index = row.cells.findIndex((cell) => cell.id === id);
    const isLeft = direction === 'left';
    const other = row.cells[index + (isLeft ? -1 : 1)];
    if (other) return placeBeside(board, id, other.id, isLeft ? 'before' : 'after');
    const end = isLeft ? rows[at - 1]?.cells.at(-1) : rows[at + 1]?.cells[0];
    return end ? placeBeside(board, id, end.id, isLeft ? 'after' : 'before') : board;
  }
  const isUp = direction === 'up';
  if (row.cells.length > 1) {
    const other = row.cells.find((cell) => cell.id !== id);
    return other ? placeBeside(board, id, other.id, isUp ? 'above' : 'below') : board;
  }
  const neighbour = rows[at + (isUp ? -1 : 1)]?.cells[0];
  return neighbour ? placeBeside(board, id, neighbour.id, isUp ? 'above' : 'below') : board;
}

/** Moves a widget to the end of the row above. */
export function joinAbove(board: Widget, id: string): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const last = rows[at - 1]?.cells.at(-1);
  return last ? placeBeside(board, id, last.id, 'after') : board;
}

/**
 * Moves the border after a widget by some columns: what stands after it moves into the free end of the row first, and
 * then gets narrower. Both sides keep at least one column.
 */
export function moveBorder(board: Widget, id: string, columns: number): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  const index = row?.cells.findIndex((cell) => cell.id === id) ?? -1;
  const [left, right] = [row?.cells[index], row?.cells[index + 1]];
  if (!row || !left || !right) return board;
  const free = freeColumns(row);
  const by = Math.max(1 - left.size, Math.min(free + right.size - 1, Math.round(columns)));
  if (by === 0) return board;
  const taken = by > 0 ? Math.max(0, by - free) : by;
  const cells = row.cells
    .with(index, { ...left, size: left.size + by })
    .with(index + 1, { ...right, size: right.size - taken });
  return withRows(board, rows.with(at, { ...row, cells }));
}

/** The most columns that a widget can have where it is. */
export function widthMax({ cells, ...row }: Row, index: number): number {
  const size = cells[index]?.size ?? 0;
  const next = cells[index + 1];
  return size + freeColumns({ cells, ...row }) + (next ? next.size - 1 : 0);
}

/** Moves the right edge of a widget: the border to the next one, or into the free end of the row. */
export function moveEdge(board: Widget, id: string, columns: number): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  const cell = row?.cells.at(-1);
  if (!row || cell?.id !== id) return moveBorder(board, id, columns);
  const size = Math.max(1, Math.min(cell.size + freeColumns(row), cell.size + Math.round(columns)));
  return size === cell.size
    ? board
    : withRows(board, rows.with(at, { ...row, cells: row.cells.with(-1, { id, size }) }));
}

/** Widens or narrows a widget by keys: at its right edge, or at its left one if there is no room at the right. */
export function resizeWidget(board: Widget, id: string, columns: number): Widget {
  const resized = moveEdge(board, id, columns);
  if (resized !== board || columns < 0) return resized;
  const row = boardRows(board).find(({ cells }) => cells.some((cell) => cell.id === id));
  const before = row?.cells[row.cells.findIndex((cell) => cell.id === id) - 1];
  return before ? moveBorder(board, before.id, -columns) : board;
}

/** The height of the row that holds a widget, as it is drawn. */
export function drawnHeight(board: Widget, row: Row): number | 'auto' {
  const ids = new Set(row.cells.map(({ id }) => id));
  return rowHeight(
    row.kept,
    widgetList(board, 'widgets').filter((each) => ids.has(widgetText(each, 'id') ?? '')),
  );
}

/** Makes the row of a widget higher or lower. */
export function resizeRow(board: Widget, id: string, pixels: number): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  if (!row) return board;
  const before = drawnHeight(board, row);
  const { least, most, step } = rowHeights;
  const snap = pixels > 0 ? Math.floor : Math.ceil;
  const wanted = snap(((before === 'auto' ? 240 : before) + pixels) / step) * step;
  const height = Math.min(most, Math.max(least, wanted));
  return height === before ? board : withRows(board, rows.with(at, { ...row, kept: { ...row.kept, height } }));
}

/** Where a widget is and how large, in words. */
export function placeInWords(board: Widget, id: string): string {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  const index = row?.cells.findIndex((cell) => cell.id === id) ?? -1;
  if (!row || index < 0) return '';
  const height = drawnHeight(board, row);
  return [
    t('row {value} of {count}', { value: at + 1, count: rows.length }),
    t('place {value} of {count}', { value: index + 1, count: row.cells.length }),
    t('{size} of {rowWidth} columns', { size: row.cells[index]?.size, rowWidth }),
    height === 'auto' ? t('as high as its text') : t('{height} pixels high', { height }),
  ].join(', ');
}
