import { expect, test } from 'vitest';
import { median, percentile, spread } from './statistics.ts';

test('percentiles are interpolated and do not depend on the order', () => {
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(percentile([10, 20], 0.95)).toBeCloseTo(19.5);
  expect(percentile([7], 0.99)).toBe(7);
  expect(median([3, 1, 2])).toBe(2);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the spread is half the distance of the quartiles over the median', () => {
  expect(spread([10, 10, 10])).toBe(0);
  expect(spread([8, 9, 10, 11, 12])).toBeCloseTo(0.1);
});
