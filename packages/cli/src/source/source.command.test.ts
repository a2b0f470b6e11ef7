import { describe, expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext, testEnvironment } from '../../test/test-context.ts';
import { run } from '../run.ts';

const counts = {
  read: 3,
  created: 2,
  changed: 0,
  unchanged: 1,
  refused: 0,
  deleted: 0,
  released: 0,
  marked: 0,
  contested: 0,
  problems: 0,
  requests: 4,
};
const sync = (more: object = {}) => ({
  id: 'sync_1',
  mode: 'full',
  status: 'completed',
  startedAt: '2026-11-23T10:00:00.000Z',
  endedAt: '2026-11-23T10:01:00.000Z',
  counts,
  note: null,
  problem: null,
  ...more,
});
const source = {
  identifier: 'git',
  type: 'gitea',
  title: 'Gitea',
  state: 'live',
  entities: { repo: 3 },
  lastSync: sync(),
};
const form = {
  sourceType: {
    settings: {
      properties: {
        address: { type: 'string' },
        perPage: { type: 'integer' },
        topics: { type: 'array' },
        archived: { type: 'boolean' },
        token: { type: 'string', writeOnly: true },
      },
    },
  },
};
const ok =
  (body: object, status = 200) =>
  () =>
    json({ ok: true, ...body }, status);
const server: Record<string, Handler | readonly Handler[]> = {
  'GET /v1/source-types/gitea': ok(form),
  'GET /v1/sources/git': ok({ source }),
  'POST /v1/sources/check': () =>
    json({ ok: true, checks: [{ name: 'address', state: 'passed', message: 'It answers' }], sample: { items: [] } }),
  'POST /v1/sources': ok({ source }, 201),
};

async function called(
  given: readonly string[],
  { script = {}, input = '', environment = {} }: { script?: typeof server; input?: string; environment?: object } = {},
) {
  const { fetch, seen } = scriptedFetch({ ...server, ...script });
  const { context, out, err, waits } = createTestContext({
    fetch,
    input,
    environment: { ...testEnvironment, ...environment },
  });
  const code = await run(['source', ...given], context);
  const sent = seen.filter(({ call }) => !call.endsWith('/access_token'));
  return { code, out: out(), err: err(), waits, sent, calls: sent.map(({ call }) => call) };
}

