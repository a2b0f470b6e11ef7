import { expect, test } from 'vitest';
import { createQueryClient } from '../api/query.ts';
import { buildHref, type LinkTarget } from './link-target.ts';
import { createPortalRouter } from './router.tsx';

const router = createPortalRouter(createQueryClient());

const targets: readonly LinkTarget[] = [
  { to: '/' },
  { to: '/runs/$run', params: { run: 'r_1' } },
  { to: '/e/$blueprint/$entity', params: { blueprint: 'a b', entity: 'x/y?z#1 %2F ü' } },
  { to: '/catalog/$page/edit', params: { page: '$home' }, search: { tab: 'widgets' } },
  { to: '/builder/actions/$action', params: { action: '123' }, search: { tab: 'json' } },
  { to: '/self-service/$action', params: { action: 'new' }, search: { entity: '123' } },
  { to: '/self-service/$action', params: { action: 'new' }, search: { entity: 'true & more' } },
];

test.each(targets)('the address of $to is the one that the router writes', (target) => {
  expect(buildHref(target)).toBe(router.buildLocation(target).href);
});

/** The parsed search of an address, as its screen receives it. */
function searchAt(address: string): unknown {
  const { pathname, search } = new URL(address, 'http://portal.test');
  return router.matchRoutes(pathname, router.options.parseSearch(search)).at(-1)?.search;
}

test('the address of an entity is found again, whatever its identifier is made of', () => {
  const params = { blueprint: 'a b', entity: 'x/y?z#1 %2F ü' };
  const { pathname } = router.buildLocation({ to: '/e/$blueprint/$entity', params });
  expect(router.matchRoutes(pathname, {}).at(-1)?.params).toEqual(params);
});

test('a value of the wrong type in an address never reaches a screen', () => {
  expect(searchAt('/runs?status=7&mine=yes&entity=true&source=[1]')).toEqual({ status: '7', entity: 'true' });
  expect(searchAt('/builder/sources/integrations/i?tab=nowhere&level=["error",1]')).toEqual({ level: ['error'] });
  expect(searchAt('/ai/usage?days=30&as=table')).toEqual({ days: 30, as: 'table' });
});

test('what a screen has no schema for stays in its address: values of a form, the view of a widget', () => {
  expect(searchAt('/self-service/new?entity=7&size=3&panel=inbox~')).toEqual({ entity: 7, size: 3, panel: 'inbox~' });
  expect(searchAt('/catalog/services?view={"group":"team"}')).toEqual({ view: { group: 'team' } });
});
