import { expect, test } from 'vitest';
import { azureCase } from '../../../../../test/git/hosts/azure-fake.ts';
import { bitbucketCase } from '../../../../../test/git/hosts/bitbucket-fake.ts';
import { gitLabCase } from '../../../../../test/git/hosts/gitlab-fake.ts';
import { but, fillWorld, full, named, opener, signal } from '../../../../../test/git/hosts/open-host.ts';
import { day, makePull, makeRun, type World } from '../../../../../test/git/hosts/world.ts';
import { walk } from '../../../../../test/git/walk.ts';

const asked = { pullRequests: true, pipelineRuns: true, teams: false };
const changes = { mode: 'changes', state: { since: day(22, '09:55:00') } } as const;
const moved = { openedAt: day(1), changedAt: day(22) };
const address = 'https://portolan.test/v1/source-events/src_1';

function pullKeys(walked: Awaited<ReturnType<typeof walk>>): string[] {
  return [...walked.items.values()].filter(({ kind }) => kind === 'pull-request').map(({ key }) => key);
}

function eventsOf(world: World): string[] {
  return [...world.hooks.values()].flatMap((hook) => {
    const { events, eventType } = hook as { events?: string[]; eventType?: string };
    return events ?? eventType ?? [];
  });
}

test('Azure DevOps answers 401 for builds that the token may not read: the source goes on without', async () => {
  const world = fillWorld(azureCase, 1, { runs: [makeRun(1)] });
  const fetch = but(azureCase.fetch(world), (url) =>
    url.pathname.includes('/_apis/build/') ? new Response('{}', { status: 401 }) : undefined,
  );
  const walked = await walk(opener(azureCase, fetch, asked), full);
  expect(walked.problems).toEqual(['activity_refused', 'activity_refused']);
  expect(walked.unread).toHaveLength(2);
});

test('of an Azure DevOps Server that does not know the range, only what changed is read', async () => {
  const old = Array.from({ length: 9 }, (_, index) => makePull(index + 1));
  const world = fillWorld(azureCase, 0, { pulls: [...old, makePull(10, { ...moved, state: 'merged' })] });
  let pages = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname === '/org/11111111-0000-4000-8000-000000000001/_apis/git/pullrequests') {
      pages += 1;
      url.searchParams.set('searchCriteria.minTime', day(1, '00:00:00'));
    }
    return azureCase.fetch(world)(url.href, init);
  };
  const walked = await walk(opener(azureCase, fetch, asked), changes);
  expect(pullKeys(walked)).toEqual([`${azureCase.keyOf(named(world, 0))}/pull-request/10`]);
  expect(pages).toBe(3);
});

test('a build of what lies on another host is nothing of the source', async () => {
  const world = fillWorld(azureCase, 0, { runs: [makeRun(1)] });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await azureCase.fetch(world)(input, init);
    const text = (await answer.text()).replace('"TfsGit"', '"GitHub"');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
  const delivery = azureCase.about(named(world, 0), 'pipeline-run', '1', false);
  const page = delivery && (await opener(azureCase, fetch, asked)().readEvent?.(delivery, signal));
  expect(page).toBeUndefined();
});

test.each([
  ['bitbucket', bitbucketCase, ['repo:push', 'repo:updated'], 'pullrequest:fulfilled'],
  ['azure-repos', azureCase, ['git.push'], 'build.complete'],
] as const)(
  '%s: a token that may not have all events told has those of pushes',
  async (_type, host, some, activity) => {
    const all = fillWorld(host, 1);
    expect(await opener(host, host.fetch(all))().registerHook?.(address, 'hush', signal)).toBe(true);
    expect(eventsOf(all)).toEqual(expect.arrayContaining([...some, activity]));
    const world = fillWorld(host, 1);
    const fetch = but(host.fetch(world), (_url, { method, body }) =>
      method !== 'GET' && /pullrequest|build\.complete/.test(body) ? new Response('{}', { status: 403 }) : undefined,
    );
    expect(await opener(host, fetch)().registerHook?.(address, 'hush', signal)).toBe(true);
    expect(eventsOf(world)).toEqual([...some]);
  },
);

test('Bitbucket says what the lists cost before they are read', async () => {
  const world = fillWorld(bitbucketCase, 20);
  const cost = async (settings: object) => {
    const { checks } = await opener(bitbucketCase, bitbucketCase.fetch(world), settings)().check(signal);
    return checks.find(({ name }) => name === 'rate_limit')?.message;
  };
  expect(await cost({})).toContain('124 requests');
  expect(await cost(asked)).toContain('164 requests');
});

test('a pipeline of Bitbucket that waits for somebody is not counted as running', async () => {
  const world = fillWorld(bitbucketCase, 0, { runs: [makeRun(1, { status: 'running' })] });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await bitbucketCase.fetch(world)(input, init);
    return new Response((await answer.text()).replace('"RUNNING"', '"PAUSED"'), { status: answer.status });
  };
  const walked = await walk(opener(bitbucketCase, fetch, asked), full);
  const run = [...walked.items.values()].find(({ kind }) => kind === 'pipeline-run');
  expect(run?.document).toMatchObject({ status: 'queued', endedAt: null });
});

test('changed merge requests of GitLab are asked of a group or a project, and not of all that a token sees', async () => {
  const world = fillWorld(gitLabCase, 2);
  const one = named(world, 1);
  one.pulls = [makePull(1, { ...moved, state: 'merged' }), makePull(2)];
  for (const owner of ['acme', `acme/${one.name}`]) {
    const walked = await walk(opener(gitLabCase, gitLabCase.fetch(world), { ...asked, owners: [owner] }), changes);
    expect(pullKeys(walked)).toEqual([`${gitLabCase.keyOf(one)}/pull-request/1`]);
  }
  const person = but(gitLabCase.fetch(world), (url) => {
    if (url.pathname === '/api/v4/groups/ada') return new Response('{}', { status: 404 });
    if (url.pathname === '/api/v4/users') return new Response('[{"id":9}]');
    return url.pathname === '/api/v4/users/9/projects' ? new Response('[]') : undefined;
  });
  expect(pullKeys(await walk(opener(gitLabCase, person, { ...asked, owners: ['ada'] }), changes))).toEqual([]);
});
