import { expect, test } from 'vitest';
import { walk } from '../../../../../test/git/walk.ts';
import type { PassStart, SourceEvent } from '../../source-type.ts';
import { gitHubSource } from '../github.source-type.ts';

const full: PassStart = { mode: 'full', state: null };
const now = new Date('2026-11-23T12:00:00Z');
const json = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { headers });
const repository = {
  id: 1,
  name: 'pay',
  full_name: 'acme/pay',
  owner: { login: 'acme' },
  default_branch: 'main',
  pushed_at: '2026-11-20T10:00:00Z',
};
const pull = (number: number, more = {}) => ({
  number,
  title: `Change ${number}`,
  state: 'open',
  html_url: `https://github.com/acme/pay/pull/${number}`,
  user: { login: 'ada' },
  requested_reviewers: [{ login: 'grace' }],
  labels: [{ name: 'bug' }],
  base: { ref: 'main' },
  head: { ref: 'topic', sha: 'c0ffee' },
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-21T10:00:00+01:00',
  ...more,
});
const run = {
  id: 5,
  name: 'CI',
  display_title: 'Fix it',
  run_number: 12,
  status: 'completed',
  conclusion: 'timed_out',
  head_branch: 'main',
  head_sha: 'c0ffee',
  event: 'push',
  run_started_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:01:30Z',
};
const releases = [
  { id: 7, tag_name: 'v1', name: '', body: 'First', published_at: '2026-11-20T10:00:00Z', author: { login: 'ada' } },
  { id: 8, tag_name: 'v2', draft: true },
];
const details = { defaultBranchRef: null, pullRequests: { totalCount: 1 }, latestRelease: null };

/** GitHub with one repository; `instead` comes first. */
function open(settings: object, instead: (url: URL) => Response | undefined = () => undefined) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    asked.push(url.pathname + url.search);
    const other = instead(url);
    if (other) return other;
    const path = url.pathname.replace('/repos/acme/pay', '');
    if (path === '/graphql') return json({ data: { repository: details } });
    if (path === '/orgs/acme/repos') return json([repository]);
    if (path === '') return json(repository);
    if (path === '/pulls') return json([pull(2, { state: 'closed', merged_at: '2026-11-21T10:00:00Z' }), pull(1)]);
    if (path === '/pulls/1') return json(pull(1));
    if (path === '/actions/runs') return json({ total_count: 1, workflow_runs: [run] });
    if (path === '/releases') return json(releases);
    if (path === '/search/issues')
      return json({ items: [{ number: 1, repository_url: 'https://api/repos/acme/pay' }] });
    return expect.fail(`GitHub has no ${url.href}`);
  };
  const parsed = gitHubSource.settings.parse({ owners: ['acme'], teams: false, ...settings });
  return { asked, reader: () => gitHubSource.open(parsed, { token: 't' }, { fetch, now: () => now }) };
}

const all = { pullRequests: true, pipelineRuns: true, releases: true };

test('pull requests, pipeline runs and releases are told in the same words for every host', async () => {
  const { items, problems, unread } = await walk(open(all).reader, full);
  expect([problems, unread]).toEqual([[], []]);
  expect([...items.keys()]).toEqual([
    'github.com#1',
    'github.com#1/pull-request/2',
    'github.com#1/pull-request/1',
    'github.com#1/pipeline-run/5',
    'github.com#1/release/7',
  ]);
  expect(items.get('github.com#1/pull-request/1')?.document).toMatchObject({
    state: 'open',
    author: 'ada',
    reviewers: ['grace'],
    labels: ['bug'],
    base: 'main',
    head: 'topic',
    updatedAt: '2026-11-21T09:00:00.000Z',
    repository: { path: 'acme/pay' },
  });
  expect(items.get('github.com#1/pull-request/2')?.document).toMatchObject({ state: 'merged' });
  expect(items.get('github.com#1/pipeline-run/5')?.document).toMatchObject({ status: 'failure', durationSeconds: 90 });
  expect(items.get('github.com#1/release/7')?.document).toMatchObject({ tag: 'v1', name: 'v1', notes: 'First' });
});

test('nothing is asked unless it is wished for', async () => {
  const { asked, reader } = open({});
  await walk(reader, full);
  expect(asked.filter((each) => /pulls|runs|releases/.test(each))).toEqual([]);
});

test('of a list that goes on, what was not read is not gone, and open pull requests are all read', async () => {
  const next = { link: '<https://api.github.com/repos/acme/pay/pulls?page=2>; rel="next"' };
  const cut = open({ pullRequests: true, latest: 1 }, ({ pathname, searchParams }) => {
    if (!pathname.endsWith('/pulls')) return undefined;
    return searchParams.get('state') === 'open' ? json([pull(1)]) : json([pull(2, { state: 'closed' })], next);
  });
  const { items, unread } = await walk(cut.reader, full);
  expect([...items.keys()].slice(1)).toEqual(['github.com#1/pull-request/2', 'github.com#1/pull-request/1']);
  expect(unread).toEqual(['github.com#1/pull-request/']);
});

test.each([403, 404])('what answers %i stays, and only a missing right is a problem', async (status) => {
  const closed = open({ pipelineRuns: true }, ({ pathname }) =>
    pathname.endsWith('/actions/runs') ? new Response('{}', { status }) : undefined,
  );
  const { unread, problems, items } = await walk(closed.reader, full);
  expect(items.has('github.com#1')).toBe(true);
  expect(unread).toEqual(['github.com#1/pipeline-run/']);
  expect(problems).toEqual(status === 403 ? ['activity_refused'] : []);
});

test('a pass of changes asks for the pull requests that changed, wherever they are', async () => {
  const { asked, reader } = open({ pullRequests: true });
  const { items } = await walk(reader, { mode: 'changes', state: { since: '2026-11-22T00:00:00Z' } });
  expect([...items.keys()]).toEqual(['github.com#1/pull-request/1']);
  expect(asked.at(1)).toContain(encodeURIComponent('is:pr user:acme updated:>=2026-11-22T00:00:00Z'));
});

test('an event brings what it is about as it is now, and takes what the host deleted', async () => {
  const event = (name: string, body: object): SourceEvent => ({
    headers: { 'x-github-event': name },
    body: { ...body, repository },
  });
  const { signal } = new AbortController();
  const reader = open(all).reader();
  const changed = await reader.readEvent?.(event('pull_request', { pull_request: { number: 1 } }), signal);
  expect(changed?.items.map(({ key }) => key)).toEqual(['github.com#1/pull-request/1']);
  const deleted = await reader.readEvent?.(event('release', { action: 'deleted', release: { id: 7 } }), signal);
  expect(deleted?.gone).toEqual([{ key: 'github.com#1/release/7' }]);
  const other = open({}).reader();
  expect(await other.readEvent?.(event('pull_request', { pull_request: { number: 1 } }), signal)).toBeUndefined();
});
