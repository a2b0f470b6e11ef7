import type { Direction } from '../../../kit/nearest-box.ts';

/**
 * Moves the focus as in a tree that grows to both sides: up and down within a column, away from the entity into what is
 * opened (opening it first), and back to where it was opened. Says whether there was somewhere to go.
 */
export function moveFocus(from: HTMLElement, direction: Direction): boolean {
  const item = from.closest<HTMLElement>('[data-item]');
  const column = item?.closest<HTMLElement>('[data-column]');
  const root = column?.parentElement;
  if (!item || !column || !root) return false;
  if (direction === 'up' || direction === 'down') {
    const items = itemsIn(column);
    return focus(items[items.indexOf(item) + (direction === 'down' ? 1 : -1)]);
  }
  const pressed = getComputedStyle(root).direction === 'rtl' ? opposite(direction) : direction;
  const name = column.dataset['column'] ?? '';
  if (name === 'centre') return focus(firstIn(root, `${pressed}0`));
  const side = name.startsWith('left') ? 'left' : 'right';
  if (pressed !== side) return focus(anchorOf(root, name, side));
  const opener = item.parentElement?.querySelector<HTMLElement>('[data-opens]');
  if (!opener) return false;
  if (opener.getAttribute('aria-expanded') === 'true')
    return focus(firstIn(root, `${side}${Number(name.slice(side.length)) + 1}`));
  opener.click();
  return true;
}

const opposite = (direction: 'left' | 'right') => (direction === 'left' ? 'right' : 'left');

function itemsIn(column: Element): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-item]')];
}

function firstIn(root: Element, column: string): HTMLElement | undefined {
  const found = root.querySelector(`[data-column="${column}"]`);
  return found ? itemsIn(found)[0] : undefined;
}

/** The item from which a column was opened; from the first one, the entity itself. */
function anchorOf(root: Element, column: string, side: string): HTMLElement | undefined {
  const anchor = root.querySelector<HTMLElement>(`[data-anchor="${column === `${side}0` ? 'centre' : column}"]`);
  return anchor?.matches('[data-item]') ? anchor : (anchor?.querySelector<HTMLElement>('[data-item]') ?? undefined);
}

function focus(item: HTMLElement | undefined): boolean {
  item?.focus();
  return item !== undefined;
}
