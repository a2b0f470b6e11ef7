import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGitReader } from '../../src/modules/sources/git/git-reader.ts';
import { openGitea } from '../../src/modules/sources/git/hosts/gitea.ts';
import { createAnswerStore, type KeptAnswers } from '../../src/modules/sources/kept-answers.ts';
import type { PassStart, SourceReader } from '../../src/modules/sources/source-type.ts';
import { Postponed } from '../../src/platform/jobs/job.ts';
import { createOutgoing } from '../../src/platform/outgoing/outgoing.ts';
import { defaultGitSettings } from './git-settings.ts';
import { declaring, makeRepository, updateFile } from './gitea-repositories.ts';
import { type GiteaServer, startGitea } from './gitea-server.ts';
import { walk } from './walk.ts';

const repositories = 200;
const full: PassStart = { mode: 'full', state: null };
const outgoing = createOutgoing({ allowsPrivateNetwork: true });
let gitea: GiteaServer;

beforeAll(async () => {
  gitea = await startGitea();
  await gitea.call('POST', '/orgs', { username: 'acme' });
  await gitea.call('POST', '/orgs', { username: 'small' });
  const names = Array.from({ length: repositories }, (_, index) => `service-${index}`);
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const name of names.filter((_, index) => index % 4 === lane)) await makeRepository(gitea, 'acme', name);
    }),
  );
  await gitea.call('POST', '/orgs/acme/teams', { name: 'Payments', permission: 'read', units: ['repo.code'] });
}, 600_000);
afterAll(async () => {
  await outgoing.close();
  await gitea?.stop();
});

interface Opening {
  readonly owners?: readonly string[];
  readonly url?: string;
  readonly token?: string;
  readonly fetch?: typeof fetch;
  readonly answers?: KeptAnswers;
}

function open({
  owners = ['acme'],
  url = gitea.url,
  token = gitea.token,
  fetch = outgoing.fetch,
  answers,
}: Opening = {}) {
  const settings = { ...defaultGitSettings(), owners: [...owners] };
  const ports = { fetch, now: () => new Date(), retryMs: 1, ...(answers ? { answers } : {}) };
  return (): SourceReader => createGitReader(openGitea({ url, token, owners }, ports), settings, ports);
}

const ofKind = (walked: Awaited<ReturnType<typeof walk>>, kind: string) =>
  [...walked.items.values()].filter((item) => item.kind === kind);

test('a full walk reads every repository with owners and what its files declare', async () => {
  const begun = performance.now();
  const walked = await walk(open(), full);
  process.stdout.write(
    `full walk: ${repositories} repositories, ${walked.requests} requests, ${Math.round(performance.now() - begun)} ms\n`,
  );
  expect(ofKind(walked, 'repository')).toHaveLength(repositories);
  expect(ofKind(walked, 'port-file')).toHaveLength(2 * repositories);
  expect(ofKind(walked, 'api-definition')).toHaveLength(repositories);
  expect(ofKind(walked, 'team').map(({ document }) => document['slug'])).toContain('payments');
  expect(walked.problems).toEqual([]);
  const [first] = ofKind(walked, 'repository');
  expect(first?.document).toMatchObject({
    owner: { team: 'payments' },
    head: { author: { email: 'boss@acme.example' } },
    readme: expect.stringContaining('service-'),
  });
}, 300_000);

