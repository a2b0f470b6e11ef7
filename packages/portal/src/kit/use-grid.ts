import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { act, actOnHeading, cellAt, findPlace, isHeading, isTextInput, listControls, untab } from './grid-cells.ts';
import { findNeighbor, type Leaving, type Place, placeAfter } from './grid-moves.ts';
import { allToggled, type RowSelection, toggled, withRange } from './row-selection.ts';

/** A dialog that closes returns the focus first, if there is anything to return it to. */
const afterDialogMs = 60;

interface Grid {
  readonly grid: RefObject<HTMLElement | null>;
  /** The keys of the loaded rows, in order. */
  readonly keys: readonly string[];
  readonly columns: number;
  /** The column that Tab reaches first. */
  readonly firstColumn: number;
  readonly pageSize: () => number;
  readonly showRow: (row: number) => void;
  /** Opens a row whose cell has nothing else to do. */
  readonly openRow: ((row: number) => void) | undefined;
  readonly selection: RowSelection | undefined;
}

/**
 * The keyboard of a grid (the ARIA pattern): one stop for Tab, arrows between cells, Enter acts, F2 enters a cell, Escape
 * returns. The focus follows its row when rows are sorted, and goes to the next one when the row is gone.
 */
export function useGrid(given: Grid) {
  const { grid, keys, columns, firstColumn } = given;
  const [held, setHeld] = useState<Place & { readonly key?: string | undefined }>({ row: 0, column: firstColumn });
  // where the row was last, to go on from if it is gone
  const lastRow = useRef(0);
  const place = useMemo(() => placeNow(held, keys, columns, lastRow.current), [held, keys, columns]);
  const isFocusWanted = useRef(false);
  const isEntered = useRef(false);
  const anchor = useRef<string>(undefined);
  const now = useRef({ ...given, place });
  now.current = { ...given, place };

  const hold = useCallback(({ row, column }: Place) => {
    setHeld({ row, column, key: now.current.keys[row] });
  }, []);
  const go = useCallback(
    (to: Place) => {
      isFocusWanted.current = true;
      isEntered.current = false;
      if (to.row >= 0) now.current.showRow(to.row);
      hold(to);
    },
    [hold],
  );
  const leave = useCallback(
    (leaving: Leaving) =>
      go(findNeighbor(now.current.place, leaving, { rows: now.current.keys.length, columns: now.current.columns })),
    [go],
  );

  useLayoutEffect(() => {
    lastRow.current = place.row;
    if (!isFocusWanted.current) return;
    const cell = cellAt(grid.current, place);
    if (!cell) return;
    isFocusWanted.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  // rows come and go, and what is in them is never a stop of its own
  useEffect(() => {
    const element = grid.current;
    if (!element) return;
    untab(element);
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) untab(node);
    });
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [grid]);

  // a row that goes while it has the focus, or a dialog about it, leaves the focus to the next one
  const isUsed = useRef(false);
  const lost = held.key !== undefined && !keys.includes(held.key);
  useEffect(() => {
    if (!lost || !isUsed.current) return;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) go(now.current.place);
    }, afterDialogMs);
    return () => clearTimeout(timer);
  }, [lost, go]);

  const select = useCallback((row: number, isRange: boolean) => {
    const { selection, keys: all } = now.current;
    const key = all[row];
    if (!selection || key === undefined) return;
    const { selected } = selection;
    selection.onChange(isRange ? withRange(selected, all, anchor.current, key) : toggled(selected, key));
    if (!isRange) anchor.current = key;
  }, []);

  const onFocus = useCallback(
    ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(target)) return;
      const at = findPlace(target);
      if (!at) return;
      isUsed.current = true;
      const { place: before } = now.current;
      if (at.row === before.row && at.column === before.column) return;
      isEntered.current = false;
      hold(at);
    },
    [hold],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    // keys in a menu or an editor that only React counts as inside
    if (!event.currentTarget.contains(target) || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const at = findPlace(target);
    const cell = at && cellAt(grid.current, at);
    if (!at || !cell) return;
    if (!handle(event, target, cell, at)) return;
    event.preventDefault();
    // a menu that this key opened listens for keys elsewhere by now, and would close on this one
    event.stopPropagation();
  };

  const handle = (event: KeyboardEvent, target: HTMLElement, cell: HTMLElement, at: Place): boolean => {
    const isInside = target !== cell;
    if (isInside && ['Escape', 'F2'].includes(event.key)) {
      go(at);
      return true;
    }
    if (isInside && isTextInput(target)) return false;
    if (isHeading(cell) && event.key === 'Enter' && (event.shiftKey || !isInside)) {
      actOnHeading(cell, { isMenu: event.shiftKey });
      return true;
    }
    if (isInside && isEntered.current) return stepInside(event, target, cell);
    const size = { rows: keys.length, columns, page: given.pageSize() };
    const isRtl = grid.current !== null && getComputedStyle(grid.current).direction === 'rtl';
    const to = event.shiftKey ? undefined : placeAfter(event, at, size, isRtl);
    if (to) {
      go(to);
      return true;
    }
    return !isInside && handleOnCell(event, cell, at);
  };

  const handleOnCell = (event: KeyboardEvent, cell: HTMLElement, at: Place): boolean => {
    const { selection } = given;
    if (event.key === 'Enter') {
      if (!act(cell, { isEditFirst: false }) && at.row >= 0) given.openRow?.(at.row);
      else isEntered.current = listControls(cell).length > 1;
      return true;
    }
    if (event.key === 'F2') {
      if (act(cell, { isEditFirst: true })) isEntered.current = true;
      return true;
    }
    if (event.key === ' ') {
      if (selection && at.row >= 0) select(at.row, event.shiftKey);
      else if (isHeading(cell)) actOnHeading(cell, { isMenu: false });
      else act(cell, { isEditFirst: false });
      return true;
    }
    if (!selection) return false;
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      selection.onChange(allToggled(new Set(), keys));
      return true;
    }
    if (event.key === 'Escape' && selection.selected.size > 0) {
      selection.onChange(new Set());
      return true;
    }
    return false;
  };

  return { place, go, leave, select, gridProps: { onKeyDown, onFocus } };
}

/** Where the held place is now: with its row wherever it went, else the row that took its place. */
function placeNow(
  { row, column, key }: Place & { readonly key?: string | undefined },
  keys: readonly string[],
  columns: number,
  lastRow: number,
): Place {
  const at = Math.max(0, Math.min(column, columns - 1));
  if (row < 0) return { row: -1, column: at };
  const found = key === undefined || keys[row] === key ? row : keys.indexOf(key);
  if (found >= 0 && found < keys.length) return { row: found, column: at };
  return { row: Math.max(0, Math.min(lastRow, keys.length - 1)), column: at };
}

/** Tab and the arrows go around the controls of an entered cell. */
function stepInside({ key, shiftKey }: KeyboardEvent, target: HTMLElement, cell: HTMLElement): boolean {
  const isBack = key === 'ArrowLeft' || (key === 'Tab' && shiftKey);
  if (!isBack && key !== 'ArrowRight' && key !== 'Tab') return false;
  const all = listControls(cell);
  const next = (all.indexOf(target) + (isBack ? -1 : 1) + all.length) % all.length;
  all[next]?.focus();
  return true;
}
