import { createContext, useContext } from 'react';

/** A cell: row -1 is the headings. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
  /** Rows that are visible at once. */
  readonly page: number;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Where a key leads in a grid; undefined for other keys. The grid has edges: nothing wraps around. */
export function placeAfter(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { row, column }: Place,
  { rows, columns, page }: Size,
  isRtl = false,
): Place | undefined {
  if (altKey) return undefined;
  const isAll = ctrlKey || metaKey;
  const to = (nextRow: number, nextColumn: number): Place => ({
    row: Math.max(-1, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  });
  if (key === 'Home') return isAll ? to(0, 0) : to(row, 0);
  if (key === 'End') return isAll ? to(rows - 1, columns - 1) : to(row, columns - 1);
  if (isAll) return undefined;
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowRight':
      return to(row, column + (isRtl ? -1 : 1));
    case 'ArrowLeft':
      return to(row, column + (isRtl ? 1 : -1));
    case 'PageDown':
      return to(row + page, column);
    case 'PageUp':
      // stops at the first row before the headings
      return to(row <= 0 ? row - 1 : Math.max(0, row - page), column);
    default:
      return undefined;
  }
}

/** Where an editor in a cell leaves it. */
export type Leaving = 'stay' | 'down' | 'right' | 'left';

/** Returns the focus from an editor to its cell or a neighbor of it; undefined outside a grid. */
export const LeaveCell = createContext<((leaving: Leaving) => void) | undefined>(undefined);

export function useLeaveCell(): ((leaving: Leaving) => void) | undefined {
  return useContext(LeaveCell);
}

export function findNeighbor({ row, column }: Place, leaving: Leaving, { rows, columns }: Omit<Size, 'page'>): Place {
  if (leaving === 'down') return { row: Math.min(rows - 1, row + 1), column };
  if (leaving === 'right') return { row, column: Math.min(columns - 1, column + 1) };
  if (leaving === 'left') return { row, column: Math.max(0, column - 1) };
  return { row, column };
}
