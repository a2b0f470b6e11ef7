import { expect, test } from 'vitest';
import { createTestClock, systemClock } from './clock.ts';

test('a test clock stands still until it is moved', () => {
  const clock = createTestClock(new Date('2026-01-01T00:00:00Z'));
  const first = clock.now();
  expect(clock.now()).toEqual(first);
  clock.advance(1_500);
  expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z');
  clock.set(first);
  expect(clock.now()).toEqual(first);
});

test('a moment taken from a test clock does not change with it', () => {
  const clock = createTestClock();
  const taken = clock.now();
  const before = taken.getTime();
  clock.advance(1_000);
  expect(taken.getTime()).toBe(before);
});

test('the system clock runs with the machine', () => {
  expect(Math.abs(systemClock.now().getTime() - Date.now())).toBeLessThan(1_000);
});
