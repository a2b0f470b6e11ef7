import { Button, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import classes from './data-table.module.css';

/** A column: `cell` renders the cell of a row, `sortBy` is the property that the server sorts by. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sortBy?: string;
  readonly width?: number;
}

export interface Sort {
  readonly property: string;
  readonly order: 'asc' | 'desc';
}

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
  /** Shown if there are no rows. */
  readonly empty?: ReactNode;
}

const rowHeight = 44;
const widthDefault = 200;

/**
 * A table of any length: the server filters, sorts and pages, and only visible rows are rendered. The first column
 * stays in place when the others scroll.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, label, hasMore, isLoadingMore, onMore, total } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - 15) onMore?.();
  }, [hasMore, isLoadingMore, last, rows.length, onMore]);
  if (rows.length === 0 && props.empty) return <>{props.empty}</>;

  const template = columns.map(({ width = widthDefault }) => `minmax(${width}px, ${width / 100}fr)`).join(' ');
  const height = Math.min(rows.length * rowHeight + 48, 20_000);
  return (
    <div className={classes.table}>
      <div
        ref={scroller}
        className={classes.scroller}
        // a focused cell must not end up under the fixed first column
        style={{ height, maxHeight: '70vh', scrollPaddingInlineStart: (columns[0]?.width ?? widthDefault) + 1 }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <div
          role="table"
          aria-label={label}
          aria-rowcount={total?.isExact ? total.count + 1 : hasMore ? -1 : rows.length + 1}
          aria-colcount={columns.length}
          className={classes.inner}
        >
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
              {columns.map((column) => (
                <Head key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </div>
          </div>
          <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {items.map(({ index, start }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <Line
                  key={keyOf(row)}
                  row={row}
                  columns={columns}
                  index={index}
                  start={start}
                  template={template}
                  onOpen={props.onOpen}
                />
              );
            })}
          </div>
        </div>
      </div>
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" role="status">
          {countText(rows.length, total, hasMore ?? false)}
        </Text>
        {hasMore && (
          <Button size="compact-sm" variant="subtle" onClick={onMore} loading={isLoadingMore ?? false}>
            Load more
          </Button>
        )}
      </div>
    </div>
  );
}

interface LineProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly start: number;
  readonly template: string;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function LineDrawn<Row>({ row, columns, index, start, template, onOpen }: LineProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-opens={onOpen !== undefined || undefined}
      style={{
        gridTemplateColumns: template,
        position: 'absolute',
        insetInline: 0,
        height: rowHeight,
        transform: `translateY(${start}px)`,
      }}
      onClick={(event) => {
        if (!(event.target as Element).closest('a, button, input, label')) onOpen?.(row);
      }}
    >
      {columns.map((column, place) => (
        <div key={column.key} role={place === 0 ? 'rowheader' : 'cell'} className={classes.cell}>
          <div className={classes.value}>{column.cell(row)}</div>
        </div>
      ))}
    </div>
  );
}

/** Memoized: scrolling renders only the rows that come into view. */
const Line = memo(LineDrawn) as typeof LineDrawn;

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort | undefined) => void) | undefined;
}) {
  const { sortBy, title } = column;
  const order = sortBy !== undefined && sort?.property === sortBy ? sort.order : undefined;
  if (sortBy === undefined || !onSort) {
    return (
      <div role="columnheader" className={classes.cell}>
        <div className={classes.value}>{title}</div>
      </div>
    );
  }
  const next = { none: 'asc', asc: 'desc', desc: undefined }[order ?? 'none'] as Sort['order'] | undefined;
  return (
    <div
      role="columnheader"
      aria-sort={order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none'}
      className={classes.cell}
    >
      <button type="button" className={classes.sort} onClick={() => onSort(next && { property: sortBy, order: next })}>
        <span className={classes.value}>{title}</span>
        {order === 'asc' && <ArrowUp size={14} aria-hidden="true" />}
        {order === 'desc' && <ArrowDown size={14} aria-hidden="true" />}
      </button>
    </div>
  );
}

const number = new Intl.NumberFormat();

function countText(loaded: number, total: DataTableProps<unknown>['total'], hasMore: boolean): string {
  if (!total) return `${hasMore ? '≥ ' : ''}${number.format(loaded)} ${loaded === 1 ? 'row' : 'rows'}`;
  const all = `${total.isExact ? '' : '≥ '}${number.format(total.count)}`;
  return `${number.format(loaded)} of ${all} ${total.count === 1 ? 'row' : 'rows'} loaded`;
}
