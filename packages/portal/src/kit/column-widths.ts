/** How wide a column may get, in pixels: never below `min`, `ideal` where there is room, `max` before others grow. */
export interface ColumnSize {
  readonly min: number;
  readonly ideal: number;
  readonly max: number;
  /** Stays at its size: a column of checkboxes or menus. */
  readonly isFixed?: boolean;
}

export function fixedSize(width: number): ColumnSize {
  return { min: width, ideal: width, max: width, isFixed: true };
}

/** The size of a column that names only a width. */
export function sizeAround(width: number): ColumnSize {
  return { min: Math.round(width * 0.7), ideal: width, max: Math.round(width * 1.7) };
}

/**
 * The width of each column in a container: all at their ideal, shrunk towards the minimum or grown towards the maximum
 * by the same share. Wider than the container only if the minima are; narrower never.
 */
export function fitColumns(sizes: readonly ColumnSize[], available: number): readonly number[] {
  const sum = (part: (size: ColumnSize) => number) => sizes.reduce((total, size) => total + part(size), 0);
  const [min, ideal, max] = [sum((size) => size.min), sum((size) => size.ideal), sum((size) => size.max)];
  if (available <= min) return sizes.map((size) => size.min);
  if (available <= ideal) return fill(sizes, available, (size) => between(size.min, size.ideal, min, ideal, available));
  if (available <= max) return fill(sizes, available, (size) => between(size.ideal, size.max, ideal, max, available));
  // the rest goes to those that can use it, by how wide they are already
  const growing = sum((size) => (size.isFixed ? 0 : size.max)) || 1;
  return fill(sizes, available, (size) => size.max + (size.isFixed ? 0 : ((available - max) * size.max) / growing));
}

function between(low: number, high: number, lowSum: number, highSum: number, available: number): number {
  return low + ((high - low) * (available - lowSum)) / (highSum - lowSum);
}

/** Whole pixels; what rounding leaves over goes to the widest column. */
function fill(sizes: readonly ColumnSize[], available: number, width: (size: ColumnSize) => number): readonly number[] {
  const widths = sizes.map((size) => Math.floor(width(size)));
  const widest = widths.indexOf(Math.max(...widths));
  const rest = available - widths.reduce((total, each) => total + each, 0);
  const isAnyFree = sizes.some(({ isFixed }) => !isFixed);
  return widths.map((each, index) => (index === widest && isAnyFree ? each + rest : each));
}
