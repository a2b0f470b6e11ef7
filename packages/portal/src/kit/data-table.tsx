import { Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { CellTip } from './cell-tip.tsx';
import type { Column, Sort } from './column.ts';
import { type ColumnSize, fitColumns, fixedSize, sizeAround } from './column-widths.ts';
import classes from './data-table.module.css';
import { Head, Line, SelectAll } from './data-table-rows.tsx';
import { LeaveCell } from './grid-moves.ts';
import { locale } from './language.ts';
import type { RowSelection } from './row-selection.ts';
import { plural, t } from './translate.ts';
import { useGrid } from './use-grid.ts';
import { useRowWindow } from './use-row-window.ts';

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row, by Enter or by a click outside its links. */
  readonly onOpen?: (row: Row) => void;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort | undefined) => void;
  /** Whether the server has more rows; they are requested as the end of the list approaches. */
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onMore?: () => void;
  /** The count of all matches: exact, or a lower bound. */
  readonly total?: { readonly count: number; readonly isExact: boolean } | undefined;
  /** Says how many there are, in place of the count of rows. */
  readonly countText?: string | undefined;
  /** Makes rows selectable; `nameOf` is how a checkbox calls its row. */
  readonly selection?: RowSelection | undefined;
  readonly nameOf?: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly empty?: ReactNode;
}

const rowHeight = 44;
const headHeightPlain = 44;
const headHeightWithBelow = 60;
const selectWidth = 44;
/** Room for the bar that scrolls sideways. */
const scrollbar = 16;

/**
 * A grid of any length: the server filters, sorts and pages, and only visible rows are rendered. Columns fit the
 * container; the first column and the menu of the row stay in place when the others scroll.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  if (props.rows.length === 0 && props.empty) return <>{props.empty}</>;
  return <Grid {...props} />;
}

function Grid<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, label, hasMore, isLoadingMore, onMore, total, selection, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  const lead = selection ? 1 : 0;
  const hasBelow = columns.some(({ below }) => below !== undefined);
  const headHeight = hasBelow ? headHeightWithBelow : headHeightPlain;
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const showRow = useRef<(row: number) => void>(() => {});
  const { place, leave, select, gridProps } = useGrid({
    grid,
    keys,
    columns: columns.length + lead,
    firstColumn: lead,
    pageSize: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1),
    showRow: (row) => showRow.current(row),
    openRow: onOpen && ((row) => rowsNow.current[row] !== undefined && onOpen(rowsNow.current[row])),
    selection,
  });
  // the row with the focus stays mounted wherever the others are scrolled to
  const {
    shown,
    last,
    width: available,
    showRow: show,
  } = useRowWindow({
    scroller,
    count: rows.length,
    rowHeight,
    headHeight,
    kept: place.row,
  });
  showRow.current = show;
  const widths = useMemo(
    () => fitColumns([...(lead ? [fixedSize(selectWidth)] : []), ...columns.map(sizeOf)], available),
    [columns, available, lead],
  );
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - 15) onMore?.();
  }, [hasMore, isLoadingMore, last, rows.length, onMore]);

  const width = widths.reduce((sum, each) => sum + each, 0);
  const pinnedStart = (lead ? selectWidth : 0) + (widths[lead] ?? 0);
  return (
    <div className={classes.table}>
      <div
        ref={scroller}
        className={classes.scroller}
        // a focused cell must not end up under the fixed columns
        style={{
          height: Math.min(rows.length * rowHeight + headHeight + (width > available ? scrollbar : 0), 20_000),
          maxHeight: 'var(--table-height, 70vh)',
          scrollPaddingInlineStart: pinnedStart + 1,
          scrollPaddingInlineEnd: columns.at(-1)?.isPinnedEnd ? (widths.at(-1) ?? 0) + 1 : 0,
          scrollPaddingBlockStart: headHeight + 1,
        }}
      >
        <LeaveCell value={leave}>
          <div
            ref={grid}
            role="grid"
            aria-label={label}
            aria-rowcount={total?.isExact ? total.count + 1 : hasMore ? -1 : rows.length + 1}
            aria-colcount={columns.length + lead}
            {...(selection ? { 'aria-multiselectable': true } : {})}
            className={classes.inner}
            data-selects={lead === 1 || undefined}
            data-is-scrolled={width > available || undefined}
            style={{ width, '--columns': widths.map((each) => `${each}px`).join(' ') } as React.CSSProperties}
            {...gridProps}
          >
            <div role="rowgroup" className={classes.head} data-has-below={hasBelow || undefined}>
              <div role="row" aria-rowindex={1} data-row={-1} className={classes.row} style={{ height: headHeight }}>
                {selection && (
                  <SelectAll selection={selection} keys={keys} isActive={place.row < 0 && place.column === 0} />
                )}
                {columns.map((column, index) => (
                  <Head
                    key={column.key}
                    column={column}
                    index={index + lead}
                    isActive={place.row < 0 && place.column === index + lead}
                    sort={props.sort}
                    onSort={props.onSort}
                  />
                ))}
              </div>
            </div>
            <div role="rowgroup" style={{ height: rows.length * rowHeight, position: 'relative' }}>
              {shown.map((index) => {
                const row = rows[index];
                const key = keys[index];
                if (row === undefined || key === undefined) return null;
                return (
                  <Line
                    key={key}
                    row={row}
                    columns={columns}
                    index={index}
                    start={index * rowHeight}
                    height={rowHeight}
                    activeColumn={place.row === index ? place.column : undefined}
                    isSelected={selection?.selected.has(key)}
                    onSelect={select}
                    nameOf={props.nameOf}
                    onOpen={onOpen}
                  />
                );
              })}
            </div>
          </div>
        </LeaveCell>
        <CellTip grid={grid} />
      </div>
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" role="status">
          {props.countText ?? countText(rows.length, total, hasMore ?? false)}
        </Text>
        {hasMore && (
          <Button size="compact-sm" variant="subtle" onClick={onMore} loading={isLoadingMore ?? false}>
            {t('Load more')}
          </Button>
        )}
      </div>
    </div>
  );
}

const sizeDefault = sizeAround(200);

function sizeOf<Row>({ width }: Column<Row>): ColumnSize {
  if (width === undefined) return sizeDefault;
  return typeof width === 'number' ? sizeAround(width) : width;
}

const number = new Intl.NumberFormat(locale);

function countText(loaded: number, total: DataTableProps<unknown>['total'], hasMore: boolean): string {
  if (!total) return `${hasMore ? '≥ ' : ''}${rowsText(loaded)}`;
  if (loaded >= total.count && total.isExact) return rowsText(total.count);
  const all = `${total.isExact ? '' : '≥ '}${number.format(total.count)}`;
  return t('{loaded} of {all} rows', { loaded: number.format(loaded), all });
}

function rowsText(count: number): string {
  return plural(count, '{count} row', '{count} rows');
}
