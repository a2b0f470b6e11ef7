import { expect, test } from 'vitest';
import { duration, spoken } from './time.ts';

const second = 1000;
const hour = 3_600_000;

test.each([
  [0, 'just now'],
  [-59 * second, 'just now'],
  [-60 * second, '1 minute ago'],
  [-3 * hour, '3 hours ago'],
  [-25 * hour, 'yesterday'],
  [30 * second, 'in less than a minute'],
  [49 * hour, 'in 2 days'],
])('%i ms from now is %s', (at, words) => {
  expect(spoken(at, 0)).toBe(words);
});

test.each([
  [850, '850 ms'],
  [6400, '6.4 s'],
  [9999, '9.9 s'],
  [59_999, '59 s'],
  [102_000, '1 m 42 s'],
  [2 * hour + 5 * 60_000, '2 h 5 m'],
  [76 * hour, '3 d 4 h'],
])('%i ms last %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});
