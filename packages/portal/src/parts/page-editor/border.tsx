import { useRef } from 'react';
import { t } from '../../kit/translate.ts';
import { rowHeights, rowWidth } from '../widgets/board-layout.ts';
import classes from './page-editor.module.css';

/** The right edge of a widget; moves by dragging or with the arrow keys, one column at a time. */
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
      aria-label={t('Width of {name}', { name })}
      aria-valuemin={1}
      aria-valuemax={most}
      aria-valuenow={size}
      aria-valuetext={t('{size} of {rowWidth} columns', { size, rowWidth })}
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
      data-live={`${size} of ${rowWidth}`}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
    />
  );
}

/** The lower edge of a row; moves by dragging or with the arrow keys. */
export function RowEdge({
  name,
  height,
  onMove,
}: {
  name: string;
  height: number | 'auto';
  onMove: (pixels: number) => void;
}) {
  const from = useRef<number>(undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={classes.rowEdge}
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('Height of the row of {name}', { name })}
      aria-valuemin={rowHeights.least}
      aria-valuemax={rowHeights.most}
      aria-valuenow={height === 'auto' ? rowHeights.least : height}
      aria-valuetext={height === 'auto' ? t('As high as its text') : t('{height} pixels', { height })}
      data-live={height === 'auto' ? 'auto' : `${height} px`}
      tabIndex={0}
      onKeyDown={(event) => {
        const by = { ArrowUp: -rowHeights.step, ArrowDown: rowHeights.step }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onMove(by);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = event.clientY;
      }}
      onPointerMove={(event) => {
        if (from.current === undefined) return;
        const steps = Math.trunc((event.clientY - from.current) / rowHeights.step);
        if (steps === 0) return;
        from.current += steps * rowHeights.step;
        onMove(steps * rowHeights.step);
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
