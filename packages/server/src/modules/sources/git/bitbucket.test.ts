import { expect, test } from 'vitest';
import { bitbucketCase } from '../../../../test/git/hosts/bitbucket-fake.ts';
import { commitTo, declaring, makeRepository, makeWorld, type World } from '../../../../test/git/hosts/world.ts';
import { walk } from '../../../../test/git/walk.ts';
import { bitbucketSource } from './bitbucket.source-type.ts';

const signal = new AbortController().signal;
const full = { mode: 'full', state: null } as const;
type Answer = Response | undefined;
type Instead = (url: URL, headers: Headers, answer: () => Promise<Response>) => Answer | Promise<Answer>;

function open(world: World, settings: object = {}, instead: Instead = () => undefined) {
  const parsed = bitbucketSource.settings.parse({ owners: ['acme'], ...settings });
  const host = bitbucketCase.fetch(world);
  const fetch: typeof globalThis.fetch = async (input, init) =>
    (await instead(new URL(String(input)), new Headers(init?.headers), () => host(input, init))) ?? host(input, init);
  const now = () => new Date('2026-11-23T12:00:00Z');
  return () => bitbucketSource.open(parsed, bitbucketCase.secrets, { fetch, now, retryMs: 1 });
}

const fillWorld = (count: number): World =>
  makeWorld(Array.from({ length: count }, (_, index) => makeRepository(index + 1, bitbucketCase.codeowners)));

test('the token of a person is sent with their name', async () => {
  const sent: (string | null)[] = [];
  const note: Instead = (_url, headers) => {
    sent.push(headers.get('authorization'));
    return new Response('{}', { status: 401 });
  };
  await expect(walk(open(fillWorld(1), { user: 'ada@acme.example' }, note), full)).rejects.toMatchObject({
    code: 'credentials_refused',
  });
  expect(sent).toEqual([`Basic ${Buffer.from('ada@acme.example:atct-1').toString('base64')}`]);
});

test('one repository can be the source', async () => {
  const walked = await walk(open(fillWorld(3), { owners: ['acme/service-2'] }), full);
  expect([...walked.items.values()].map(({ document }) => document['path']).filter(Boolean)).toContain(
    'acme/service-2',
  );
  expect([...walked.items.values()].filter(({ kind }) => kind === 'repository')).toHaveLength(1);
  expect([...walked.items.values()].filter(({ kind }) => kind === 'team')).toEqual([]);
});

test('a source names its workspaces', () => {
  expect(bitbucketSource.settings.safeParse({ owners: [] }).success).toBe(false);
  expect(bitbucketSource.settings.safeParse({}).success).toBe(false);
});

test('check tells what a full read costs before it starts', async () => {
  const sized = (size: number, headers: Record<string, string> = {}): Instead => {
    return (url) =>
      url.searchParams.get('pagelen') === '1'
        ? new Response(JSON.stringify({ size, values: [] }), { headers })
        : undefined;
  };
  const small = await open(fillWorld(1), {}, sized(50))().check(signal);
  expect(small.checks).toContainEqual({
    name: 'rate_limit',
    state: 'passed',
    message: 'A full read takes about 310 requests, and Bitbucket gives 1000 an hour: about 1 h',
  });
  const large = await open(fillWorld(1), {}, sized(1000, { 'x-ratelimit-limit': '2500' }))().check(signal);
  expect(large.checks).toContainEqual(
    expect.objectContaining({
      state: 'warning',
      message: 'A full read takes about 6200 requests, and Bitbucket gives 2500 an hour: about 3 h',
      fix: expect.any(String),
    }),
  );
});

test.each([
  [200, { 'x-ratelimit-nearlimit': 'true' }],
  [429, {}],
])('a rolling limit, told by %i %j, is left time to roll', async (status, headers) => {
  const near: Instead = async (_url, _headers, answer) =>
    new Response(await (await answer()).text(), { status, headers });
  await expect(walk(open(fillWorld(1), {}, near), full)).rejects.toMatchObject({
    name: 'Postponed',
    until: new Date('2026-11-23T12:15:00Z'),
  });
});

test('a file in large file storage is left where it is, and what it declared stays', async () => {
  const world = fillWorld(1);
  const moved: Instead = (url) =>
    url.pathname.endsWith('/port.yml') && !url.pathname.includes('deep')
      ? new Response(null, { status: 301, headers: { location: 'https://storage.test/blob' } })
      : undefined;
  const walked = await walk(open(world, {}, moved), full);
  expect([walked.problems, walked.unread]).toEqual([
    [],
    ['bitbucket.org#00000000-0000-4000-8000-000000000001:port.yml'],
  ]);
});

test('folders deeper than are listed are not gone', async () => {
  const world = fillWorld(1);
  const deep: Instead = (url) =>
    url.pathname.endsWith(`/src/${world.repositories[0]?.commits[0]?.sha}/`)
      ? new Response(
          JSON.stringify({
            values: [{ type: 'commit_directory', path: Array.from({ length: 20 }, () => 'a').join('/') }],
          }),
        )
      : undefined;
  const walked = await walk(open(world, {}, deep), full);
  expect([walked.problems, walked.unread]).toEqual([
    ['files_left_out'],
    ['bitbucket.org#00000000-0000-4000-8000-000000000001:'],
  ]);
});

test('an event tells of a deletion, a rename, and of the change to the default branch among others', async () => {
  const world = fillWorld(1);
  const [one] = world.repositories;
  if (!one) expect.fail('no repository');
  const key = bitbucketCase.keyOf(one);
  const reader = open(world)();
  const { body } = bitbucketCase.push(one, 'main', '');
  const send = (event: string, sent = body) =>
    reader.readEvent?.({ headers: { 'x-event-key': event }, body: sent }, signal);
  // sent again after the repository came back, it says nothing
  expect(await send('repo:deleted')).toBeUndefined();
  world.repositories = [];
  expect(await send('repo:deleted')).toMatchObject({ items: [], gone: [{ key }] });
  world.repositories = [one];
  expect((await send('repo:updated'))?.items[0]).toMatchObject({ key });
  expect(await send('pullrequest:created')).toBeUndefined();
  const before = one.commits[0]?.sha ?? '';
  commitTo(one, '2026-11-22T10:00:00.000Z', { 'port.yml': declaring('fresh') });
  const branch = (name: string, hash: string) => ({ type: 'branch', name, target: { type: 'commit', hash } });
  const changes = [
    { new: null, old: branch('gone', before) },
    { new: { ...branch('main', before), type: 'tag' }, old: null },
    { new: branch('main', 'f'.repeat(40)), old: branch('main', before) },
  ];
  const push = await send('repo:push', { ...(body as object), push: { changes } } as never);
  expect(push?.gone).toEqual([{ key: `${key}:port.yml#service-1@service` }]);
});
