import { expect, test } from 'vitest';
import { shareConditionTimes } from './condition-times.ts';

const now = new Date('2026-05-01T10:00:00Z');
const busy = (milliseconds: number) => () => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test('few conditions over one event have what one has alone', () => {
  const timeFor = shareConditionTimes([7, 7, 7, 8], now);
  expect([7, 7, 7, 8].map((key) => timeFor(key).totalMs)).toEqual([200, 200, 200, 200]);
});

test('many share a second: what cheap ones leave goes to the next, and nobody has less than an equal part', () => {
  const timeFor = shareConditionTimes(Array<number>(50).fill(7), now);
  const first = timeFor(7);
  expect(first.totalMs).toBe(20);
  // late by far
  first.spend(busy(100));
  expect(timeFor(7).totalMs).toBe(20);
  const next = Array.from({ length: 48 }, () => timeFor(7).totalMs);
  expect([next[46], next[47]]).toEqual([200, 200]);
});
