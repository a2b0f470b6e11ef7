import { describe, expect, test } from 'vitest';
import type { HostCase } from '../../../../../test/git/hosts/host-case.ts';
import { hostCases } from '../../../../../test/git/hosts/host-cases.ts';
import { but, fillWorld, full, named, opener, signal, sorted } from '../../../../../test/git/hosts/open-host.ts';
import {
  day,
  label,
  makePull,
  makeRun,
  reviewer,
  runCommit,
  team,
  type World,
  type WorldRepository,
} from '../../../../../test/git/hosts/world.ts';
import { walk } from '../../../../../test/git/walk.ts';
import { chosenKinds } from '../activity/activity-settings.ts';
import type { ActivityKind } from '../git-host.ts';

const asked = { pullRequests: true, pipelineRuns: true, releases: true };
const settingFor = { 'pull-request': 'pullRequests', 'pipeline-run': 'pipelineRuns', release: 'releases' } as const;
const kinds = chosenKinds(asked);

/** One repository in which something happened: pull request 1 is open and old, the others are closed. */
function busyWorld(host: HostCase, more: Partial<WorldRepository> = {}): { world: World; one: WorldRepository } {
  const pulls = [makePull(1, { state: 'open', changedAt: day(1) }), makePull(2), makePull(3, { state: 'merged' })];
  const runs = [makeRun(11, { status: 'success' }), makeRun(12), makeRun(13, { status: 'running' })];
  const releases = [
    { id: 71, tag: 'v1', at: day(1) },
    { id: 72, tag: 'v2/rc', at: day(2) },
  ];
  const world = fillWorld(host, 0, { pulls, runs, releases, ...more });
  return { world, one: named(world, 0) };
}

/** What is no longer there is looked for under this. */
const prefix = (host: HostCase, one: WorldRepository, kind: ActivityKind): string => `${host.keyOf(one)}/${kind}/`;

function idsOf(walked: Awaited<ReturnType<typeof walk>>, kind: ActivityKind): string[] {
  return sorted(
    [...walked.items.values()].flatMap((item) => (item.kind === kind ? [String(item.document['id'])] : [])),
  );
}

