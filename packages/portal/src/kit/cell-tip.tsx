import { type RefObject, useEffect, useState } from 'react';
import classes from './data-table.module.css';
import { cutText } from './grid-cells.ts';

interface Tip {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

const afterMs = 350;

/** The whole text of a cell that is cut off, while the pointer or the focus is on it. Readers have it in the cell. */
export function CellTip({ grid }: { grid: RefObject<HTMLElement | null> }) {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => {
    const element = grid.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownFor: Element | undefined;
    const hide = () => {
      clearTimeout(timer);
      shownFor = undefined;
      setTip(undefined);
    };
    const look = ({ target }: Event) => {
      const cell = (target as Element).closest<HTMLElement>('[data-column]') ?? undefined;
      if (cell === shownFor) return;
      hide();
      if (!cell) return;
      shownFor = cell;
      timer = setTimeout(() => {
        const text = cell.isConnected ? cutText(cell) : undefined;
        const { left, bottom } = cell.getBoundingClientRect();
        if (text) setTip({ text, left: Math.max(8, Math.min(left + 8, innerWidth - 420)), top: bottom - 2 });
      }, afterMs);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide();
    };
    element.addEventListener('mouseover', look);
    element.addEventListener('focusin', look);
    element.addEventListener('mouseleave', hide);
    element.addEventListener('focusout', hide);
    element.addEventListener('keydown', onKey);
    document.addEventListener('scroll', hide, true);
    return () => {
      hide();
      element.removeEventListener('mouseover', look);
      element.removeEventListener('focusin', look);
      element.removeEventListener('mouseleave', hide);
      element.removeEventListener('focusout', hide);
      element.removeEventListener('keydown', onKey);
      document.removeEventListener('scroll', hide, true);
    };
  }, [grid]);
  if (!tip) return null;
  return (
    <div className={classes.tip} style={{ left: tip.left, top: tip.top }} aria-hidden="true">
      {tip.text}
    </div>
  );
}