describe('add', () => {
  test('reads settings by the form of the type and secrets from the environment, tries them, and saves', async () => {
    const done = await called(
      ['add', 'gitea', '--set', 'address=https://git.example', '--set', 'perPage=50', '--set', 'topics=a, b'].concat([
        '--set',
        'archived=false',
        '--secret-env',
        'token=GITEA_TOKEN',
        '--identifier',
        'git',
      ]),
      { environment: { GITEA_TOKEN: 's3cret' } },
    );
    expect(done).toMatchObject({ code: 0, err: 'passed: address: It answers\n' });
    expect(done.calls).toEqual(['GET /v1/source-types/gitea', 'POST /v1/sources/check', 'POST /v1/sources']);
    const settings = { address: 'https://git.example', perPage: 50, topics: ['a', 'b'], archived: false };
    expect(done.sent[2]?.body).toEqual({ type: 'gitea', identifier: 'git', settings, secrets: { token: 's3cret' } });
    expect(done.out).toContain('git is added');
    expect(done.out + done.err).not.toContain('s3cret');
  });

  test('takes a secret from stdin, without the line break', async () => {
    const done = await called(['add', 'gitea', '--secret-stdin', 'token', '--no-check'], { input: 's3cret\n' });
    expect(done.calls).toEqual(['POST /v1/sources']);
    expect(done.sent[0]?.body).toMatchObject({ secrets: { token: 's3cret' } });
  });

  test('saves nothing when a check fails, and says what to do', async () => {
    const checks = [{ name: 'credentials', state: 'failed', message: 'The token is wrong', fix: 'Make a new one' }];
    const done = await called(['add', 'gitea', '--secret-stdin', 'token'], {
      input: 'x',
      script: { 'POST /v1/sources/check': () => json({ ok: false, checks, sample: { items: [], total: null } }) },
    });
    expect([done.code, done.calls]).toEqual([1, ['POST /v1/sources/check']]);
    expect(done.err).toContain('failed: credentials: The token is wrong\n  Make a new one\nNothing was saved.');
  });

  test.each([
    [['--set', 'token=s3cret'], '"token" is a secret'],
    [['--set', 's3cret'], '--set takes a name and a value'],
    [['--set', 'perPage=many'], 'a whole number'],
    [['--set', 'colour=red'], 'There are: address, perPage, topics, archived.'],
    [['--secret-env', 'token=NOWHERE'], 'NOWHERE is not set'],
    [['--secret-stdin', 'token'], 'Nothing came on stdin'],
  ])('%j is a mistake in the call; nothing is tried or saved, and no secret is repeated', async (options, said) => {
    const done = await called(['add', 'gitea', ...options]);
    expect(done.code).toBe(2);
    expect(done.err).toContain(said);
    expect(done.err).not.toContain('s3cret');
    expect(done.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });
});

test('list says how each source is', async () => {
  const done = await called(['list'], { script: { 'GET /v1/sources': ok({ sources: [source] }) } });
  expect(done.out.split('\n')[1]?.split(/\s{2,}/)).toEqual([
    'git',
    'gitea',
    'live',
    'completed 2026-11-23T10:00:00.000Z',
    '3',
    'Gitea',
  ]);
});

test('check tries a saved source with its own secrets, or a type before it is saved', async () => {
  const saved = await called(['check', 'git']);
  expect(saved.sent[1]?.body).toEqual({ type: 'gitea', settings: {}, secrets: {}, source: 'git' });
  const typed = await called(['check', '--type', 'gitea', '--set', 'address=https://git.example']);
  expect(typed.sent[1]?.body).toEqual({ type: 'gitea', settings: { address: 'https://git.example' }, secrets: {} });
  for (const mistake of [['check'], ['check', 'git', '--type', 'gitea']]) {
    expect((await called(mistake)).code).toBe(2);
  }
});

describe('plan and sync', () => {
  const running = sync({ status: 'running', endedAt: null, counts: { ...counts, read: 1, created: 0, unchanged: 0 } });
  const at = 'GET /v1/sources/git/syncs/sync_1';

  test('plan waits for the end and lists the changes; refused items end with 5', async () => {
    const changes = [
      { item: 'repo:1', blueprint: 'repo', identifier: 'a', change: 'created', before: null, after: {} },
    ];
    const done = await called(['plan', 'git'], {
      script: {
        'POST /v1/sources/git/syncs': ok({ sync: running }, 202),
        [at]: [ok({ sync: running }), ok({ sync: sync({ mode: 'plan', counts: { ...counts, refused: 1 } }) })],
        [`${at}/changes`]: ok({ changes, next: null }),
      },
    });
    expect(done.code).toBe(5);
    expect(done.sent[0]?.body).toEqual({ mode: 'plan' });
    expect(done.waits).toHaveLength(2);
    expect(done.out).toContain('sync_1 (plan) completed: 3 read, 2 created, 1 unchanged, 1 refused');
    expect(done.out).toMatch(/created {2}repo\/a {2}repo:1/);
  });

  test('sync returns at once, and with --follow at the end; one that failed ends with 1', async () => {
    const begun = { 'POST /v1/sources/git/syncs': ok({ sync: running }, 202) };
    expect(await called(['sync', 'git'], { script: begun })).toMatchObject({ code: 0, waits: [] });
    const problem = { code: 'unreachable', message: 'The host does not answer.', fix: 'Look at the address.' };
    const failed = await called(['sync', 'git', '--follow', '--changes'], {
      script: { ...begun, [at]: ok({ sync: sync({ status: 'failed', problem }) }) },
    });
    expect([failed.code, failed.sent[0]?.body]).toEqual([1, { mode: 'changes' }]);
    expect(failed.out).toContain('The host does not answer. Look at the address.');
  });
});

test('problems pages to the end and names the place', async () => {
  const problem = (message: string) => ({
    severity: 'error',
    code: 'x',
    message,
    item: 'repo:1',
    place: { file: 'catalog-info.yaml', line: 3 },
  });
  const done = await called(['problems', 'git'], {
    script: {
      'GET /v1/sources/git/syncs/sync_1/problems': [
        ok({ problems: [problem('One')], next: 7 }),
        ok({ problems: [problem('Two')], next: null }),
      ],
    },
  });
  expect(done.out).toBe('error: repo:1 at catalog-info.yaml:3: One\nerror: repo:1 at catalog-info.yaml:3: Two\n');
  expect(done.sent.at(-1)?.query).toEqual({ after: '7' });
});

test('remove needs --yes, and shows what the server refuses', async () => {
  const unsure = await called(['remove', 'git']);
  expect([unsure.code, unsure.calls]).toEqual([2, []]);
  const gone = await called(['remove', 'git', '--yes'], { script: { 'DELETE /v1/sources/git': ok({}) } });
  expect([gone.code, gone.out]).toEqual([0, 'git is removed; its entities stay.\n']);
  const busy = () => refusal(409, 'sync_in_progress', 'The source is being read; wait until it has ended');
  const refused = await called(['remove', 'git', '--yes'], { script: { 'DELETE /v1/sources/git': busy } });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('wait until it has ended')]);
});

test('cancel ends the sync that is open, if there is one', async () => {
  const idle = await called(['cancel', 'git']);
  expect([idle.code, idle.out, idle.calls]).toEqual([0, 'git is not being read.\n', ['GET /v1/sources/git']]);
  const open = sync({ status: 'running', endedAt: null });
  const done = await called(['cancel', 'git'], {
    script: {
      'GET /v1/sources/git': ok({ source: { ...source, lastSync: open } }),
      'DELETE /v1/sources/git/syncs/sync_1': ok({ sync: sync({ status: 'cancelled' }) }),
    },
  });
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('sync_1 (full) cancelled')]);
});
