import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../../test/build-test-app.ts';
import { type HostReply, type SlowHost, startSlowHost } from '../../../../../test/slow-hosts.ts';

interface Pull {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly updated_at: string;
}

let app: TestApp;
let host: SlowHost;
let organization: TestOrganization;
let pulls: Pull[];
let releases: { id: number; tag_name: string; draft: boolean }[];
let hooks: { config: { url: string; secret: string }; events: string[] }[];
let hasActions = true;

const repository = {
  id: 1,
  name: 'pay',
  full_name: 'acme/pay',
  owner: { login: 'acme' },
  default_branch: 'main',
  updated_at: '2025-11-01T00:00:00Z',
};
const runs = [{ id: 9, run_number: 3, display_title: 'build', status: 'completed', conclusion: 'failure' }];

beforeAll(async () => {
  app = await createTestApp();
  host = await startSlowHost(0, answer);
});
afterAll(async () => {
  await host.close();
  await app.close();
});
beforeEach(async () => {
  organization = await app.createOrganization();
  hasActions = true;
  hooks = [];
  pulls = Array.from({ length: 6 }, (_none, at) => pull(at + 1, at === 0 ? 'open' : 'closed'));
  releases = [
    { id: 1, tag_name: 'v1', draft: false },
    { id: 2, tag_name: 'v2', draft: true },
  ];
});

function pull(number: number, state: Pull['state'], merged = false): Pull {
  return { number, state, merged, updated_at: `2025-11-0${number}T00:00:00Z` };
}

/** A Gitea with one repository, as far as activity goes. */
function answer({ pathname, searchParams }: URL, body: string, own: string, method: string): HostReply | undefined {
  const path = pathname.replace('/api/v1', '').replace('/repos/acme/pay/', '');
  const open = pulls.filter(({ state }) => state === 'open');
  const page = <Each>(all: readonly Each[]): HostReply => {
    const limit = Number(searchParams.get('limit'));
    const link = all.length > limit ? { link: `<${own}${pathname}?page=2>; rel="next"` } : {};
    return { body: all.slice(0, limit), headers: link };
  };
  const shown = (each: Pull) => ({ ...each, title: `Change ${each.number}`, user: { login: 'ada' } });
  if (path === '/users/acme') return { body: { id: 1 } };
  if (path === '/orgs/acme/hooks') {
    if (method === 'POST') hooks.push(JSON.parse(body));
    return { body: [] };
  }
  if (path === '/repos/search') return { body: { data: [{ ...repository, open_pr_counter: open.length }] } };
  if (path === '/repos/acme/pay') return { body: repository };
  if (path === '/repos/issues/search') {
    const since = searchParams.get('since') ?? '';
    const changed = pulls.filter(({ updated_at }) => Date.parse(updated_at) >= Date.parse(since));
    return { body: changed.map(({ number }) => ({ number, repository: { full_name: 'acme/pay' } })) };
  }
  if (path === 'branches/main') return { body: { commit: { id: 'c0ffee' } } };
  if (path === 'languages') return { body: {} };
  if (path.startsWith('git/trees/')) return { body: { tree: [], truncated: false } };
  const latestFirst = pulls.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
  if (path === 'pulls') return page((searchParams.get('state') === 'open' ? open : latestFirst).map(shown));
  if (path === 'actions/runs') return hasActions ? { body: { workflow_runs: runs } } : undefined;
  if (path === 'releases') return page(releases);
  const one = pulls.find(({ number }) => path === `pulls/${number}`);
  return one && { body: shown(one) };
}

async function save(settings: object): Promise<void> {
  const body = {
    type: 'gitea',
    identifier: 'git',
    settings: { url: host.url, owners: ['acme'], teams: false, ...settings },
    secrets: { token: 'a-token' },
    scheduleMinutes: null,
    isPaused: true,
  };
  const saved = await organization.request('POST', '/v1/sources', { body });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
}

