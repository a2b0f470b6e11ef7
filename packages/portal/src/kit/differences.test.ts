import { expect, test } from 'vitest';
import { listDifferences } from './differences.ts';

test('places are told by their path, lists as a whole', () => {
  const before = { title: 'A', properties: { tags: ['x'], size: 1, same: { a: 1 } } };
  const after = { title: 'A', properties: { tags: ['x', 'y'], size: 2, same: { a: 1 } } };
  expect(listDifferences(before, after)).toEqual([
    { path: 'properties.tags', before: ['x'], after: ['x', 'y'] },
    { path: 'properties.size', before: 1, after: 2 },
  ]);
});

test('what came into being is told part by part, without its empty parts', () => {
  expect(listDifferences(null, { title: 'A', icon: null })).toEqual([{ path: 'title', before: undefined, after: 'A' }]);
});

test('a list in place of a text is one difference', () => {
  expect(listDifferences({ a: 'x' }, { a: ['x'] })).toEqual([{ path: 'a', before: 'x', after: ['x'] }]);
});

test('keys of prototypes are keys like others', () => {
  expect(listDifferences({}, JSON.parse('{"__proto__":{"x":1}}'))).toHaveLength(1);
});
