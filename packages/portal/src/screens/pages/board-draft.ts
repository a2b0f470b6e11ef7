import { type Widget, widgetList, widgetText } from '../../parts/widgets/widget-shape.ts';

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

export const rowWidth = 12;
const usualHeight = 400;

/** The rows of a board; a widget without a place gets its own row at the end, as the dashboard shows it. */
export function boardRows(board: Widget): readonly Row[] {
  const ids = new Set(widgetList(board, 'widgets').flatMap((each) => widgetText(each, 'id') ?? []));
  const rows = widgetList(board, 'layout').map((row) => ({
    kept: row,
    cells: widgetList(row, 'columns').flatMap((column): Cell[] => {
      const id = widgetText(column, 'id');
      if (id === undefined || !ids.delete(id)) return [];
      return [{ id, size: Math.min(rowWidth, Math.max(1, Number(column['size']) || rowWidth)) }];
    }),
  }));
  return [...rows.filter(({ cells }) => cells.length > 0), ...[...ids].map((id) => rowAlone(id))];
}

function rowAlone(id: string): Row {
  return { kept: { height: usualHeight }, cells: [{ id, size: rowWidth }] };
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

export function addWidget(board: Widget, widget: Widget): Widget {
  const id = widgetText(widget, 'id') ?? '';
  const rows = [...boardRows(board), rowAlone(id)];
  return withRows({ ...board, widgets: [...widgetList(board, 'widgets'), widget] }, rows);
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
  // a move within a row keeps all widths
  const cells = isSameRow
    ? (before?.cells ?? []).filter((cell) => cell.id !== id).toSpliced(index, 0, { id, size })
    : shared(row.cells.toSpliced(index, 0, { id, size }));
  return withRows(board, rows.with(at, { ...row, cells }));
}

/** The row of a widget that fills it alone, with the row's unknown keys; otherwise a new row. */
function keptRow(rows: readonly Row[], id: string): Row {
  const row = rows.find(({ cells }) => cells.length === 1 && cells[0]?.id === id);
  return row ? { ...row, cells: [{ id, size: rowWidth }] } : rowAlone(id);
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Moves a widget by one step: left and right within the row; up and down into a row of its own, or past the next row if
 * it already has one.
 * Returns the same board if it cannot move.
 */
export function stepWidget(board: Widget, id: string, direction: Direction): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  if (!row) return board;
  if (direction === 'left' || direction === 'right') {
    const index = row.cells.findIndex((cell) => cell.id === id);
    const other = row.cells[index + (direction === 'left' ? -1 : 1)];
    return other ? placeBeside(board, id, other.id, direction === 'left' ? 'before' : 'after') : board;
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

/** Moves the border after a widget by some columns; both sides keep at least one. */
export function moveBorder(board: Widget, id: string, columns: number): Widget {
  const rows = boardRows(board);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.id === id));
  const row = rows[at];
  const index = row?.cells.findIndex((cell) => cell.id === id) ?? -1;
  const [left, right] = [row?.cells[index], row?.cells[index + 1]];
  if (!row || !left || !right) return board;
  const by = Math.max(1 - left.size, Math.min(right.size - 1, Math.round(columns)));
  if (by === 0) return board;
  const cells = row.cells
    .with(index, { ...left, size: left.size + by })
    .with(index + 1, { ...right, size: right.size - by });
  return withRows(board, rows.with(at, { ...row, cells }));
}
