import { expect, test } from 'vitest';
import { type ColumnSize, fitColumns, fixedSize, sizeAround } from './column-widths.ts';

const title: ColumnSize = { min: 220, ideal: 320, max: 520 };
const choice: ColumnSize = { min: 96, ideal: 120, max: 160 };
const date: ColumnSize = { min: 110, ideal: 120, max: 140 };
const menu = fixedSize(44);
const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);

test('columns fill the container exactly while it holds their minima', () => {
  for (const available of [470, 500, 603, 604, 605, 700, 864, 1000, 2560])
    expect([available, sum(fitColumns([title, choice, date, menu], available))]).toEqual([available, available]);
});

test('at their ideal each has its ideal', () => {
  expect(fitColumns([title, choice, date, menu], 604)).toEqual([320, 120, 120, 44]);
});

test('below the minima they keep the minima, and the table scrolls', () => {
  expect(fitColumns([title, choice, date, menu], 300)).toEqual([220, 96, 110, 44]);
});

test('no column leaves its bounds before all the others are at theirs', () => {
  for (const available of [480, 550, 650, 800]) {
    const widths = fitColumns([title, choice, date], available);
    [title, choice, date].forEach(({ min, max }, index) => {
      expect(widths[index]).toBeGreaterThanOrEqual(min);
      expect(widths[index]).toBeLessThanOrEqual(max + 3);
    });
  }
});

test('a fixed column stays as it is however wide the container is', () => {
  expect(fitColumns([fixedSize(40), title, menu], 3000)).toEqual([40, 2916, 44]);
  expect(fitColumns([menu], 3000)).toEqual([44]);
});

test('a single width becomes bounds around it', () => {
  expect(sizeAround(200)).toEqual({ min: 140, ideal: 200, max: 340 });
});
