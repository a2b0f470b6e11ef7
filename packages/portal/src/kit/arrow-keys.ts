import { type RefObject, useEffect } from 'react';
import type { Direction } from './nearest-box.ts';

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The direction of an arrow key that is pressed alone; undefined for every other key and inside text fields. */
export function arrowDirection(event: React.KeyboardEvent): Direction | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  if ((event.target as Element).matches('input, textarea, select, [contenteditable]')) return undefined;
  return directions[event.key];
}

/**
 * Makes all `[data-item]` elements below the container one tab stop: the one that last had the focus, at first
 * `[data-first]`. Items begin with `tabIndex={-1}`.
 */
export function useOneTabStop(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = container.current;
    if (!root) return;
    const stopAt = (item: Element | null) => {
      if (!item) return;
      for (const each of root.querySelectorAll('[data-item][tabindex="0"]')) each.setAttribute('tabindex', '-1');
      item.setAttribute('tabindex', '0');
    };
    // what was the stop may be gone
    const ensure = () => {
      if (root.querySelector('[data-item][tabindex="0"]')) return;
      stopAt(root.querySelector('[data-item][data-first]') ?? root.querySelector('[data-item]'));
    };
    const follow = ({ target }: FocusEvent) => stopAt((target as Element).closest('[data-item]'));
    const watcher = new MutationObserver(ensure);
    watcher.observe(root, { childList: true, subtree: true });
    root.addEventListener('focusin', follow);
    ensure();
    return () => {
      watcher.disconnect();
      root.removeEventListener('focusin', follow);
    };
  }, [container]);
}
