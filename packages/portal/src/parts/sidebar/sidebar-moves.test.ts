import { describe, expect, test } from 'vitest';
import { foldersFor, movesTo, type SidebarItem, siblingsIn } from './sidebar-moves.ts';

function page(identifier: string, more: object = {}): SidebarItem {
  return { identifier, type: 'dashboard', sidebar: 'catalog', sidebarType: 'page', ...more } as SidebarItem;
}
function folder(identifier: string, more: object = {}): SidebarItem {
  return { identifier, sidebar: 'catalog', sidebarType: 'folder', ...more } as SidebarItem;
}
const told = (items: readonly SidebarItem[], moved: SidebarItem, place: { parent?: string; after?: string }) =>
  movesTo(items, moved, { parent: place.parent, after: place.after }).map(
    ({ item, parent, after }) => `${parent ?? ''}/${item.identifier} after ${after ?? 'nobody'}`,
  );

describe('moving', () => {
  const [a, b, c, d] = [page('a'), page('b'), page('c'), page('d')];
  const plain = [a, b, c, d];

  test('down writes the moved one alone', () => {
    expect(told(plain, a, { after: 'c' })).toEqual(['/a after c']);
  });

  test('up, what came before follows it', () => {
    expect(told(plain, c, { after: 'a' })).toEqual(['/c after a']);
    expect(told(plain, d, {})).toContain('/a after d');
  });

  test('to the first place, all others come after it', () => {
    const follower = page('f', { after: 'a' });
    expect(told([a, follower, b], follower, {})).toEqual(['/f after nobody', '/a after f', '/b after a']);
  });

  test('between two that follow each other, both are written', () => {
    const chained = [a, page('b', { after: 'a' }), c];
    expect(told(chained, c, { after: 'a' })).toEqual(['/c after a', '/b after c']);
  });

  test('into a folder', () => {
    const f = folder('f');
    const inside = page('x', { parent: 'f' });
    expect(told([f, inside, a], a, { parent: 'f', after: 'x' })).toEqual(['f/a after x']);
  });
});

test('whoever lies in a folder that is not there stands on the top level', () => {
  const lost = page('lost', { parent: 'gone' });
  expect(siblingsIn([lost], undefined)).toEqual([lost]);
});

test('a folder goes into no folder of its own, and no deeper than three', () => {
  const one = folder('one');
  const two = folder('two', { parent: 'one' });
  const three = folder('three', { parent: 'two' });
  const other = folder('other');
  const names = (moved: SidebarItem) => foldersFor([one, two, three, other], moved).map(({ identifier }) => identifier);
  expect(names(one)).toEqual([]);
  expect(names(three)).toEqual(['one', 'two', 'other']);
  expect(names(other)).toEqual(['one', 'two']);
  expect(names(page('p'))).toEqual(['one', 'two', 'three', 'other']);
});
