import { expect, test } from 'vitest';
import { barsLie, otherColour, toParts } from './chart-parts.ts';
import { toLines } from './line-series.ts';

const counted = (...counts: number[]) => counts.map((count, index) => ({ label: `v${index}`, count, own: undefined }));

test('the largest come first, and what is beyond the limit is "Other"', () => {
  expect(toParts(counted(1, 5, 3, 2), 2, false)).toEqual([
    { label: 'v1', count: 5, colour: 'var(--series-1)' },
    { label: 'v2', count: 3, colour: 'var(--series-1)' },
    { label: 'Other', count: 3, colour: otherColour },
  ]);
});

test('one value beyond the limit keeps its name', () => {
  expect(toParts(counted(3, 2, 1), 2, true).map(({ label }) => label)).toEqual(['v0', 'v1', 'v2']);
});

test('shares have colours of their own, and values the colour of the model', () => {
  const [first, second] = toParts([...counted(3), { label: 'red', count: 2, own: '#f00' }], 4, true);
  expect([first?.colour, second?.colour]).toEqual(['var(--series-1)', '#f00']);
});

test('bars lie if they are many or their labels long', () => {
  expect(barsLie(toParts(counted(1, 2, 3), 12, false))).toBe(false);
  expect(barsLie(toParts(counted(1, 2, 3, 4, 5, 6, 7), 12, false))).toBe(true);
  expect(
    barsLie([
      { label: 'Routing & Planning and more', count: 1, colour: '' },
      { label: 'b', count: 1, colour: '' },
    ]),
  ).toBe(true);
});

test('six lines are drawn; the other counts are summed, other figures are in the table alone', () => {
  const lines = Array.from({ length: 8 }, (_, index) => ({ name: `v${index}`, values: [1, index], own: undefined }));
  const counts = toLines(lines, true);
  expect(counts.shown.map(({ name }) => name)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'Other']);
  expect(counts.shown.at(-1)?.values).toEqual([2, 13]);
  expect(counts.left).toBe(0);
  expect(toLines(lines, false)).toMatchObject({ left: 2 });
  expect(toLines(lines, false).shown).toHaveLength(6);
});
