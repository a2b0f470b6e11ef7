import { describe, expect, test } from 'vitest';
import { percentile, testDrop, wilsonInterval } from './statistics.ts';

describe('Wilson’s interval', () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d in %d is that of the literature', (right, all, low, high) => {
    const interval = wilsonInterval(right, all);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('of all ends at 1, and of nothing says nothing', () => {
    expect(wilsonInterval(20, 20).high).toBe(1);
    expect(wilsonInterval(20, 20).low).toBeCloseTo(1 - 0.1611, 4);
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('McNemar’s exact test for a drop', () => {
  // sums of rows of Pascal's triangle: (1 + 10 + 45) / 1024, and so on
  test.each([
    [5, 0, 1 / 32],
    [4, 0, 1 / 16],
    [8, 2, (1 + 10 + 45) / 1024],
    [9, 1, (1 + 10) / 1024],
    [12, 4, (1 + 16 + 120 + 560 + 1820) / 65_536],
    [3, 3, (1 + 6 + 15 + 20) / 64],
    [0, 5, 1],
    [0, 0, 1],
  ])('of %d worse and %d better is the tail of the binomial distribution', (worse, better, p) => {
    expect(testDrop(worse, better)).toBeCloseTo(p, 10);
  });

  test('stays a number for thousands of pairs', () => {
    // normal approximation with continuity correction: z = (100 - 1) / sqrt(2000) = 2.2137
    expect(testDrop(1_050, 950)).toBeCloseTo(0.01343, 3);
  });
});

test('a percentile is a value that was measured', () => {
  const values = [40, 10, 30, 20];
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile(values, 0), percentile([], 0.5)]).toEqual([
    20, 40, 10, 0,
  ]);
});
