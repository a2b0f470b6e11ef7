import { expect, test } from 'vitest';
import { foldTypes, railTree } from './rail-tree.ts';

const folder = (identifier: string, parent?: string) =>
  ({ identifier, sidebar: 'catalog', sidebarType: 'folder', ...(parent ? { parent } : {}) }) as const;
const page = (identifier: string, parent?: string, type: 'dashboard' | 'entity' = 'dashboard') =>
  ({ identifier, type, sidebar: 'catalog', sidebarType: 'page', ...(parent ? { parent } : {}) }) as const;

test('pages stand in their folders, in the order of the list', () => {
  const tree = railTree([folder('a'), page('one', 'a'), folder('b', 'a'), page('two', 'b'), page('three')]);
  expect(tree.map(({ item }) => item.identifier)).toEqual(['a', 'three']);
  expect(tree[0]?.children.map(({ item }) => item.identifier)).toEqual(['one', 'b']);
});

test('a page whose folder is not shown is not lost', () => {
  expect(railTree([page('one', 'hidden')])).toHaveLength(1);
});

test('pages of single entities are reached from their entities', () => {
  expect(railTree([page('service', undefined, 'entity')])).toEqual([]);
});

test('many pages that came with their types are folded, and what somebody arranged stays', () => {
  const ofType = (identifier: string, more: object = {}) => ({
    item: {
      identifier,
      type: 'blueprint-entities' as const,
      sidebar: 'catalog' as const,
      sidebarType: 'page' as const,
      ...more,
    },
    children: [],
  });
  const eight = Array.from({ length: 8 }, (_, index) => ofType(`type-${index}`));
  expect(foldTypes(eight)).toEqual({ kept: eight, folded: [] });
  const placed = ofType('placed', { after: 'type-0' });
  const board = { item: page('board'), children: [] };
  const nine = [...eight, ofType('type-8')];
  expect(foldTypes([board, ...nine, placed])).toEqual({ kept: [board, placed], folded: nine });
});
