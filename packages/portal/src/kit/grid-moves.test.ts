import { expect, test } from 'vitest';
import { findNeighbor, type Place, placeAfter } from './grid-moves.ts';

const size = { rows: 50, columns: 4, page: 9 };
const plain = { ctrlKey: false, metaKey: false, altKey: false };
const after = (key: string, row: number, column: number, isRtl = false) =>
  placeAfter({ ...plain, key }, { row, column }, size, isRtl);
const place = (row: number, column: number): Place => ({ row, column });

test.each([
  ['ArrowDown', [3, 1], [4, 1]],
  ['ArrowDown', [49, 1], [49, 1]],
  ['ArrowUp', [0, 2], [-1, 2]],
  ['ArrowUp', [-1, 2], [-1, 2]],
  ['ArrowRight', [3, 3], [3, 3]],
  ['ArrowLeft', [3, 0], [3, 0]],
  ['Home', [3, 2], [3, 0]],
  ['End', [-1, 1], [-1, 3]],
  ['PageDown', [45, 1], [49, 1]],
  ['PageDown', [-1, 1], [8, 1]],
  ['PageUp', [5, 1], [0, 1]],
  ['PageUp', [0, 1], [-1, 1]],
] as const)('%s in a cell at %j leads to %j', (key, from, to) => {
  expect(after(key, from[0], from[1])).toEqual(place(to[0], to[1]));
});

test('with Control, Home and End go to the corners of the rows; the arrows stay the browser’s', () => {
  const pressed = (key: string) => placeAfter({ ...plain, ctrlKey: true, key }, place(7, 2), size);
  expect([pressed('Home'), pressed('End'), pressed('ArrowDown')]).toEqual([place(0, 0), place(49, 3), undefined]);
});

test('from right to left the horizontal arrows change sides', () => {
  expect([after('ArrowRight', 3, 2, true), after('ArrowLeft', 3, 2, true)]).toEqual([place(3, 1), place(3, 3)]);
});

test('letters, and arrows with Alt, are no moves', () => {
  expect(after('f', 1, 1)).toBeUndefined();
  expect(placeAfter({ ...plain, altKey: true, key: 'ArrowLeft' }, place(1, 1), size)).toBeUndefined();
});

test('an editor that is left downwards or sideways stays within the grid', () => {
  expect(findNeighbor(place(49, 3), 'down', size)).toEqual(place(49, 3));
  expect(findNeighbor(place(4, 3), 'right', size)).toEqual(place(4, 3));
  expect(findNeighbor(place(4, 0), 'left', size)).toEqual(place(4, 0));
  expect(findNeighbor(place(4, 1), 'down', size)).toEqual(place(5, 1));
  expect(findNeighbor(place(4, 1), 'stay', size)).toEqual(place(4, 1));
});
