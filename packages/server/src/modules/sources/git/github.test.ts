import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { walk } from '../../../../test/git/walk.ts';
import type { PassStart } from '../source-type.ts';
import { gitHubSource } from './github.source-type.ts';
import { verifyGitHubEvent } from './verify-event.ts';

const full: PassStart = { mode: 'full', state: null };
const now = new Date('2026-11-23T12:00:00Z');
const json = (body: unknown, init: ResponseInit = {}): Response => new Response(JSON.stringify(body), init);
const repository = (id: number, name: string, more = {}) => ({
  id,
  name,
  full_name: `acme/${name}`,
  owner: { login: 'acme' },
  default_branch: 'main',
  html_url: `https://github.com/acme/${name}`,
  pushed_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  size: 10,
  topics: ['pay'],
  ...more,
});
const files: Readonly<Record<string, string>> = {
  'README.md': '[a](b.md)',
  '.github/CODEOWNERS': '* @acme/Payments',
  'port.yml': 'identifier: pay\nblueprint: service\n',
};
const details = {
  defaultBranchRef: { target: { oid: 'c0ffee', committedDate: '2026-11-20T10:00:00Z', messageHeadline: 'one' } },
  languages: { totalSize: 4, edges: [{ size: 3, node: { name: 'Go' } }] },
  pullRequests: { totalCount: 2 },
  latestRelease: null,
};

type Answer = (url: URL, init: RequestInit | undefined) => Response | undefined | Promise<Response | undefined>;

/** GitHub as its description has it, for two pages of one repository each; `instead` comes first. */
function host(instead: Answer = () => undefined) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    asked.push(`${init?.method ?? 'GET'} ${url.pathname}${url.search}`);
    const other = await instead(url, init);
    if (other) return other;
    if (url.pathname === '/graphql') {
      const { query, variables } = JSON.parse(String(init?.body)) as {
        query: string;
        variables: Record<string, string>;
      };
      if (query.includes('defaultBranchRef')) return json({ data: { repository: details } });
      const blobs = Object.entries(variables).filter(([name]) => /^f\d+$/.test(name));
      const text = (expression: string) => ({ text: files[expression.split(':')[1] ?? ''], isTruncated: false });
      return json({ data: { repository: Object.fromEntries(blobs.map(([name, each]) => [name, text(each)])) } });
    }
    if (url.pathname === '/orgs/acme/repos') {
      if (url.searchParams.get('page') === '2') return json([repository(2, 'web')]);
      const link =
        '<https://api.github.com/orgs/acme/repos?page=2>; rel="next", <https://api.github.com/x>; rel="last"';
      return json([repository(1, 'pay')], { headers: { link } });
    }
    if (url.pathname.includes('/git/trees/')) {
      const tree = Object.entries(files).map(([path, text]) => ({ path, type: 'blob', sha: path, size: text.length }));
      return json({ tree, truncated: false });
    }
    if (url.pathname === '/orgs/acme/teams') return json([{ id: 7, name: 'Payments', slug: 'payments' }]);
    if (url.pathname.endsWith('/members')) return json([{ login: 'ada' }]);
    return expect.fail(`GitHub has no ${url.href}`);
  };
  return { fetch, asked };
}

function open(fetch: typeof globalThis.fetch, secrets: Record<string, string> = { token: 't' }, more = {}) {
  const settings = gitHubSource.settings.parse({ owners: ['acme'], ...more });
  return () => gitHubSource.open(settings, secrets, { fetch, now: () => now });
}

test('repositories, what they declare and teams are read in few requests', async () => {
  const { fetch, asked } = host();
  const { items, problems } = await walk(open(fetch), full);
  expect(problems).toEqual([]);
  expect([...items.keys()]).toEqual([
    'github.com#1',
    'github.com#1:port.yml#pay@service',
    'github.com#2',
    'github.com#2:port.yml#pay@service',
    'github.com/acme#team-7',
  ]);
  expect(items.get('github.com#1')?.document).toMatchObject({
    languages: { Go: 75 },
    openPullRequests: 2,
    head: { sha: 'c0ffee', message: 'one' },
    readme: '[a](https://github.com/acme/pay/blob/c0ffee/b.md)',
    owner: { owner: '@acme/Payments', team: 'payments' },
  });
  expect(asked.filter((each) => each.includes('pay') || each.includes('graphql')).length).toBeLessThanOrEqual(6);
});

