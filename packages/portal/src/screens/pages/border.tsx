import { useRef } from 'react';
import { rowWidth } from './board-draft.ts';
import classes from './pages.module.css';

/** The border between two widgets of a row; moves by dragging or with the arrow keys, one column at a time. */
export function Border({
  name,
  size,
  most,
  onMove,
}: {
  name: string;
  size: number;
  most: number;
  onMove: (columns: number) => void;
}) {
  const from = useRef<{ readonly x: number; readonly size: number }>(undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={classes.border}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuemin={1}
      aria-valuemax={most}
      aria-valuenow={size}
      aria-valuetext={`${size} of ${rowWidth} columns`}
      tabIndex={0}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onMove(by);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, size };
      }}
      onPointerMove={(event) => {
        const row = event.currentTarget.parentElement?.parentElement;
        if (from.current === undefined || !row) return;
        const column = row.getBoundingClientRect().width / rowWidth;
        const wanted = from.current.size + Math.round((event.clientX - from.current.x) / column);
        if (wanted !== size) onMove(wanted - size);
      }}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
    />
  );
}
