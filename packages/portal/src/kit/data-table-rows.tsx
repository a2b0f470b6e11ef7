import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo } from 'react';
import type { Column, Sort } from './column.ts';
import classes from './data-table.module.css';
import { allToggled, type RowSelection } from './row-selection.ts';
import { t } from './translate.ts';

interface LineProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly start: number;
  readonly height: number;
  /** The column of the cell that Tab reaches, if it is in this row. */
  readonly activeColumn: number | undefined;
  /** Undefined where rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onSelect: (row: number, isRange: boolean) => void;
  readonly nameOf: ((row: Row) => string) | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function LineDrawn<Row>(props: LineProps<Row>) {
  const { row, columns, index, start, height, activeColumn, isSelected, onSelect, nameOf, onOpen } = props;
  const lead = isSelected === undefined ? 0 : 1;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(lead ? { 'aria-selected': isSelected } : {})}
      data-row={index}
      className={`${classes.row} ${classes.line}`}
      data-opens={onOpen !== undefined || undefined}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={(event) => {
        const target = event.target as Element;
        // what a menu or an editor shows is inside for React only
        if (!event.currentTarget.contains(target) || target.closest('a, button, input, label')) return;
        onOpen?.(row);
      }}
    >
      {lead === 1 && (
        <div
          role="gridcell"
          aria-colindex={1}
          data-column={0}
          tabIndex={activeColumn === 0 ? 0 : -1}
          className={classes.cell}
          onClick={(event) => {
            event.stopPropagation();
            onSelect(index, event.shiftKey);
          }}
        >
          <input
            type="checkbox"
            aria-label={t('Select {row}', { row: nameOf?.(row) ?? t('row {value}', { value: index + 1 }) })}
            checked={isSelected === true}
            // the cell takes the press, wherever in it
            onChange={() => {}}
          />
        </div>
      )}
      {columns.map(({ key, cell, align, isPinnedEnd }, place) => (
        <div
          key={key}
          role={place === 0 ? 'rowheader' : 'gridcell'}
          {...columnProps(place + lead)}
          data-pinned={isPinnedEnd ? 'end' : undefined}
          data-align={align}
          tabIndex={activeColumn === place + lead ? 0 : -1}
          className={classes.cell}
        >
          <div className={classes.value}>{cell(row)}</div>
        </div>
      ))}
    </div>
  );
}

function columnProps(column: number) {
  return { 'aria-colindex': column + 1, 'data-column': column };
}

/** Memoized: scrolling renders only the rows that come into view. */
export const Line = memo(LineDrawn) as typeof LineDrawn;

/** The heading of the column of checkboxes: selects what is loaded, or nothing. */
export function SelectAll({
  selection: { selected, onChange },
  keys,
  isActive,
}: {
  selection: RowSelection;
  keys: readonly string[];
  isActive: boolean;
}) {
  const count = keys.filter((key) => selected.has(key)).length;
  return (
    <div
      role="columnheader"
      aria-colindex={1}
      data-column={0}
      tabIndex={isActive ? 0 : -1}
      className={classes.cell}
      aria-label={t('Selection')}
    >
      <input
        type="checkbox"
        aria-label={t('Select all loaded rows')}
        checked={count > 0 && count === keys.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < keys.length;
        }}
        onChange={() => onChange(allToggled(selected, keys))}
      />
    </div>
  );
}

/** The heading of a column: pressed, it sorts upwards, then downwards, then not. */
export function Head<Row>({
  column,
  index,
  isActive,
  sort,
  onSort,
}: {
  column: Column<Row>;
  index: number;
  isActive: boolean;
  sort: Sort | undefined;
  onSort: ((sort: Sort | undefined) => void) | undefined;
}) {
  const { sortBy, title, align, isPinnedEnd, below } = column;
  const isSortable = sortBy !== undefined && onSort !== undefined;
  const order = isSortable && sort?.property === sortBy ? sort.order : undefined;
  const next = { none: 'asc', asc: 'desc', desc: undefined }[order ?? 'none'] as Sort['order'] | undefined;
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      {...(isSortable ? { 'aria-sort': order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none' } : {})}
      data-column={index}
      data-pinned={isPinnedEnd ? 'end' : undefined}
      data-align={align}
      tabIndex={isActive ? 0 : -1}
      className={classes.cell}
    >
      {isSortable ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort(next && { property: sortBy, order: next })}
        >
          <span className={classes.value}>{title}</span>
          {order === 'asc' && <ArrowUp size={14} aria-hidden="true" />}
          {order === 'desc' && <ArrowDown size={14} aria-hidden="true" />}
        </button>
      ) : (
        <div className={isPinnedEnd ? 'visually-hidden' : classes.value}>{title}</div>
      )}
      {below}
    </div>
  );
}