async function sync(mode = 'full') {
  const started = await organization.request('POST', '/v1/sources/git/syncs', { body: { mode } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  const path = `/v1/sources/git/syncs/${started.body.sync.id}`;
  const { problems } = (await organization.request('GET', `${path}/problems`)).body;
  return { ...(await organization.request('GET', path)).body.sync, problems };
}

async function names(blueprint: string): Promise<string[]> {
  const { body } = await organization.request('GET', `/v1/blueprints/${blueprint}/entities`);
  return body.entities.map(({ identifier }: { identifier: string }) => identifier).sort();
}

const read = async (blueprint: string, identifier: string) =>
  (await organization.request('GET', `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(identifier)}`)).body
    .entity;

const all = { pullRequests: true, pipelineRuns: true, releases: true };

test('pull requests, pipeline runs and releases come with the repository, and their blueprints with them', async () => {
  await save({ ...all, latest: 2 });
  const first = await sync();
  expect([first.status, first.problems]).toEqual(['completed', []]);
  // the latest two, and the open one that is older
  expect(await names('pullRequest')).toEqual(['acme/pay/pull/1', 'acme/pay/pull/5', 'acme/pay/pull/6']);
  expect(await read('pullRequest', 'acme/pay/pull/1')).toMatchObject({
    title: 'Change 1',
    properties: { status: 'open', creator: 'ada' },
    relations: { repository: 'acme/pay' },
  });
  expect(await read('pipelineRun', 'acme/pay/run/9')).toMatchObject({ properties: { status: 'failure' } });
  expect(await names('release')).toEqual(['acme/pay/release/1']);
  const again = await sync();
  expect(again.counts).toMatchObject({ created: 0, changed: 0, deleted: 0, marked: 0 });
  // what the commit holds is known
  expect(again.counts.requests).toBeLessThan(first.counts.requests);
  app.clock.advance(1_000);
  const changed = await organization.request('PATCH', '/v1/sources/git', { body: { secrets: { token: 'another' } } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  // and not to other credentials
  expect((await sync()).counts.requests).toBe(first.counts.requests);
});

test('nothing is read, and no blueprint made, unless it is asked for', async () => {
  await save({});
  expect((await sync()).status).toBe('completed');
  expect((await organization.request('GET', '/v1/blueprints/pullRequest')).status).toBe(404);
  // asked for later, the mapping and the blueprints come too
  const patched = await organization.request('PATCH', '/v1/sources/git', {
    body: { settings: { pullRequests: true } },
  });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect((await sync()).problems).toEqual([]);
  expect(await names('pullRequest')).toHaveLength(6);
});

test('a pull request that is no longer among the latest is not gone, and one that was closed is updated', async () => {
  await save({ pullRequests: true, latest: 2 });
  await sync();
  const since = app.clock.now().toISOString();
  pulls = [{ ...pull(1, 'closed', true), updated_at: since }, ...pulls.slice(1), pull(7, 'closed'), pull(8, 'closed')];
  const changes = await sync('changes');
  expect(changes.counts, JSON.stringify(changes)).toMatchObject({ created: 0, changed: 1 });
  expect((await read('pullRequest', 'acme/pay/pull/1')).properties.status).toBe('merged');
  const later = await sync();
  expect(later.counts).toMatchObject({ created: 1, deleted: 0, marked: 0, released: 0 });
  expect(await names('pullRequest')).toHaveLength(4);
  const missing = await organization.request('GET', '/v1/sources/git/missing');
  expect(missing.body).toMatchObject({ total: 0 });
});

test('what is missing in a list that was read to its end is gone', async () => {
  await save({ releases: true });
  releases.push({ id: 3, tag_name: 'v3', draft: false });
  await sync();
  releases = releases.filter(({ id }) => id !== 3);
  expect((await sync()).counts).toMatchObject({ marked: 1, deleted: 0 });
});

test('a host without Actions has no runs, and those that are known stay', async () => {
  await save({ pipelineRuns: true });
  await sync();
  hasActions = false;
  const without = await sync();
  expect([without.status, without.problems]).toEqual(['completed', []]);
  expect(without.counts).toMatchObject({ marked: 0, deleted: 0 });
  expect(await names('pipelineRun')).toEqual(['acme/pay/run/9']);
});

test('events update at once', async () => {
  await save({ ...all, latest: 2 });
  await organization.request('PATCH', '/v1/sources/git', { body: { isPaused: false } });
  await sync();
  const [hook] = hooks;
  expect(hook?.events).toEqual(expect.arrayContaining(['pull_request', 'release', 'workflow_run']));
  const tell = async (event: string, payload: object): Promise<void> => {
    const body = JSON.stringify({ ...payload, repository });
    const signature = createHmac('sha256', hook?.config.secret ?? '')
      .update(body)
      .digest('hex');
    const headers = { 'x-gitea-event': event, 'x-gitea-signature': signature, 'content-type': 'application/json' };
    const path = new URL(hook?.config.url ?? '').pathname;
    const answered = await organization.request('POST', path, { payload: body, headers, token: null });
    expect(answered.status, JSON.stringify(answered.body)).toBe(202);
    await app.app.jobs.drain();
  };
  pulls = [pull(1, 'closed', true), ...pulls.slice(1)];
  await tell('pull_request', { action: 'closed', pull_request: { number: 1 } });
  expect((await read('pullRequest', 'acme/pay/pull/1')).properties.status).toBe('merged');
  await tell('release', { action: 'deleted', release: { id: 1 } });
  expect(await names('release')).toEqual([]);
});
