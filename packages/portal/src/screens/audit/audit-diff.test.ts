import { expect, test } from 'vitest';
import { differences } from './audit-diff.ts';

test('only the leaves that differ are told', () => {
  const before = { title: 'A', properties: { tier: 1, same: [1] } };
  const after = { title: 'A', properties: { tier: 2, same: [1], late: null } };
  expect(differences(before, after)).toEqual([
    { path: 'properties.tier', before: 1, after: 2 },
    { path: 'properties.late', before: undefined, after: null },
  ]);
});

test('what came into being or went is told part by part', () => {
  expect(differences(null, { a: 1 })).toEqual([{ path: 'a', before: undefined, after: 1 }]);
  expect(differences({ a: 1 }, null)).toEqual([{ path: 'a', before: 1, after: undefined }]);
  expect(differences(null, null)).toEqual([]);
});

test('keys of prototypes are keys like others, and a huge change ends', () => {
  expect(differences({}, JSON.parse('{"__proto__":{"x":1}}'))).toHaveLength(1);
  const huge = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
  expect(differences({}, huge)).toHaveLength(200);
});
