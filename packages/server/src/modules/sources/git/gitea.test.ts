import { expect, test } from 'vitest';
import answers from '../../../../test/git/gitea-answers.json' with { type: 'json' };
import { replayingFetch } from '../../../../test/git/recorded-fetch.ts';
import { walk } from '../../../../test/git/walk.ts';
import type { PassStart } from '../source-type.ts';
import { giteaSource } from './gitea.source-type.ts';

const full: PassStart = { mode: 'full', state: null };

function open(fetch: typeof globalThis.fetch = replayingFetch(answers)) {
  const settings = giteaSource.settings.parse({ url: 'http://gitea.test/', owners: ['acme'] });
  return () => giteaSource.open(settings, { token: 't0ken' }, { fetch, now: () => new Date('2026-11-23T12:00:00Z') });
}

/** The host as recorded, but for what the test says. */
function but(change: (path: string, seen: number) => Response | undefined): typeof fetch {
  const replay = replayingFetch(answers);
  let seen = 0;
  return async (input, init) => {
    seen += 1;
    return change(new URL(String(input)).pathname, seen) ?? replay(input, init);
  };
}

test('repositories come with what the host and their files tell', async () => {
  const { items, problems, gone } = await walk(open(), full);
  expect([problems, gone]).toEqual([[], []]);
  expect([...items.values()].map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'repository gitea.test#1',
    'port-file gitea.test#1:port.yml#api@service',
    'port-file gitea.test#1:port.yml#api-worker@service',
    'api-definition gitea.test#1:docs/openapi.yaml',
    'repository gitea.test#2',
    'port-file gitea.test#2:port.yml#web@service',
    'port-file gitea.test#2:port.yml#web-worker@service',
    'api-definition gitea.test#2:docs/openapi.yaml',
    'repository gitea.test#3',
    'team gitea.test/acme#team-1',
    'team gitea.test/acme#team-2',
  ]);
  expect(items.get('gitea.test#1')?.document).toMatchObject({
    path: 'acme/api',
    owner: { owner: '@acme/payments', team: 'payments' },
    head: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), message: 'change' },
    readme: expect.stringContaining('# api'),
    codeowners: { path: 'CODEOWNERS', counts: { '@acme/payments': 4 } },
  });
  expect(items.get('gitea.test#3')?.document).toMatchObject({ empty: true, head: null, owner: { team: null } });
});

test('a limit postpones the page until the host takes requests again', async () => {
  const fetch = but((_path, seen) =>
    seen > 5 ? new Response('', { status: 429, headers: { 'retry-after': '90' } }) : undefined,
  );
  await expect(walk(open(fetch), full)).rejects.toMatchObject({
    name: 'Postponed',
    until: new Date('2026-11-23T12:01:30Z'),
    message: expect.stringContaining('12:01'),
  });
});

test('nothing more is asked once four fifths of a limit are used', async () => {
  const reset = String(Date.parse('2026-11-23T12:30:00Z') / 1000);
  const asked: string[] = [];
  const replay = replayingFetch(answers);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(String(input));
    const answer = await replay(input, init);
    const limit = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '900', 'x-ratelimit-reset': reset };
    return new Response(await answer.text(), {
      status: answer.status,
      headers: { ...Object.fromEntries(answer.headers), ...limit },
    });
  };
  await expect(walk(open(fetch), full)).rejects.toMatchObject({ until: new Date('2026-11-23T12:30:00Z') });
  expect(asked).toHaveLength(1);
});

test('a token that is refused in the middle is no end of the list', async () => {
  const fetch = but((_path, seen) => (seen > 5 ? new Response('', { status: 401 }) : undefined));
  await expect(walk(open(fetch), full)).rejects.toMatchObject({ code: 'credentials_refused', fix: expect.any(String) });
});

test.each([403, 404])('a repository that answers %i stays as it is, and the others are read', async (status) => {
  const fetch = but((path) => (path.includes('/acme/api/') ? new Response('{}', { status }) : undefined));
  const { items, problems, unread } = await walk(open(fetch), full);
  expect(items.has('gitea.test#1')).toBe(false);
  expect(items.has('gitea.test#2')).toBe(true);
  expect([problems, unread]).toEqual([['lost_access'], ['gitea.test#1']]);
});

test('a file that cannot be read keeps what it declared', async () => {
  const fetch = but((path) => (path.endsWith('/acme/api/raw/port.yml') ? new Response('a: [') : undefined));
  const { problems, unread } = await walk(open(fetch), full);
  expect([problems, unread]).toEqual([['unreadable_file'], ['gitea.test#1:port.yml#']]);
});

test('a list that says that it goes on is not over, however short a page is', async () => {
  const next = '<http://gitea.test/api/v1/repos/search?page=2>; rel="next"';
  const asked: string[] = [];
  const replay = replayingFetch(answers);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname.endsWith('/repos/search')) asked.push(url.searchParams.get('page') ?? '');
    if (url.searchParams.get('page') === '2')
      return new Response('{"ok":true,"data":[]}', { headers: { 'x-total-count': '3' } });
    const answer = await replay(input, init);
    if (!url.pathname.endsWith('/repos/search')) return answer;
    return new Response(await answer.text(), { headers: { link: next, 'x-total-count': '3' } });
  };
  await walk(open(fetch), full);
  expect(asked).toEqual(['1', '2']);
});

test('a list from which something was deleted in between is read again from its beginning', async () => {
  const next = '<http://gitea.test/api/v1/repos/search?page=2>; rel="next"';
  const totals = ['3', '2', '2', '2'];
  const asked: string[] = [];
  const replay = replayingFetch(answers);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    if (!url.pathname.endsWith('/repos/search')) return replay(input, init);
    const page = url.searchParams.get('page') ?? '';
    asked.push(page);
    const total = totals[asked.length - 1] ?? '';
    if (page === '2') return new Response('{"data":[]}', { headers: { 'x-total-count': total } });
    return new Response(await (await replay(input, init)).text(), { headers: { link: next, 'x-total-count': total } });
  };
  await walk(open(fetch), full);
  expect(asked).toEqual(['1', '2', '1', '2']);
});

test('credentials do not follow a redirect to another host', async () => {
  const moved = new Response('', { status: 302, headers: { location: 'http://elsewhere.test/' } });
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input));
    return moved;
  };
  await expect(walk(open(fetch), full)).rejects.toThrow('302');
  expect(asked.every((url) => url.startsWith('http://gitea.test/'))).toBe(true);
});
