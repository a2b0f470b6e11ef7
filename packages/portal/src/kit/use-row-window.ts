import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

interface RowWindow {
  /** The rows to draw, by index. */
  readonly shown: readonly number[];
  /** The last row that is nearly in sight. */
  readonly last: number;
  /** The width inside the scroller. */
  readonly width: number;
  readonly showRow: (row: number) => void;
}

interface Given {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** What stays at the top of the scroller. */
  readonly headHeight: number;
  /** A row that is drawn wherever the others are scrolled to; none below 0. */
  readonly kept: number;
}

/** Rows beyond both edges: three frames of fast scrolling, so that none comes into sight empty. */
const beyond = 12;
/** The window moves by so many rows at once: each move draws the table anew. */
const step = 4;

/** Which rows of a list are drawn. All rows have one height, so that nothing is measured but the scroller. */
export function useRowWindow({ scroller, count, rowHeight, headHeight, kept }: Given): RowWindow {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      setSize((before) =>
        before.width === clientWidth && before.height === clientHeight
          ? before
          : { width: clientWidth, height: clientHeight },
      );
    };
    const move = () => setFirst(Math.floor(element.scrollTop / rowHeight / step) * step);
    measure();
    move();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', move, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', move);
    };
  }, [scroller, rowHeight]);
  const showRow = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const top = row * rowHeight;
      const least = top + rowHeight + headHeight - element.clientHeight;
      // the smaller last, so that a row in a scroller without room shows its beginning
      element.scrollTop = Math.min(Math.max(element.scrollTop, least), top);
    },
    [scroller, rowHeight, headHeight],
  );
  const inSight = Math.ceil(height / rowHeight);
  const from = Math.max(0, Math.min(first, count) - beyond);
  const last = Math.min(count, first + inSight + step + beyond) - 1;
  const shown = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
  if (kept >= 0 && kept < from) shown.unshift(kept);
  if (kept > last && kept < count) shown.push(kept);
  return { shown, last: Math.min(last, first + inSight + beyond - 1), width, showRow };
}
