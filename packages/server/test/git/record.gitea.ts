import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitReader } from '../../src/modules/sources/git/git-reader.ts';
import { openGitea } from '../../src/modules/sources/git/hosts/gitea.ts';
import { createOutgoing } from '../../src/platform/outgoing/outgoing.ts';
import { defaultGitSettings } from './git-settings.ts';
import { makeRepository } from './gitea-repositories.ts';
import { type GiteaServer, startGitea } from './gitea-server.ts';
import { type RecordedAnswer, recordingFetch, replayingFetch } from './recorded-fetch.ts';
import { walk } from './walk.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: true });
let gitea: GiteaServer;

beforeAll(async () => {
  gitea = await startGitea();
});
afterAll(async () => {
  await outgoing.close();
  await gitea?.stop();
});

/** With `PORTOLAN_RECORD=<file>` the answers are kept for the tests that have no Gitea. */
test('what a real Gitea answers replays to the same items', async () => {
  await gitea.call('POST', '/orgs', { username: 'acme' });
  for (const name of ['api', 'web']) await makeRepository(gitea, 'acme', name);
  await gitea.call('POST', '/orgs/acme/repos', { name: 'empty' });
  await gitea.call('POST', '/orgs/acme/teams', { name: 'Payments', permission: 'read', units: ['repo.code'] });
  const answers: RecordedAnswer[] = [];
  const open = (fetch: typeof globalThis.fetch) => () => {
    const ports = { fetch, now: () => new Date() };
    const settings = { ...defaultGitSettings(), owners: ['acme'] };
    return createGitReader(openGitea({ url: gitea.url, token: gitea.token, owners: ['acme'] }, ports), settings, ports);
  };
  const full = { mode: 'full', state: null } as const;
  const read = await walk(open(recordingFetch(outgoing.fetch, answers)), full);
  const replayed = await walk(open(replayingFetch(answers)), full);
  expect([...replayed.items.values()]).toEqual([...read.items.values()]);
  const file = process.env['PORTOLAN_RECORD'];
  const plain = JSON.stringify(answers, null, 1).replaceAll(gitea.url, 'http://gitea.test');
  if (file) writeFileSync(file, `${plain}\n`);
});
