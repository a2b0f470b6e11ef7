import { expect, test } from 'vitest';
import {
  type Favorite,
  favoriteAddress,
  isIn,
  movedBefore,
  withFavorite,
  withoutFavorite,
  withView,
} from './favorite.ts';

const page = (identifier: string): Favorite => ({ kind: 'page', identifier });
const entity = (blueprint: string, identifier: string): Favorite => ({ kind: 'entity', blueprint, identifier });
const view = (identifier: string, of: string, settings = {}): Favorite => ({
  kind: 'view',
  identifier,
  page: of,
  view: settings,
});
const names = (favorites: readonly Favorite[]) => favorites.map(({ identifier }) => identifier).join('');
const [a, b, c] = [page('a'), page('b'), page('c')];

test('a new favorite stands last, and stands there once', () => {
  expect(names(withFavorite(c)([a, b]))).toBe('abc');
  expect(names(withFavorite({ ...a, title: 'A' })([a, b]))).toBe('ab');
});

test('things of one name and another kind or type are apart', () => {
  expect(isIn([entity('service', 'a')], entity('team', 'a'))).toBe(false);
  expect(isIn([entity('_ai_agent', 'a')], { kind: 'agent', identifier: 'a' })).toBe(false);
  expect(names(withoutFavorite(page('a'))([entity('service', 'a'), a]))).toBe('a');
});

test('views of one name on two pages are apart, and one that is kept again stays in its place', () => {
  const list = [view('x', 'services'), a, view('x', 'teams')];
  expect(isIn(list, view('y', 'services'))).toBe(false);
  expect(withoutFavorite(view('x', 'teams'))(list)).toEqual(list.slice(0, 2));
  expect(withView(view('x', 'teams', { group: 'tier' }))(list)).toEqual([
    ...list.slice(0, 2),
    view('x', 'teams', { group: 'tier' }),
  ]);
  expect(withView(view('new', 'teams'))(list)).toEqual(list);
});

test('a favorite moves before another, or to the end', () => {
  expect(names(movedBefore(c, a)([a, b, c]))).toBe('cab');
  expect(names(movedBefore(a, c)([a, b, c]))).toBe('bac');
  expect(names(movedBefore(a, undefined)([a, b, c]))).toBe('bca');
  expect(names(movedBefore(b, b)([a, b, c]))).toBe('abc');
});

test('what another tab removed is not brought back by a move', () => {
  expect(names(movedBefore(b, a)([a, c]))).toBe('ac');
  expect(names(movedBefore(c, b)([a, c]))).toBe('ac');
});

test('each kind leads to its own screen', () => {
  const kinds: readonly Favorite[] = [
    a,
    entity('service', 'x'),
    { kind: 'action', identifier: 'x' },
    { kind: 'agent', identifier: 'x' },
    view('x', 'services'),
  ];
  expect(kinds.map((each) => favoriteAddress(each).to)).toEqual([
    '/catalog/$page',
    '/e/$blueprint/$entity',
    '/self-service/$action',
    '/ai/agents/$agent',
    '/catalog/$page',
  ]);
  expect(favoriteAddress(view('x', 'services', { group: 'tier' }))).toMatchObject({
    params: { page: 'services' },
    search: { view: { group: 'tier' } },
  });
});
