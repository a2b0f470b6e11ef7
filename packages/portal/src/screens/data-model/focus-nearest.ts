import { type Direction, nearestBox } from '../../kit/nearest-box.ts';

/** Moves the focus to the item that is next in a direction on the screen; says whether there is one. */
export function focusNearest(root: Element, target: Element, direction: Direction): boolean {
  const from = target.closest('[data-item]');
  if (!from) return false;
  const others = [...root.querySelectorAll<HTMLElement>('[data-item]')].filter((each) => each !== from);
  const boxes = others.map((each) => each.getBoundingClientRect());
  const next = others[nearestBox(from.getBoundingClientRect(), boxes, direction)];
  next?.focus();
  return next !== undefined;
}
