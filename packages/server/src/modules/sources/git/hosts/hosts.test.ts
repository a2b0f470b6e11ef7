import type { JqValue } from '@portolan/jq';
import { describe, expect, test } from 'vitest';
import { hostCases } from '../../../../../test/git/hosts/host-cases.ts';
import {
  but,
  fillWorld,
  full,
  named,
  opener,
  refuse,
  repositoryKeys,
  signal,
  sorted,
} from '../../../../../test/git/hosts/open-host.ts';
import { commitTo, declaring } from '../../../../../test/git/hosts/world.ts';
import { walk } from '../../../../../test/git/walk.ts';
import { Postponed } from '../../../../platform/jobs/job.ts';
import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import { createAnswerStore } from '../../kept-answers.ts';
import { nativeSourceTypes } from '../../native-source-types.ts';
import type { SourcePage, SourceReader } from '../../source-type.ts';

/** More than any host tells on one page. */
const many = 27;

/** Reads pages until something is thrown; what was thrown, and whether the list seemed over before. */
async function walkToFailure(open: () => SourceReader): Promise<{ error: unknown; isOver: boolean }> {
  let last: SourcePage | undefined;
  try {
    await walk(open, full, (page) => {
      last = page;
    });
  } catch (error) {
    return { error, isOver: last !== undefined && last.next === null };
  }
  return expect.fail('nothing was thrown');
}

test('every Git host is among the cases', () => {
  const types = nativeSourceTypes.filter(({ section }) => section === 'git').map(({ type }) => type);
  expect(sorted(hostCases.map(({ type }) => type.type))).toEqual(sorted(types));
});