test('a second walk asks for no file of a repository that did not change', async () => {
  const answers = createAnswerStore()('source');
  const walks = [];
  for (let count = 0; count < 2; count += 1) {
    let bytes = 0;
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push(new URL(String(input)).pathname);
      const answer = await outgoing.fetch(input, init);
      bytes += (await answer.clone().arrayBuffer()).byteLength;
      return answer;
    };
    const begun = performance.now();
    const walked = await walk(open({ fetch, answers }), full);
    const ms = Math.round(performance.now() - begun);
    process.stdout.write(`walk ${count + 1}: ${walked.requests} requests, ${bytes} bytes of bodies, ${ms} ms\n`);
    walks.push({ walked, files: asked.filter((path) => /\/(raw|git\/trees)\//.test(path)) });
  }
  const [first, second] = walks;
  expect(first?.files.length).toBeGreaterThan(repositories);
  expect(second?.files).toEqual([]);
  // what files say; the host itself counts languages when it has time
  const said = (walked: Awaited<ReturnType<typeof walk>> | undefined) =>
    [...(walked?.items.values() ?? [])].map(({ key, kind, document: { readme, codeowners, owner, entity, text } }) => {
      return { key, kind, readme, codeowners, owner, entity, text };
    });
  expect(said(second?.walked)).toEqual(said(first?.walked));
}, 300_000);

test('check says what the token can read, and what is wrong', async () => {
  const signal = AbortSignal.timeout(30_000);
  expect(await open()().check(signal)).toMatchObject({ total: repositories, checks: expect.arrayContaining([]) });
  await expect(open({ owners: ['nobody'] })().check(signal)).rejects.toMatchObject({ code: 'owner_not_found' });
  await expect(open({ token: '0'.repeat(40) })().check(signal)).rejects.toMatchObject({ code: 'credentials_refused' });
});

describe('between two passes', () => {
  const readSmall = () => walk(open({ owners: ['small'] }), full);

  test('a push, a rename, archiving and a removed declaration are told by the next pass of changes', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await makeRepository(gitea, 'small', name);
    const before = await readSmall();
    const keyOf = (path: string) =>
      [...before.items.values()].find((item) => item.kind === 'repository' && item.document['path'] === path)?.key ??
      '';
    const state = { since: new Date(Date.now() - 1_000).toISOString() };
    // moments of commits have whole seconds
    while (Date.now() < Date.parse(state.since) + 2_100) await gitea.call('GET', '/version');
    await updateFile(gitea, 'small/one', 'port.yml', declaring('one'));
    // Gitea notes the push a little later
    const updatedAt = () =>
      gitea.call<{ updated_at: string }>('GET', '/repos/small/one').then((one) => Date.parse(one.updated_at));
    await expect.poll(updatedAt, { timeout: 20_000 }).toBeGreaterThan(Date.parse(state.since) + 1_000);
    await gitea.call('PATCH', '/repos/small/two', { name: 'second' });
    const changed = await walk(open({ owners: ['small'] }), { mode: 'changes', state });
    expect(changed.gone).toEqual([`${keyOf('small/one')}:port.yml#one-worker@service`]);
    const paths = ofKind(changed, 'repository').map(({ document }) => document['path']);
    expect(paths).toContain('small/one');
    const after = await readSmall();
    expect(after.items.get(keyOf('small/two'))?.document).toMatchObject({ path: 'small/second' });
    await gitea.call('PATCH', '/repos/small/three', { archived: true });
    expect(ofKind(await readSmall(), 'repository').map(({ document }) => document['name'])).not.toContain('three');
    await gitea.call('DELETE', '/repos/small/four');
    expect((await readSmall()).items.has(keyOf('small/four'))).toBe(false);
  }, 120_000);

  test('what cannot be read any more is no repository without files', async () => {
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input).includes('/service-3/git/trees')
        ? Promise.resolve(new Response('{}', { status: 403 }))
        : outgoing.fetch(input, init);
    const page = await open({ fetch })().readPage(full, null, AbortSignal.timeout(30_000));
    expect(page.problems?.map(({ code }) => code)).toEqual(['lost_access']);
    expect(page.unread).toHaveLength(1);
  });
});

describe('a proxy in front', () => {
  let proxy: Server;
  let seen = 0;
  let refuseFrom = Number.POSITIVE_INFINITY;
  let refusal: { status: number; headers: Record<string, string> };
  let url: string;

  beforeAll(async () => {
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      seen += 1;
      if (seen > refuseFrom) return void response.writeHead(refusal.status, refusal.headers).end();
      const answer = await fetch(gitea.url + request.url, {
        headers: { authorization: String(request.headers.authorization) },
      });
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => /^(link|x-total-count|content-type)$/.test(name)),
      );
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    };
    proxy = createServer((request, response) => void pass(request, response));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });

  test('a limit in the middle postpones the page, and the walk ends whole', async () => {
    seen = 0;
    refuseFrom = 300;
    refusal = { status: 429, headers: { 'retry-after': '120' } };
    const keys = new Set<string>();
    let cursor = null;
    let postponed = 0;
    const reader = open({ url });
    for (let isOver = false; !isOver; ) {
      try {
        const page = await reader().readPage(full, cursor, AbortSignal.timeout(60_000));
        for (const item of page.items) if (item.kind === 'repository') keys.add(item.key);
        cursor = page.next;
        isOver = cursor === null;
      } catch (error) {
        expect(error).toBeInstanceOf(Postponed);
        expect((error as Postponed).until.getTime()).toBeGreaterThan(Date.now() + 60_000);
        postponed += 1;
        refuseFrom = Number.POSITIVE_INFINITY;
      }
    }
    expect(postponed).toBe(1);
    expect(keys.size).toBe(repositories);
  }, 300_000);

  test('a token revoked in the middle is a refusal, never a short list', async () => {
    seen = 0;
    refuseFrom = 300;
    refusal = { status: 401, headers: {} };
    await expect(walk(open({ url }), full)).rejects.toMatchObject({ code: 'credentials_refused' });
  }, 300_000);

  test('a server that fails for long ends the page, never the list', async () => {
    seen = 0;
    refuseFrom = 300;
    refusal = { status: 502, headers: {} };
    await expect(walk(open({ url }), full)).rejects.toThrow('502');
  }, 300_000);
});
