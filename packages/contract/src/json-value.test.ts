import { expect, test } from 'vitest';
import { isRecord, toRecord } from './json-value.ts';

test.each([null, undefined, 'a', 0, true, [], [{}]])('%j is no object of JSON', (value) => {
  expect([isRecord(value), toRecord(value)]).toEqual([false, {}]);
});

test('an object is one, and stays as it is', () => {
  const value = { a: 1 };
  expect(isRecord(value)).toBe(true);
  expect(toRecord(value)).toBe(value);
});
