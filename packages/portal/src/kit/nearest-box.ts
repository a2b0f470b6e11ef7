/** A rectangle on the screen; a `DOMRect` is one. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** What is not straight ahead comes after all that is, and the less it is, the later. */
const asideCost = 100_000;
const sidewaysCost = 3;

/** The index of the box that comes next in a direction, what is straight ahead first; -1 where there is none. */
export function nearestBox(from: Box, others: readonly Box[], direction: Direction): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  others.forEach((other, index) => {
    const isLevel = direction === 'left' || direction === 'right';
    const ahead = isLevel ? middle(other.left, other.right) - middle(from.left, from.right) : down(other) - down(from);
    const along = direction === 'left' || direction === 'up' ? -ahead : ahead;
    if (along < 1) return;
    const sideways = isLevel
      ? gap(from.top, from.bottom, other.top, other.bottom)
      : gap(from.left, from.right, other.left, other.right);
    const cost = along + (sideways > 0 ? asideCost + sidewaysCost * sideways : 0);
    if (cost < least) [found, least] = [index, cost];
  });
  return found;
}

const middle = (one: number, other: number) => (one + other) / 2;
const down = ({ top, bottom }: Box) => middle(top, bottom);

function gap(start: number, end: number, otherStart: number, otherEnd: number): number {
  return Math.max(0, otherStart - end, start - otherEnd);
}