describe.each(hostCases.map((host) => [host.type.type, host] as const))('%s', (_type, host) => {
  const hasReleases = host.lacks?.release === undefined;

  test('what a setting asks for is read, and what the host has not is said where the settings are', async () => {
    const { world } = busyWorld(host);
    const fields = host.type.settings.toJSONSchema().properties ?? {};
    const told = JSON.stringify(Object.values(fields));
    for (const kind of kinds) {
      const setting = settingFor[kind];
      const walked = await walk(opener(host, host.fetch(world), { [setting]: true, teams: false }), full);
      expect(walked.problems).toEqual([]);
      const read = idsOf(walked, kind);
      const parts = host.type.optionalParts?.({ [setting]: true }) ?? { blueprints: [], mapping: [] };
      if (Object.hasOwn(fields, setting)) {
        expect(read, `${setting} is offered, and nothing reads it`).not.toEqual([]);
        expect(parts.mapping.map((each) => each.kind)).toEqual([kind]);
        expect(parts.blueprints).toHaveLength(1);
      } else {
        expect(kind).toBe('release');
        expect(host.lacks?.release, `${setting} is missing without a reason`).toBeDefined();
        expect(told).toMatch(/no releases/);
        expect(read).toEqual([]);
      }
    }
  });

  test('pull requests, pipeline runs and releases have the same words on every host', async () => {
    const { world, one } = busyWorld(host);
    const walked = await walk(opener(host, host.fetch(world), { ...asked, teams: false }), full);
    expect([walked.problems, walked.unread, walked.gone]).toEqual([[], [], []]);
    const read = (kind: ActivityKind, id: string) => walked.items.get(`${prefix(host, one, kind)}${id}`)?.document;
    const repository = { key: host.keyOf(one), path: `acme/${one.name}` };
    const pull = {
      number: 3,
      title: 'Change 3',
      state: 'merged',
      draft: false,
      author: team.member,
      assignees: [],
      reviewers: [reviewer],
      labels: host.lacks?.labels ? [] : [label],
      base: 'main',
      head: 'topic-3',
      commit: runCommit,
      createdAt: day(3),
      updatedAt: host.lacks?.updatedAt ? null : day(3, '11:00:00'),
      mergedAt: day(3, '11:00:00'),
      closedAt: day(3, '11:00:00'),
      url: expect.stringContaining(`${one.name}/`),
      repository,
    };
    expect(read('pull-request', '3')).toMatchObject(pull);
    expect(read('pull-request', '2')).toMatchObject({ state: 'closed', mergedAt: null, closedAt: day(2, '11:00:00') });
    expect(read('pull-request', '1')).toMatchObject({ state: 'open', mergedAt: null, closedAt: null });
    expect(read('pipeline-run', '12')).toMatchObject({
      name: expect.stringMatching(/\d/),
      status: 'failure',
      event: expect.any(String),
      branch: 'main',
      commit: runCommit,
      createdAt: day(12),
      endedAt: day(12, '10:01:30'),
      durationSeconds: 90,
      url: expect.stringMatching(/^https:.*12$/),
      repository,
    });
    expect(read('pipeline-run', '11')).toMatchObject({ status: 'success' });
    expect(read('pipeline-run', '13')).toMatchObject({ status: 'running', endedAt: null, durationSeconds: null });
    const [release] = one.releases;
    if (!hasReleases || !release) return;
    expect(read('release', host.releaseId(release))).toMatchObject({
      tag: 'v1',
      name: 'v1',
      notes: 'Notes of v1',
      author: team.member,
      publishedAt: day(1),
      url: expect.stringContaining('v1'),
      repository,
    });
  });

  test('closed ones that are not among the latest are never missing, and all open ones are read', async () => {
    const { world, one } = busyWorld(host);
    for (const latest of [1, 2]) {
      const walked = await walk(opener(host, host.fetch(world), { ...asked, latest, teams: false }), full);
      expect(idsOf(walked, 'pull-request')).toEqual(latest === 1 ? ['1', '3'] : ['1', '2', '3']);
      expect(idsOf(walked, 'pipeline-run')).toEqual(latest === 1 ? ['13'] : ['12', '13']);
      const cut = kinds.filter((kind) => kind !== 'release' || (hasReleases && latest === 1));
      expect(sorted(walked.unread)).toEqual(sorted(cut.map((kind) => prefix(host, one, kind))));
    }
  });

  test('a list of several pages that was read to its end says that it was', async () => {
    const pulls = [1, 2, 3, 4, 5].map((number) => makePull(number));
    const { world } = busyWorld(host, { pulls });
    const walked = await walk(opener(host, host.fetch(world), { ...asked, latest: 5, teams: false }), full);
    expect(idsOf(walked, 'pull-request')).toEqual(['1', '2', '3', '4', '5']);
    expect(idsOf(walked, 'pipeline-run')).toHaveLength(3);
    expect(walked.unread.filter((key) => !key.endsWith('/pull-request/'))).toEqual([]);
    const more = await walk(opener(host, host.fetch(world), { ...asked, latest: 50, teams: false }), full);
    expect(more.unread).toEqual([]);
  });

  test('nothing is asked unless it is wished for', async () => {
    const { world, one } = busyWorld(host);
    const addresses: string[] = [];
    const fetch = but(host.fetch(world), (url) => {
      addresses.push(url.pathname + url.search);
      return undefined;
    });
    const reader = opener(host, fetch, { teams: false });
    expect([...(await walk(reader, full)).items.values()].some(({ kind }) => kinds.some((each) => each === kind))).toBe(
      false,
    );
    await walk(reader, { mode: 'changes', state: { since: day(1) } });
    const activity = /pull|merge_requests|pipelines|builds|releases|actions\/runs|issues/;
    expect(addresses.filter((each) => activity.test(each))).toEqual([]);
    addresses.length = 0;
    for (const kind of kinds) {
      const delivery = host.about(one, kind, '1', false);
      if (delivery) expect(await reader().readEvent?.(delivery, signal)).toBeUndefined();
    }
    // most events of a busy host are of kinds that are not read
    expect(addresses).toEqual([]);
  });

  test.each([403, 404])('lists that answer %i are no evidence, and the repository is read', async (status) => {
    const { world, one } = busyWorld(host);
    const fetch = but(host.fetch(world), (url) =>
      /pipelines|builds|actions\/runs/.test(url.pathname) ? new Response('{}', { status }) : undefined,
    );
    const walked = await walk(opener(host, fetch, { ...asked, teams: false }), full);
    expect(walked.items.has(host.keyOf(one))).toBe(true);
    expect(walked.unread).toEqual([prefix(host, one, 'pipeline-run')]);
    expect(walked.problems).toEqual(status === 403 ? ['activity_refused'] : []);
  });

  test('a limit of the host in a list postpones the page', async () => {
    const { world } = busyWorld(host);
    const limited = { status: 429, headers: { 'retry-after': '90' } };
    const fetch = but(host.fetch(world), (url) =>
      /pipelines|builds|actions\/runs/.test(url.pathname) ? new Response('{}', limited) : undefined,
    );
    const walked = walk(opener(host, fetch, { ...asked, teams: false }), full);
    await expect(walked).rejects.toMatchObject({ name: 'Postponed', until: new Date('2026-11-23T12:01:30Z') });
  });

  test('a pass of changes brings the pull requests that changed, though nobody pushed', async () => {
    const { world, one } = busyWorld(host);
    const moved = { openedAt: day(1), changedAt: day(22, '10:05:00') };
    one.pulls = [
      makePull(1, { ...moved, state: 'merged' }),
      makePull(2),
      makePull(3, { ...moved, state: 'closed' }),
      makePull(4, { ...moved, state: 'merged' }),
      makePull(5, { state: 'open', openedAt: moved.changedAt, changedAt: moved.changedAt }),
    ];
    const start = { mode: 'changes', state: { since: day(22, '09:55:00') } } as const;
    const walked = await walk(opener(host, host.fetch(world), { ...asked, teams: false }), start);
    expect([walked.problems, walked.gone]).toEqual([[], []]);
    expect(idsOf(walked, 'pull-request')).toEqual(host.lacks?.changedPulls ? [] : ['1', '3', '4', '5']);
    if (host.lacks?.changedPulls) return;
    expect(walked.items.get(`${prefix(host, one, 'pull-request')}1`)?.document).toMatchObject({ state: 'merged' });
  });

  test('an event brings what it is about as the list has it, and takes what the host deleted', async () => {
    const { world, one } = busyWorld(host);
    const listed = await walk(opener(host, host.fetch(world), { ...asked, teams: false }), full);
    const reader = opener(host, host.fetch(world), { ...asked, teams: false })();
    const [release] = one.releases;
    const ids = { 'pull-request': '3', 'pipeline-run': '12', release: release ? host.releaseId(release) : '' };
    for (const kind of kinds) {
      const delivery = host.about(one, kind, ids[kind], false);
      if (kind === 'release' && !hasReleases) continue;
      if (!delivery) expect.fail(`there are events of ${kind}`);
      const key = `${prefix(host, one, kind)}${ids[kind]}`;
      const page = await reader.readEvent?.(delivery, signal);
      expect(page?.items.map((item) => item.key)).toEqual([key]);
      // or the next pass would change it back
      expect(page?.items[0]?.document).toEqual(listed.items.get(key)?.document);
    }
    const other = opener(host, host.fetch(world), { ...asked, owners: ['acm'] })();
    const elsewhere = host.about(one, 'pull-request', '3', false);
    expect(elsewhere && (await other.readEvent?.(elsewhere, signal))).toBeUndefined();
    const deleted = hasReleases ? host.about(one, 'release', ids.release, true) : undefined;
    if (!deleted) return;
    const page = await reader.readEvent?.(deleted, signal);
    expect(page?.gone).toEqual([{ key: `${prefix(host, one, 'release')}${ids.release}` }]);
  });

  test('an event of what the host no longer shows is no evidence', async () => {
    const { world, one } = busyWorld(host);
    const reader = opener(host, host.fetch(world), asked)();
    for (const kind of ['pull-request', 'pipeline-run'] as const) {
      const delivery = host.about(one, kind, '999', false);
      const page = delivery && (await reader.readEvent?.(delivery, signal));
      expect([page?.items ?? [], page?.gone ?? [], page?.problems ?? []]).toEqual([[], [], []]);
    }
  });

  test('a state that was not known when this was written is left out, and the rest is read', async () => {
    const { world, one } = busyWorld(host, {
      pulls: [makePull(1, { word: 'pondered' })],
      runs: [makeRun(11, { word: 'vanished' })],
    });
    const walked = await walk(opener(host, host.fetch(world), { ...asked, teams: false }), full);
    expect(walked.problems).toEqual([]);
    expect(walked.items.get(`${prefix(host, one, 'pull-request')}1`)?.document).toMatchObject({ state: null });
    expect(walked.items.get(`${prefix(host, one, 'pipeline-run')}11`)?.document).toMatchObject({ status: null });
  });
});
