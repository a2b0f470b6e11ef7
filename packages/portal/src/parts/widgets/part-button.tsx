import { type KeyboardEvent, useRef } from 'react';
import { arrowDirection, useOneTabStop } from '../../kit/arrow-keys.ts';
import { t } from '../../kit/translate.ts';
import type { Part } from './chart-parts.ts';
import classes from './charts.module.css';

/** Filters the page by a part of a chart; covers the part, so that all of it can be pressed. */
export function PartButton({ part, onPick }: { part: Part; onPick: ((part: Part) => void) | undefined }) {
  if (!onPick || part.value === undefined) return null;
  return (
    <button
      type="button"
      data-item
      tabIndex={-1}
      className={classes.pick}
      aria-label={t('Filter the page by {label}', { label: part.label })}
      onClick={() => onPick(part)}
    />
  );
}

/** For the list that holds the buttons: one tab stop, arrows move. */
export function usePartKeys() {
  const list = useRef<HTMLUListElement>(null);
  useOneTabStop(list);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrowDirection(event);
    if (!direction) return;
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
    const at = items.indexOf(event.target as HTMLElement);
    const next = at < 0 ? undefined : items[at + (direction === 'left' || direction === 'up' ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return { ref: list, onKeyDown };
}
