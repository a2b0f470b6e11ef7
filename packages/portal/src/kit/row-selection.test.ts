import { expect, test } from 'vitest';
import { allToggled, toggled, withRange } from './row-selection.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const list = (selected: ReadonlySet<string>) => [...selected].sort();

test('a row is added and taken away again', () => {
  const once = toggled(new Set(['a']), 'b');
  expect([list(once), list(toggled(once, 'b'))]).toEqual([['a', 'b'], ['a']]);
});

test('a range holds both ends, in either direction, and what was selected before', () => {
  expect(list(withRange(new Set(['e']), keys, 'a', 'c'))).toEqual(['a', 'b', 'c', 'e']);
  expect(list(withRange(new Set(), keys, 'd', 'b'))).toEqual(['b', 'c', 'd']);
});

test('a range from a row that is gone is its end alone', () => {
  expect(list(withRange(new Set(['a']), keys, 'gone', 'c'))).toEqual(['a', 'c']);
  expect(list(withRange(new Set(), keys, undefined, 'c'))).toEqual(['c']);
});

test('all that is loaded is selected, then none of it, and what is not loaded stays', () => {
  const all = allToggled(new Set(['elsewhere', 'b']), keys);
  expect(list(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'elsewhere']);
  expect(list(allToggled(all, keys))).toEqual(['elsewhere']);
});
