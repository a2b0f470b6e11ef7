import { expect, test } from 'vitest';
import { type Box, nearestBox } from './nearest-box.ts';

/** A grid of chips, 100 wide and 20 high, with gaps of 10. */
const at = (column: number, row: number): Box => ({
  left: column * 110,
  right: column * 110 + 100,
  top: row * 30,
  bottom: row * 30 + 20,
});

test('the next chip straight ahead comes before a closer one that is not', () => {
  const others = [at(2, 0), at(1, 1), at(0, 1)];
  expect(nearestBox(at(0, 0), others, 'right')).toBe(0);
  expect(nearestBox(at(0, 0), others, 'down')).toBe(2);
});

test('where nothing is straight ahead, the closest that is further in this direction comes', () => {
  const others = [at(2, 3), at(1, 1)];
  expect(nearestBox(at(0, 0), others, 'right')).toBe(1);
});

test('at the edge there is none, and what has the same place is never next', () => {
  expect(nearestBox(at(0, 0), [at(1, 0), at(0, 0)], 'left')).toBe(-1);
  expect(nearestBox(at(0, 0), [at(0, 0)], 'up')).toBe(-1);
  expect(nearestBox(at(0, 0), [], 'down')).toBe(-1);
});
