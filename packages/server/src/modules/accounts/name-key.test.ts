import { expect, test } from 'vitest';
import { nameKey } from './name-key.ts';

test.each([
  ['Payments Core', 'payments  core '],
  ['Caf\u00e9', 'CAFE\u0301'],
  ['\uff33\uff32\uff25', 'sre'],
  ['S\u200bR\u00adE', 'SRE'],
  ['\ufb01nance', 'FINANCE'],
])('%s and %s are one name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each([
  ['Payments', 'Payment'],
  ['Café', 'Cafe'],
  ['a b', 'ab'],
  ['x'.repeat(10_000), `${'x'.repeat(9_999)}y`],
])('%s and %s are two', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

test('a key fits an index, however long the name', () => {
  expect(nameKey('\u{1f600}'.repeat(10_000)).length).toBeLessThanOrEqual(500);
});