test('a renamed repository is followed, and keeps its key', async () => {
  const moved = host((url) =>
    url.pathname.startsWith('/repos/acme/pay/')
      ? new Response(null, {
          status: 301,
          headers: { location: url.href.replace('/repos/acme/pay', '/repositories/1') },
        })
      : undefined,
  );
  const { items } = await walk(open(moved.fetch), full);
  expect(items.has('github.com#1:port.yml#pay@service')).toBe(true);
});

test('a secondary limit waits as long as the host says', async () => {
  const limited = host((url) =>
    url.pathname.includes('/git/trees/')
      ? new Response('', { status: 403, headers: { 'retry-after': '60' } })
      : undefined,
  );
  await expect(walk(open(limited.fetch), full)).rejects.toMatchObject({
    name: 'Postponed',
    until: new Date('2026-11-23T12:01:00Z'),
  });
});

test('a tree with files left out, and a text that the host does not give, are no sign that something is gone', async () => {
  const cut = host((url) => (url.pathname.includes('/git/trees/') ? json({ tree: [], truncated: true }) : undefined));
  expect((await walk(open(cut.fetch), full)).unread).toEqual(['github.com#1:', 'github.com#2:']);
  const binary = host((url, init) => {
    const isFiles = url.pathname === '/graphql' && !String(init?.body).includes('defaultBranchRef');
    return isFiles ? json({ data: { repository: { f0: null, f1: null, f2: { text: null } } } }) : undefined;
  });
  expect((await walk(open(binary.fetch), full)).unread).toContain('github.com#1:port.yml');
});

test('teams that may not be listed are not gone', async () => {
  const closed = host((url) => (url.pathname === '/orgs/acme/teams' ? new Response('', { status: 403 }) : undefined));
  expect((await walk(open(closed.fetch), full)).unread).toEqual(['github.com/acme#team-']);
});

test('an App proves itself with its key, and reads with the token of its installation', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  let proofs = 0;
  const app = host(async (url, init) => {
    const bearer = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    if (url.pathname === '/users/acme/installation' || url.pathname.endsWith('/access_tokens')) {
      const { payload } = await jwtVerify(bearer, publicKey, { currentDate: now });
      expect([decodeProtectedHeader(bearer).alg, payload.iss]).toEqual(['RS256', '12']);
      proofs += 1;
      return url.pathname.endsWith('/installation')
        ? json({ id: 5 })
        : json({ token: 'of-installation', expires_at: '2026-11-23T13:00:00Z' }, { status: 201 });
    }
    expect(bearer).toBe('of-installation');
    if (url.pathname !== '/installation/repositories') return undefined;
    return json({ total_count: 1, repositories: [repository(1, 'pay')] });
  });
  const reader = open(app.fetch, { privateKey: pem }, { appId: '12', teams: false })();
  const page = await reader.readPage(full, null, new AbortController().signal);
  expect(page.items.map(({ key }) => key)).toEqual(['github.com#1', 'github.com#1:port.yml#pay@service']);
  expect([page.next, proofs]).toEqual([null, 2]);
});

test.each([
  [{}, {}, 'credentials_missing'],
  [{ privateKey: 'x' }, { appId: '1', owners: [] }, 'owner_missing'],
])('%j %j is refused with the next step', (secrets, more, code) => {
  expect(open(host().fetch, secrets, more)).toThrow(expect.objectContaining({ code, fix: expect.any(String) }));
});

test('only what the host signed is an event', () => {
  const bytes = Buffer.from('{"a":1}');
  const digest = createHmac('sha256', 'hush').update(bytes).digest('hex');
  expect(verifyGitHubEvent({ 'x-hub-signature-256': `sha256=${digest}` }, bytes, 'hush')).toBe(true);
  for (const header of [digest, `sha256=${digest.slice(2)}`, `sha1=${digest}`, 'sha256=', `sha256=${'0'.repeat(64)}`]) {
    expect(verifyGitHubEvent({ 'x-hub-signature-256': header }, bytes, 'hush')).toBe(false);
  }
  expect(verifyGitHubEvent({}, bytes, 'hush')).toBe(false);
  expect(verifyGitHubEvent({ 'x-hub-signature-256': `sha256=${digest}` }, bytes, '')).toBe(false);
});
