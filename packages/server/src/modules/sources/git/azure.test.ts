import { expect, test } from 'vitest';
import { azureCase } from '../../../../test/git/hosts/azure-fake.ts';
import { makeRepository, makeWorld, type World } from '../../../../test/git/hosts/world.ts';
import { walk } from '../../../../test/git/walk.ts';
import { azureSource } from './azure.source-type.ts';
import { verifyAzureEvent } from './verify-event.ts';

const signal = new AbortController().signal;
const full = { mode: 'full', state: null } as const;
type Instead = (url: URL, answer: () => Promise<Response>) => Response | Promise<Response> | undefined;

function open(world: World, owners: readonly string[], instead: Instead = () => undefined) {
  const settings = azureSource.settings.parse({ ...azureCase.settings, owners });
  const host = azureCase.fetch(world);
  const fetch: typeof globalThis.fetch = async (input, init) =>
    (await instead(new URL(String(input)), () => host(input, init))) ?? host(input, init);
  const now = () => new Date('2026-11-23T12:00:00Z');
  return () => azureSource.open(settings, azureCase.secrets, { fetch, now, retryMs: 1 });
}

const fillWorld = (count: number): World =>
  makeWorld(Array.from({ length: count }, (_, index) => makeRepository(index + 1, azureCase.codeowners)));

test('all projects of an organization are read, however many pages they take', async () => {
  const asked: (string | null)[] = [];
  const more: Instead = (url) => {
    if (!url.pathname.endsWith('/_apis/projects')) return undefined;
    asked.push(url.searchParams.get('continuationToken'));
    const [id, headers] = asked.length % 2 === 1 ? ['0', { 'x-ms-continuationtoken': 'a b' }] : ['9', undefined];
    const value = [{ id: `${id}1111111-0000-4000-8000-000000000001`, name: id === '0' ? 'acme' : 'other' }];
    return new Response(JSON.stringify({ count: 1, value }), headers ? { headers } : {});
  };
  const world = fillWorld(1);
  const read: string[] = [];
  const walked = await walk(
    open(world, [], (url, answer) => {
      if (url.pathname.endsWith('/_apis/git/repositories')) read.push(url.pathname.split('/')[2] ?? '');
      return more(url, answer);
    }),
    full,
  );
  expect(asked.slice(0, 2)).toEqual([null, 'a b']);
  expect(read).toEqual(['01111111-0000-4000-8000-000000000001', '91111111-0000-4000-8000-000000000001']);
  expect(walked.problems).toEqual([]);
});

test.each([
  [203, {}],
  [302, { location: 'https://login.test/_signin' }],
])('a page to sign in, answered with %i, is a refused token', async (status, headers) => {
  const signIn: Instead = (url) =>
    url.pathname.endsWith('/commits') ? new Response(status === 203 ? '<html>' : null, { status, headers }) : undefined;
  await expect(walk(open(fillWorld(1), ['acme'], signIn), full)).rejects.toMatchObject({ code: 'credentials_refused' });
});

test.each([
  [{ 'retry-after': '120' }, '2026-11-23T12:02:00.000Z'],
  [{ 'x-ratelimit-delay': '1.5' }, '2026-11-23T12:01:00.000Z'],
  [
    { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '1795435500' },
    '2026-11-23T12:05:00.000Z',
  ],
])('an answer that was late, %j, is followed by a pause', async (headers, until) => {
  let asked = 0;
  const slow: Instead = async (_url, answer) => {
    asked += 1;
    const given = await answer();
    return new Response(await given.text(), { status: given.status, headers });
  };
  await expect(walk(open(fillWorld(1), ['acme'], slow), full)).rejects.toMatchObject({ until: new Date(until) });
  expect(asked).toBe(1);
});

test('names with spaces are addressed, and links lead to the commit', async () => {
  const world = makeWorld([makeRepository(1, azureCase.codeowners, { name: 'my service' })]);
  const walked = await walk(open(world, ['acme']), full);
  const [item] = [...walked.items.values()].filter(({ kind }) => kind === 'repository');
  expect(item?.document['readme']).toContain(
    `https://dev.azure.test/org/acme/_git/my%20service?version=GC${world.repositories[0]?.commits[0]?.sha}&path=/docs/a.md`,
  );
});

test('other events and pushes of tags say nothing', async () => {
  const world = fillWorld(1);
  const [one] = world.repositories;
  if (!one) expect.fail('no repository');
  const reader = open(world, ['acme'])();
  const { headers, body } = azureCase.push(one, 'main', 'a'.repeat(40));
  const other = { ...(body as object), eventType: 'git.pullrequest.created' } as never;
  expect(await reader.readEvent?.({ headers, body: other }, signal)).toBeUndefined();
  expect(await reader.readEvent?.({ headers, body: { eventType: 'git.push' } }, signal)).toBeUndefined();
});

test.each([
  ['Basic', 'any:hush', true],
  ['Basic', 'any:with:colon', false],
  ['Basic', 'hush', false],
  ['Bearer', 'any:hush', false],
])('%s %s proves an event: %s', (scheme, pair, isProof) => {
  const authorization = `${scheme} ${Buffer.from(pair).toString('base64')}`;
  expect(verifyAzureEvent({ authorization }, Buffer.alloc(0), 'hush')).toBe(isProof);
});
