import { expect, test } from 'vitest';
import { focusNodes } from './focus-nodes.ts';
import { collectLinks } from './model-links.ts';

const related = (identifier: string, ...targets: string[]) =>
  ({ identifier, relations: Object.fromEntries(targets.map((target) => [target, { target }])) }) as never;
const lane = (identifier: string) => (identifier.endsWith('0') ? 'Zero' : 'Rest');

test('a depth is a number of relations, in either direction', () => {
  const links = collectLinks([related('a', 'b'), related('b', 'c'), related('c', 'd'), related('d')]);
  expect(focusNodes(links, 'b', 1, lane).shown.toSorted()).toEqual(['a', 'b', 'c']);
  expect(focusNodes(links, 'b', 2, lane).shown.toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

test('a hub of hundreds keeps as many as are drawn, and folds the others by lane', () => {
  const leaves = Array.from({ length: 300 }, (_, index) => `leaf${index}`);
  const links = collectLinks([related('hub', ...leaves), ...leaves.map((leaf) => related(leaf))]);
  const { shown, folds } = focusNodes(links, 'hub', 3, lane);
  expect(shown.length + folds.length).toBeLessThanOrEqual(60);
  expect(folds.map((fold) => fold.lane).toSorted()).toEqual(['Rest', 'Zero']);
  expect(shown.length + folds.flatMap(({ members }) => members).length).toBe(301);
});

test('what is not there, or related with itself alone, is shown alone', () => {
  expect(focusNodes(collectLinks([related('self', 'self')]), 'self', 3, lane)).toEqual({ shown: ['self'], folds: [] });
  expect(focusNodes(collectLinks([]), 'gone', 3, lane).shown).toEqual(['gone']);
});