describe.each(hostCases.map((host) => [host.type.type, host] as const))('%s', (_type, host) => {
  test('a walk over several pages reads everything once, the same on every host', async () => {
    const world = fillWorld(host, many);
    const walked = await walk(opener(host, host.fetch(world)), full);
    expect([walked.problems, walked.gone, walked.unread]).toEqual([[], [], []]);
    expect(walked.pages).toBeGreaterThan(2);
    expect(sorted(repositoryKeys(walked))).toEqual(sorted(world.repositories.map(host.keyOf)));
    const one = named(world, 4);
    const key = host.keyOf(one);
    expect(walked.items.get(key)?.document).toMatchObject({
      key,
      host: key.split('#')[0],
      name: one.name,
      path: `acme/${one.name}`,
      namespace: 'acme',
      defaultBranch: 'main',
      archived: false,
      fork: false,
      empty: false,
      url: expect.stringContaining(one.name),
      cloneUrl: expect.stringContaining(one.name),
      owner: { owner: '@acme/payments', team: 'payments' },
      codeowners: { path: 'CODEOWNERS', counts: { '@acme/payments': 4 } },
      readme: expect.stringMatching(/^# service-5\n\[docs\]\(https:.*docs\/a\.md\)$/),
      head: {
        sha: one.commits[0]?.sha,
        at: '2026-11-20T10:00:00.000Z',
        message: 'one',
        author: { name: 'Ada', email: 'ada@acme.example' },
      },
    });
    expect(walked.items.has(`${key}:port.yml#${one.name}@service`)).toBe(true);
    expect(walked.items.has(`${key}:deep/er/port.yml#${one.name}-deep@service`)).toBe(true);
    const teams = [...walked.items.values()].filter(({ kind }) => kind === 'team');
    const payments = teams.find(({ document }) => document['slug'] === 'payments');
    expect(payments?.document).toMatchObject({ organization: 'acme', name: 'Payments' });
    const members = payments?.document['members'] as { login: string }[] | undefined;
    expect(members?.map(({ login }) => login)).toEqual(['ada']);
    expect(JSON.stringify([...walked.items.values()])).not.toContain('never-shown');
  });

  test('changes are read of what moved, with what its files declare no more', async () => {
    const world = fillWorld(host, 3);
    const one = named(world, 1);
    commitTo(one, '2026-11-22T10:00:00.000Z', { 'deep/er/port.yml': declaring('other') });
    const state = { since: '2026-11-22T09:55:00.000Z' };
    const walked = await walk(opener(host, host.fetch(world)), { mode: 'changes', state });
    expect(repositoryKeys(walked)).toEqual([host.keyOf(one)]);
    expect(walked.gone).toEqual([`${host.keyOf(one)}:deep/er/port.yml#${one.name}-deep@service`]);
    expect([walked.problems, walked.unread]).toEqual([[], []]);
  });

  test('an empty repository is one without a head', async () => {
    const world = fillWorld(host, 1, { commits: [] });
    const walked = await walk(opener(host, host.fetch(world)), full);
    expect(walked.items.get(host.keyOf(named(world, 1)))?.document).toMatchObject({ empty: true, head: null });
    expect(walked.problems).toEqual([]);
  });

  test('forks and archived repositories are read where wished', async () => {
    const world = fillWorld(host, 1, { isFork: true }, ...(host.lacks?.archived ? [] : [{ isArchived: true }]));
    const plain = await walk(opener(host, host.fetch(world)), full);
    expect(repositoryKeys(plain)).toEqual([host.keyOf(named(world, 0))]);
    const all = await walk(opener(host, host.fetch(world), { forks: true, archived: true }), full);
    expect(sorted(repositoryKeys(all))).toEqual(sorted(world.repositories.map(host.keyOf)));
    expect(all.items.get(host.keyOf(named(world, 1)))?.document).toMatchObject({ fork: true });
    expect(all.problems).toEqual([]);
  });

  test('a renamed repository keeps its keys', async () => {
    const world = fillWorld(host, 2);
    const before = await walk(opener(host, host.fetch(world)), full);
    named(world, 0).name = 'renamed';
    const after = await walk(opener(host, host.fetch(world)), full);
    expect(sorted([...after.items.keys()])).toEqual(sorted([...before.items.keys()]));
    expect(after.items.get(host.keyOf(named(world, 0)))?.document).toMatchObject({ name: 'renamed' });
  });

  test('a token that is refused in the middle is no end of the list', async () => {
    const world = fillWorld(host, many);
    let asked = 0;
    const fetch = but(host.fetch(world), () => {
      asked += 1;
      return asked > 30 ? new Response('{}', { status: 401 }) : undefined;
    });
    const { error, isOver } = await walkToFailure(opener(host, fetch));
    expect(error).toMatchObject({ code: 'credentials_refused', fix: expect.any(String) });
    expect(isOver).toBe(false);
  });

  test.each([403, 404])('a repository that answers %i stays as it is, and the others are read', async (status) => {
    const world = fillWorld(host, 3);
    const lost = named(world, 1);
    const fetch = but(host.fetch(world), (url, { body }) =>
      host.isAbout(lost, url, body) ? refuse(host, url, status) : undefined,
    );
    const walked = await walk(opener(host, fetch), full);
    expect([walked.problems, walked.unread]).toEqual([['lost_access'], [host.keyOf(lost)]]);
    const others = world.repositories.filter((each) => each !== lost);
    expect(sorted(repositoryKeys(walked))).toEqual(sorted(others.map(host.keyOf)));
  });

  test('a limit in the middle postpones the page, and the walk ends whole', async () => {
    const world = fillWorld(host, many);
    let asked = 0;
    const fetch = but(host.fetch(world), () => {
      asked += 1;
      return asked === 30 ? new Response('{}', { status: 429, headers: { 'retry-after': '90' } }) : undefined;
    });
    const open = opener(host, fetch);
    const keys = new Set<string>();
    const postponed: Date[] = [];
    for (let cursor: JqValue | null | undefined; cursor !== null; ) {
      try {
        const page: SourcePage = await open().readPage(full, cursor ?? null, signal);
        for (const { kind, key } of page.items) if (kind === 'repository') keys.add(key);
        cursor = page.next;
      } catch (error) {
        if (!(error instanceof Postponed)) throw error;
        postponed.push(error.until);
      }
    }
    expect(postponed).toEqual([new Date('2026-11-23T12:01:30Z')]);
    expect(sorted([...keys])).toEqual(sorted(world.repositories.map(host.keyOf)));
  });

  test('a host that fails for a moment is asked again; one that fails for long ends the page, never the list', async () => {
    const world = fillWorld(host, many);
    let asked = 0;
    const moment = but(host.fetch(world), () => {
      asked += 1;
      return asked % 7 === 0 ? new Response('', { status: 502 }) : undefined;
    });
    expect(repositoryKeys(await walk(opener(host, moment), full))).toHaveLength(many);
    asked = 0;
    const down = but(host.fetch(world), () => {
      asked += 1;
      return asked > 30 ? new Response('', { status: 503 }) : undefined;
    });
    const { error, isOver } = await walkToFailure(opener(host, down));
    expect(String(error)).toContain('503');
    expect(isOver).toBe(false);
  });

  test('files that the host leaves out of its list are not gone, and what lies at the root is read', async () => {
    const world = fillWorld(host, 1);
    world.isTreeCut = true;
    const key = host.keyOf(named(world, 0));
    const walked = await walk(opener(host, host.fetch(world)), full);
    expect([walked.problems, walked.unread]).toEqual([['files_left_out'], [`${key}:`]]);
    expect(walked.items.has(key)).toBe(true);
  });

  test('a file larger than an answer may be is left out, and is not gone', async () => {
    const world = fillWorld(host, 1);
    const one = named(world, 0);
    commitTo(one, '2026-11-21T10:00:00.000Z', { 'port.yml': `# ${'x'.repeat(1024 * 1024)}\n` });
    const walked = await walk(opener(host, host.fetch(world)), full);
    expect([walked.problems, walked.unread]).toEqual([['files_left_out'], [`${host.keyOf(one)}:port.yml`]]);
  });

  test('credentials follow neither a redirect nor a link to another host', async () => {
    const world = fillWorld(host, many);
    const seen: string[] = [];
    const elsewhere = 'https://elsewhere.test/x?page=2';
    const redirected = but(host.fetch(world), (url) => {
      seen.push(url.origin);
      return new Response(null, { status: 302, headers: { location: elsewhere } });
    });
    await expect(walk(opener(host, redirected), full)).rejects.toThrow();
    const linked: typeof fetch = async (input, init) => {
      seen.push(new URL(String(input)).origin);
      const answer = await host.fetch(world)(input, init);
      const text = (await answer.text()).replaceAll(/"next":"[^"]*"/g, `"next":"${elsewhere}"`);
      const headers = new Headers(answer.headers);
      if (headers.has('link')) headers.set('link', `<${elsewhere}>; rel="next"`);
      return new Response(answer.status === 204 ? null : text, { status: answer.status, headers });
    };
    await walk(opener(host, linked), full).catch(() => undefined);
    expect(seen).not.toContain('https://elsewhere.test');
  });

  test('credentials stand in no address', async () => {
    const addresses: string[] = [];
    const fetch = but(host.fetch(fillWorld(host, 1)), (url) => {
      addresses.push(url.href);
      return undefined;
    });
    await walk(opener(host, fetch), full);
    for (const secret of Object.values(host.secrets)) expect(addresses.join('\n')).not.toContain(secret);
  });

  test('what a commit holds is asked for once', async () => {
    const world = fillWorld(host, 2);
    const asked: string[] = [];
    const fetch = but(host.fetch(world), (url, { body }) => {
      asked.push(`${url.href} ${body}`);
      return undefined;
    });
    const open = opener(host, fetch, {}, createAnswerStore()('source'));
    const first = await walk(open, full);
    const files = asked.filter((each) =>
      world.repositories.some(({ commits }) => each.includes(commits[0]?.sha ?? '-')),
    );
    expect(files.length).toBeGreaterThan(3);
    asked.length = 0;
    const second = await walk(open, full);
    expect([...second.items.values()]).toEqual([...first.items.values()]);
    expect(files.filter((each) => asked.includes(each))).toEqual([]);
  });

  test('check tells what can be read, and what is wrong', async () => {
    const world = fillWorld(host, 2);
    const told = await opener(host, host.fetch(world))().check(signal);
    expect(told.checks.map(({ state }) => state)).not.toContain('failed');
    expect(told.sample.map(({ key }) => key)).toEqual(expect.arrayContaining(world.repositories.map(host.keyOf)));
    const none = opener(host, host.fetch(world), { owners: ['nobody'] })().check(signal);
    await expect(none).rejects.toMatchObject({ code: 'owner_not_found', fix: expect.any(String) });
    const refused = but(host.fetch(world), () => new Response('{}', { status: 401 }));
    await expect(opener(host, refused)().check(signal)).rejects.toMatchObject({ code: 'credentials_refused' });
    const away = async (): Promise<Response> => Promise.reject(new OutgoingFailure('unreachable', 'no answer'));
    await expect(opener(host, away)().check(signal)).rejects.toThrow('no answer');
  });
});

describe.each(hostCases.map((host) => [host.type.type, host] as const))('a list of %s', (_type, host) => {
  /** Walks 60 repositories and deletes some of a page that was read, as others would see it. */
  async function walkDeleting(afterPage: number, choose: (keys: readonly string[]) => readonly string[]) {
    const world = fillWorld(host, 60);
    let page = 0;
    const walked = await walk(opener(host, host.fetch(world)), full, ({ items }) => {
      page += 1;
      if (page !== afterPage) return;
      const gone = new Set(
        choose(
          items.map(({ key }) => key).filter((key) => world.repositories.some((each) => host.keyOf(each) === key)),
        ),
      );
      world.repositories = world.repositories.filter((each) => !gone.has(host.keyOf(each)));
    });
    return { left: world.repositories.map(host.keyOf), read: repositoryKeys(walked) };
  }

  test.each([
    ['the first of the first page', 1, (keys: readonly string[]) => keys.slice(0, 1)],
    ['the last of the first page', 1, (keys: readonly string[]) => keys.slice(-1)],
    ['most of the first page', 1, (keys: readonly string[]) => keys.slice(2)],
    ['the whole first page', 1, (keys: readonly string[]) => keys],
    ['some of the second page', 2, (keys: readonly string[]) => keys.slice(0, 3)],
  ])('hides none where %s is deleted between two pages', async (_name, afterPage, choose) => {
    const { left, read } = await walkDeleting(afterPage, choose);
    expect(read).toEqual(expect.arrayContaining(left));
  });
});
