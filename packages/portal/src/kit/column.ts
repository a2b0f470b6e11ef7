import type { ReactNode } from 'react';
import type { ColumnSize } from './column-widths.ts';

/** A column: `cell` renders the cell of a row, `sortBy` is the property that the server sorts by. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sortBy?: string;
  /** Stands under the title, such as a chart of the values; the heading has its room from the start. */
  readonly below?: ReactNode;
  /** The width that fits, or how narrow and how wide it may get. */
  readonly width?: number | ColumnSize;
  /** Numbers align at their end, to be compared. */
  readonly align?: 'end';
  /** Stays at the end when the others scroll; its title is for screen readers only. */
  readonly isPinnedEnd?: boolean;
}

export interface Sort {
  readonly property: string;
  readonly order: 'asc' | 'desc';
}
