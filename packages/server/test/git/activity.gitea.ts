import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitReader } from '../../src/modules/sources/git/git-reader.ts';
import { openGitea } from '../../src/modules/sources/git/hosts/gitea.ts';
import type { SourceReader } from '../../src/modules/sources/source-type.ts';
import { createOutgoing } from '../../src/platform/outgoing/outgoing.ts';
import { defaultGitSettings } from './git-settings.ts';
import { makeRepository } from './gitea-repositories.ts';
import { type GiteaServer, startGitea } from './gitea-server.ts';
import { walk } from './walk.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: true });
let gitea: GiteaServer;

beforeAll(async () => {
  gitea = await startGitea();
  await gitea.call('POST', '/orgs', { username: 'acme' });
  await makeRepository(gitea, 'acme', 'pay');
});
afterAll(async () => {
  await outgoing.close();
  await gitea?.stop();
});

function open(): SourceReader {
  const ports = { fetch: outgoing.fetch, now: () => new Date(), retryMs: 1 };
  const access = { url: gitea.url, token: gitea.token, owners: ['acme'] };
  const chosen = { pullRequests: true, pipelineRuns: true, releases: true, latest: 2 };
  return createGitReader(openGitea(access, ports), { ...defaultGitSettings(), owners: ['acme'], ...chosen }, ports);
}

async function propose(name: string): Promise<number> {
  const content = Buffer.from(name).toString('base64');
  await gitea.call('POST', `/repos/acme/pay/contents/${name}`, { content, new_branch: name, message: name });
  const made = { title: name, head: name, base: 'main' };
  return (await gitea.call<{ number: number }>('POST', '/repos/acme/pay/pulls', made)).number;
}

const ofKind = (walked: Awaited<ReturnType<typeof walk>>, kind: string) =>
  [...walked.items.values()].filter((item) => item.kind === kind).map(({ document }) => document);

test('what a real Gitea tells of pull requests and releases, at once and by what changed', async () => {
  const first = await propose('first');
  for (const name of ['second', 'third', 'fourth']) {
    const number = await propose(name);
    if (name !== 'second') await gitea.call('PATCH', `/repos/acme/pay/pulls/${number}`, { state: 'closed' });
  }
  await gitea.call('POST', '/repos/acme/pay/releases', { tag_name: 'v1', name: 'One', body: '# One' });
  await gitea.call('POST', '/repos/acme/pay/releases', { tag_name: 'v2', draft: true });
  const all = await walk(open, { mode: 'full', state: null });
  expect(all.problems).toEqual([]);
  // the latest two, and both that are open
  expect(ofKind(all, 'pull-request').map(({ title, state }) => [title, state])).toEqual(
    expect.arrayContaining([
      ['first', 'open'],
      ['second', 'open'],
      ['fourth', 'closed'],
    ]),
  );
  expect(ofKind(all, 'release')).toMatchObject([{ tag: 'v1', name: 'One', notes: '# One' }]);
  expect(all.unread.some((prefix) => prefix.endsWith('/pull-request/'))).toBe(true);
  expect(all.unread.some((prefix) => prefix.endsWith('/release/'))).toBe(false);

  const since = new Date().toISOString();
  // moments there have whole seconds
  while (Date.now() < Date.parse(since) + 1_100) await gitea.call('GET', '/version');
  const merge = () => gitea.call('POST', `/repos/acme/pay/pulls/${first}/merge`, { Do: 'merge' });
  // Gitea looks first whether it can be merged
  await expect
    .poll(
      () =>
        merge()
          .then(() => true)
          .catch(() => false),
      { timeout: 20_000 },
    )
    .toBe(true);
  const changed = await walk(open, { mode: 'changes', state: { since } });
  expect(ofKind(changed, 'pull-request').find(({ number }) => number === first)).toMatchObject({
    state: 'merged',
    base: 'main',
    head: 'first',
    mergedAt: expect.any(String),
  });
}, 120_000);
