import { Button, Checkbox, Text } from '@mantine/core';
import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  type RowData,
  type Row as TableRow,
  useReactTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import classes from './data-table.module.css';

/** One column; `value` is what is shown, and `sortBy` the property that the server sorts by. */
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
  /** What the table holds, for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row: by click beside its links, and by Enter. */
  readonly onOpen?: (row: Row) => void;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort | undefined) => void;
  /** The keys of the chosen rows; absent where nothing can be chosen. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (chosen: ReadonlySet<string>) => void;
  /** Whether the server has more, and how to ask for it. It is asked when the end comes near. */
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onMore?: () => void;
  /** Of all that match: exact, or a lower bound. */
  readonly total?: { readonly count: number; readonly isExact: boolean } | undefined;
  /** In place of rows, where there are none. */
  readonly empty?: ReactNode;
}

const rowHeight = 44;
const widthDefault = 200;

/**
 * A table of any length: the server filters, sorts and pages, and only the rows in sight are drawn. The first column stays in
 * place when the others scroll.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, chosen, onChoose, label, hasMore, isLoadingMore, onMore, total } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo<ColumnDef<Row>[]>(
    () =>
      columns.map((column) => ({
        id: column.key,
        header: column.title,
        size: column.width ?? widthDefault,
        cell: ({ row }) => column.cell(row.original),
      })),
    [columns],
  );
  const table = useReactTable({
    data: rows as Row[],
    columns: definitions,
    getRowId: keyOf,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    manualPagination: true,
  });
  const drawn = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: drawn.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= drawn.length - 15) onMore?.();
  }, [hasMore, isLoadingMore, last, drawn.length, onMore]);
  if (rows.length === 0 && props.empty) return <>{props.empty}</>;

  const template = [
    ...(chosen ? ['44px'] : []),
    ...columns.map(({ width }) => `minmax(${width ?? widthDefault}px, ${(width ?? widthDefault) / 100}fr)`),
  ].join(' ');
  const areAllChosen = chosen !== undefined && rows.length > 0 && rows.every((row) => chosen.has(keyOf(row)));
  const height = Math.min(drawn.length * rowHeight + 48, 20_000);
  return (
    <div className={classes.table}>
      <div
        ref={scroller}
        className={classes.scroller}
        // what has the focus is scrolled beside the column that stays, not under it
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
          aria-colcount={columns.length + (chosen ? 1 : 0)}
          className={classes.inner}
        >
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
              {chosen && (
                <div role="columnheader" className={classes.cell}>
                  <Checkbox
                    size="xs"
                    aria-label="Choose all that are loaded"
                    checked={areAllChosen}
                    indeterminate={!areAllChosen && chosen.size > 0}
                    onChange={() => onChoose?.(areAllChosen ? new Set() : new Set(rows.map(keyOf)))}
                  />
                </div>
              )}
              {columns.map((column) => (
                <Head key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </div>
          </div>
          <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {items.map(({ index, start }) => {
              const row = drawn[index];
              if (!row) return null;
              return (
                <Line
                  key={row.id}
                  row={row}
                  definitions={definitions}
                  index={index}
                  start={start}
                  template={template}
                  chosen={chosen}
                  onChoose={onChoose}
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
          {chosen && chosen.size > 0 ? ` · ${chosen.size} chosen` : ''}
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

interface LineProps<Row extends RowData> {
  readonly row: TableRow<Row>;
  /** Not read: a row that stays the same is drawn anew when its columns are others. */
  readonly definitions: readonly ColumnDef<Row>[];
  readonly index: number;
  readonly start: number;
  readonly template: string;
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onChoose: ((chosen: ReadonlySet<string>) => void) | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function LineDrawn<Row extends RowData>({ row, index, start, template, chosen, onChoose, onOpen }: LineProps<Row>) {
  const isChosen = chosen?.has(row.id) ?? false;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen ? isChosen : undefined}
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
        if (!(event.target as Element).closest('a, button, input, label')) onOpen?.(row.original);
      }}
    >
      {chosen && (
        <div role="cell" className={classes.cell}>
          <Checkbox
            size="xs"
            aria-label={`Choose ${row.id}`}
            checked={isChosen}
            onChange={() => onChoose?.(toggled(chosen, row.id))}
          />
        </div>
      )}
      {row.getVisibleCells().map((cell, column) => (
        <div key={cell.id} role={column === 0 ? 'rowheader' : 'cell'} className={classes.cell}>
          <div className={classes.value}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</div>
        </div>
      ))}
    </div>
  );
}

/** While a table scrolls, only the rows that come into sight are drawn: those that stay keep what they have. */
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

function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(chosen);
  if (!after.delete(key)) after.add(key);
  return after;
}

const number = new Intl.NumberFormat();

function countText(loaded: number, total: DataTableProps<unknown>['total'], hasMore: boolean): string {
  if (!total) return `${hasMore ? '≥ ' : ''}${number.format(loaded)} ${loaded === 1 ? 'row' : 'rows'}`;
  const all = `${total.isExact ? '' : '≥ '}${number.format(total.count)}`;
  return `${number.format(loaded)} of ${all} ${total.count === 1 ? 'row' : 'rows'} loaded`;
}
