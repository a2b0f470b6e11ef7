import { expect, test } from 'vitest';
import { findCommunities } from './communities.ts';
import { collectLinks } from './model-links.ts';

const related = (identifier: string, ...targets: string[]) =>
  ({ identifier, relations: Object.fromEntries(targets.map((target) => [target, { target }])) }) as never;
const sorted = (groups: readonly (readonly string[])[]) => groups.map((each) => each.toSorted().join('')).toSorted();

test('what is related among itself becomes one group, what is alone stays alone', () => {
  const model = [
    related('a', 'b', 'c'),
    related('b', 'c'),
    related('c'),
    related('x', 'y'),
    related('y'),
    related('z'),
  ];
  const names = ['a', 'b', 'c', 'x', 'y', 'z'];
  expect(sorted(findCommunities(names, collectLinks(model)))).toEqual(['abc', 'xy', 'z']);
});

test('two groups with one relation between them stay two', () => {
  const model = [
    related('a', 'b', 'c', 'd'),
    related('b', 'c', 'd'),
    related('c', 'd', 'm'),
    related('d'),
    related('m', 'n', 'o', 'p'),
    related('n', 'o', 'p'),
    related('o', 'p'),
    related('p'),
  ];
  expect(sorted(findCommunities([...'abcdmnop'], collectLinks(model)))).toEqual(['abcd', 'mnop']);
});

test('the order in which the blueprints come changes nothing', () => {
  const model = Array.from({ length: 40 }, (_, index) =>
    related(`t${index}`, `t${(index * 7) % 40}`, `t${(index * 3 + 1) % 40}`),
  );
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const one = findCommunities(names, collectLinks(model));
  const other = findCommunities(names.toReversed(), collectLinks(model.toReversed()));
  expect(sorted(other)).toEqual(sorted(one));
});
