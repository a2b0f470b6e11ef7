import { expect, test } from 'vitest';
import { gitLabCase } from '../../../../test/git/hosts/gitlab-fake.ts';
import { commitTo, makeRepository, makeWorld, type World } from '../../../../test/git/hosts/world.ts';
import { walk } from '../../../../test/git/walk.ts';
import { gitLabSource } from './gitlab.source-type.ts';

const signal = new AbortController().signal;
const json = (body: unknown, init: ResponseInit = {}): Response => new Response(JSON.stringify(body), init);

function open(world: World, owners: readonly string[], instead: (url: URL) => Response | undefined = () => undefined) {
  const settings = gitLabSource.settings.parse({ ...gitLabCase.settings, owners });
  const host = gitLabCase.fetch(world);
  const fetch: typeof globalThis.fetch = async (input, init) => instead(new URL(String(input))) ?? host(input, init);
  const now = () => new Date('2026-11-23T12:00:00Z');
  return () => gitLabSource.open(settings, gitLabCase.secrets, { fetch, now });
}

const fillWorld = (count: number): World =>
  makeWorld(Array.from({ length: count }, (_, index) => makeRepository(index + 1, gitLabCase.codeowners)));
const paths = (walked: Awaited<ReturnType<typeof walk>>) =>
  [...walked.items.values()].filter(({ kind }) => kind === 'repository').map(({ document }) => document['path']);
const full = { mode: 'full', state: null } as const;

test('a project pushed to within the hour in which the host notes no activity is read', async () => {
  const world = fillWorld(2);
  const [one] = world.repositories;
  if (!one) expect.fail('no repository');
  // noted at 10:00, pushed again at 10:40: the list still says 10:00
  commitTo(one, '2026-11-22T10:00:00.000Z', {});
  const changes = { mode: 'changes', state: { since: '2026-11-22T10:35:00.000Z' } } as const;
  expect(paths(await walk(open(world, ['acme']), changes))).toEqual(['acme/service-1']);
  const late = { mode: 'changes', state: { since: '2026-11-22T11:05:00.000Z' } } as const;
  expect(paths(await walk(open(world, ['acme']), late))).toEqual([]);
});

test('one project, the projects of a user, or all of the token can be the source', async () => {
  const world = fillWorld(2);
  expect(paths(await walk(open(world, ['acme/service-2']), full))).toEqual(['acme/service-2']);
  const project = await gitLabCase.fetch(world)('https://gitlab.acme.test/api/v4/projects/1', {
    headers: { authorization: 'Bearer glpat-1' },
  });
  const one: unknown = await project.json();
  const others = (url: URL): Response | undefined => {
    const path = url.pathname.replace('/api/v4', '');
    if (path === '/users' && url.searchParams.get('username') === 'ada') return json([{ id: 5, username: 'ada' }]);
    if (path === '/users/5/projects') return json([one]);
    if (path === '/projects') return url.searchParams.get('membership') === 'true' ? json([one]) : undefined;
    if (path === '/groups') return json([{ id: 7, name: 'Payments', path: 'payments', full_path: 'acme/payments' }]);
    return undefined;
  };
  expect(paths(await walk(open(world, ['ada'], others), full))).toEqual(['acme/service-1']);
  const all = await walk(open(world, [], others), full);
  expect(paths(all)).toEqual(['acme/service-1']);
  expect(all.items.get('gitlab.acme.test/acme#team-7')?.document).toMatchObject({ slug: 'payments' });
});

test('the repository of a project may be switched off', async () => {
  const world = fillWorld(1);
  const off = (url: URL): Response | undefined =>
    url.pathname.endsWith('/groups/1/projects')
      ? json([
          {
            id: 4,
            name: 'wiki',
            path_with_namespace: 'acme/wiki',
            namespace: { full_path: 'acme' },
            default_branch: 'main',
            empty_repo: false,
            repository_access_level: 'disabled',
            last_activity_at: '2026-11-22T10:00:00.000Z',
          },
        ])
      : undefined;
  const walked = await walk(open(world, ['acme'], off), full);
  expect([paths(walked), walked.problems]).toEqual([['acme/wiki'], []]);
});

test('a deleted project is evidence, and one that is made, moved or renamed is read', async () => {
  const world = fillWorld(1);
  const reader = open(world, ['acme'])();
  const event = (body: object) => reader.readEvent?.({ headers: {}, body: body as never }, signal);
  const moved = await event({ event_name: 'project_transfer', project_id: 1 });
  expect(moved?.items[0]).toMatchObject({ key: 'gitlab.acme.test#1' });
  expect(await event({ event_name: 'user_create', project_id: 1 })).toBeUndefined();
  expect(await event({ object_kind: 'issue' })).toBeUndefined();
  // sent again after the project came back, it says nothing
  expect(await event({ event_name: 'project_destroy', project_id: 1 })).toBeUndefined();
  world.repositories = [];
  const gone = await event({ event_name: 'project_destroy', project_id: 1 });
  expect(gone).toMatchObject({ items: [], gone: [{ key: 'gitlab.acme.test#1' }] });
});

test('an edition without webhooks of groups is read by the schedule', async () => {
  const none = (url: URL) => (url.pathname.endsWith('/hooks') ? new Response('{}', { status: 404 }) : undefined);
  expect(await open(fillWorld(1), ['acme'], none)().registerHook?.('https://p.test/x', 'hush', signal)).toBe(false);
});

test.each([
  [{ scopes: ['read_repository'], expires_at: null }, 'scopes', 'failed'],
  [{ scopes: ['api'], expires_at: '2026-11-30' }, 'credentials', 'warning'],
  [{ scopes: ['read_api'], expires_at: null }, 'credentials', 'passed'],
])('check says of a token %j: %s %s', async (self, name, state) => {
  const told = (url: URL) => (url.pathname.endsWith('/self') ? json(self) : undefined);
  const { checks } = await open(fillWorld(1), ['acme'], told)().check(signal);
  expect(checks.map((check) => [check.name, check.state])).toContainEqual([name, state]);
});
