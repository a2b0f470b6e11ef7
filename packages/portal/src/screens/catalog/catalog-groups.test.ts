import { expect, test } from 'vitest';
import { railTree } from '../../frame/rail-tree.ts';
import { groupPages } from './catalog-groups.ts';

const folder = (identifier: string, parent?: string) =>
  ({ identifier, sidebar: 'catalog', sidebarType: 'folder', ...(parent ? { parent } : {}) }) as const;
const page = (identifier: string, parent?: string, type: 'dashboard' | 'blueprint-entities' = 'dashboard') =>
  ({ identifier, type, sidebar: 'catalog', sidebarType: 'page', ...(parent ? { parent } : {}) }) as const;
const type = (identifier: string, parent?: string) => page(identifier, parent, 'blueprint-entities');

const nodes = railTree([
  type('teams'),
  folder('ops'),
  page('board', 'ops'),
  folder('deep', 'ops'),
  type('incidents', 'deep'),
  page('home_board'),
  folder('empty'),
  type('apis'),
]);
const shown = (isWanted: (name: string) => boolean) =>
  groupPages(nodes, isWanted).map(({ title, pages }) => [title, ...pages.map(({ identifier }) => identifier)]);

test('pages stand alone, by folder with all that lies in it, and types by name', () => {
  expect(shown(() => true)).toEqual([
    ['Pages', 'home_board'],
    ['ops', 'board', 'incidents'],
    ['Types', 'apis', 'teams'],
  ]);
});

test('groups without a wanted page are left out', () => {
  expect(shown((name) => name === 'incidents')).toEqual([['ops', 'incidents']]);
  expect(shown(() => false)).toEqual([]);
});
