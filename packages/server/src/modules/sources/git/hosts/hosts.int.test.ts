import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../../test/build-test-app.ts';
import { unique } from '../../../../../test/catalog-fixtures.ts';
import { type FakeServer, startFakeServer } from '../../../../../test/git/hosts/fake-server.ts';
import { hostCases } from '../../../../../test/git/hosts/host-cases.ts';
import {
  commitTo,
  day,
  makePull,
  makeRepository,
  makeRun,
  makeWorld,
  type World,
} from '../../../../../test/git/hosts/world.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const schema = { properties: {} };
  const answer = await app.request('POST', '/v1/blueprints', {
    body: { identifier: 'service', title: 'Service', schema },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
});
afterAll(() => app.close());

/** Those whose address can be set. */
const cases = hostCases.flatMap((host) => {
  const { url } = host.settings as { readonly url?: string };
  return url === undefined ? [] : [[host.type.type, host, url] as const];
});

describe.each(cases)('%s', (type, host, url) => {
  let world: World;
  let server: FakeServer;
  beforeAll(async () => {
    world = makeWorld([1, 2, 3].map((id) => makeRepository(id, host.codeowners, { name: `${type}-${id}` })));
    server = await startFakeServer(host.fetch(world), new URL(url).origin);
  });
  afterEach(() => {
    server.fetch = host.fetch(world);
  });
  afterAll(() => server.close());

  async function save(more: object = {}): Promise<string> {
    const identifier = unique('git');
    const settings = { ...host.settings, url: url.replace(new URL(url).origin, server.url), owners: ['acme'], ...more };
    const body = { type, identifier, settings, secrets: host.secrets, scheduleMinutes: null };
    const answer = await app.request('POST', '/v1/sources', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    await app.app.jobs.drain();
    return identifier;
  }

  async function sync(identifier: string) {
    const started = await app.request('POST', `/v1/sources/${identifier}/syncs`, { body: { mode: 'full' } });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    await app.app.jobs.drain();
    const path = `/v1/sources/${identifier}/syncs/${started.body.sync.id}`;
    const { problems } = (await app.request('GET', `${path}/problems`)).body;
    return { ...(await app.request('GET', path)).body.sync, problems };
  }

  const find = async (blueprint: string, identifier: string) =>
    (await app.request('GET', `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(identifier)}`)).body.entity;

  test('repositories, what their files declare and teams become entities; what cannot be read is not deleted', async () => {
    const identifier = await save();
    const first = await sync(identifier);
    expect([first.status, first.problems]).toEqual(['completed', []]);
    expect(await find('repository', `acme/${type}-1`)).toMatchObject({
      team: ['payments'],
      properties: { codeowner: '@acme/payments', defaultBranch: 'main', url: expect.stringContaining(server.url) },
    });
    expect(await find('service', 'service-1')).toMatchObject({ identifier: 'service-1' });
    const [lost] = world.repositories;
    if (!lost) expect.fail('no repository');
    server.fetch = async (input, init) => {
      const isLost = host.isAbout(lost, new URL(String(input)), String(init?.body ?? ''));
      return isLost ? new Response('{}', { status: 403 }) : host.fetch(world)(input, init);
    };
    const second = await sync(identifier);
    expect(second.problems.map(({ code }: { code: string }) => code)).toEqual(['lost_access']);
    expect(second.counts).toMatchObject({ deleted: 0, marked: 0, released: 0 });
    let asked = 0;
    server.fetch = async (input, init) => {
      asked += 1;
      return asked > 4 ? new Response('{}', { status: 401 }) : host.fetch(world)(input, init);
    };
    const third = await sync(identifier);
    expect(third).toMatchObject({ status: 'failed', problem: { code: 'credentials_refused' } });
    expect(third.counts.deleted).toBe(0);
    expect(await find('service', 'service-1')).toMatchObject({ identifier: 'service-1' });
  });

  test('a push arrives with its proof alone, and the proof is not kept', async () => {
    const identifier = await save();
    const [, one] = world.repositories;
    if (!one) expect.fail('no repository');
    const before = one.commits.at(-1)?.sha ?? '';
    commitTo(one, '2026-11-22T10:00:00.000Z', { 'README.md': '# pushed' });
    const renewed = (await app.request('POST', `/v1/sources/${identifier}/webhook`)).body;
    const { headers, body } = host.push(one, 'main', before);
    const payload = JSON.stringify(body);
    const send = (secret: string) => {
      const proof = host.prove(Buffer.from(payload), secret);
      const path = new URL(renewed.url).pathname;
      const sent = { 'content-type': 'application/json', ...headers, ...proof };
      return app.request('POST', path, { payload, token: null, headers: sent });
    };
    expect((await send('another')).status).toBe(401);
    expect((await send(renewed.secret)).status).toBe(202);
    const waiting = await app.database.rows<{ input: unknown }>(
      sql`select input from jobs where org_id = ${app.organization.id} and name = 'sources.process-event'`,
    );
    expect(waiting).toHaveLength(1);
    const kept = JSON.stringify(waiting);
    expect(kept).not.toContain(renewed.secret);
    expect(kept).not.toContain(Object.values(host.prove(Buffer.from(payload), renewed.secret))[0]);
    await app.app.jobs.drain();
    expect(await find('repository', `acme/${type}-2`)).toMatchObject({ properties: { readme: '# pushed' } });
  });

  test('pull requests, pipeline runs and releases become entities; older ones stay, and events update them at once', async () => {
    const one = makeRepository(9, host.codeowners, { name: `${type}-9` });
    one.pulls = [makePull(1, { state: 'open' }), makePull(2), makePull(3, { state: 'merged' })];
    one.runs = [makeRun(11), makeRun(12, { status: 'running' })];
    one.releases = [{ id: 71, tag: 'v1', at: day(1) }];
    world.repositories.push(one);
    const chosen = { pullRequests: true, pipelineRuns: true, latest: 1, teams: false };
    const identifier = await save(host.lacks?.release ? chosen : { ...chosen, releases: true });
    const first = await sync(identifier);
    expect([first.status, first.problems]).toEqual(['completed', []]);
    const path = `acme/${one.name}`;
    const repository = { repository: path };
    const pull = (id: number) => find('pullRequest', `${path}/pull/${id}`);
    const run = (id: number) => find('pipelineRun', `${path}/run/${id}`);
    expect(await pull(1)).toMatchObject({ properties: { status: 'open' }, relations: repository });
    expect(await pull(2)).toBeUndefined();
    expect(await pull(3)).toMatchObject({ properties: { status: 'merged', creator: 'ada', reviewers: ['grace'] } });
    expect(await run(12)).toMatchObject({ properties: { status: 'running', branch: 'main' }, relations: repository });
    const [release] = one.releases;
    const released = release && (await find('release', `${path}/release/${host.releaseId(release)}`));
    if (host.lacks?.release) expect(released).toBeUndefined();
    else expect(released).toMatchObject({ properties: { version: 'v1' }, relations: repository });

    one.pulls.push(makePull(4));
    one.runs.push(makeRun(13, { status: 'success' }));
    const second = await sync(identifier);
    expect(second.counts).toMatchObject({ deleted: 0, marked: 0, released: 0 });
    expect((await app.request('GET', `/v1/sources/${identifier}/missing`)).body).toMatchObject({ total: 0 });
    expect(await pull(3)).toMatchObject({ properties: { status: 'merged' } });
    expect(await run(13)).toMatchObject({ properties: { status: 'success', durationSeconds: 90 } });

    const renewed = (await app.request('POST', `/v1/sources/${identifier}/webhook`)).body;
    const tell = async (kind: 'pull-request' | 'pipeline-run', id: string): Promise<void> => {
      const { headers, body } = host.about(one, kind, id, false) ?? expect.fail('no such event');
      const payload = JSON.stringify(body);
      const sent = {
        'content-type': 'application/json',
        ...headers,
        ...host.prove(Buffer.from(payload), renewed.secret),
      };
      const answer = await app.request('POST', new URL(renewed.url).pathname, { payload, token: null, headers: sent });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      await app.app.jobs.drain();
    };
    one.pulls[0] = makePull(1, { state: 'merged', changedAt: day(22) });
    one.runs[1] = makeRun(12, { status: 'failure' });
    await tell('pull-request', '1');
    expect(await pull(1)).toMatchObject({ properties: { status: 'merged' } });
    await tell('pipeline-run', '12');
    expect(await run(12)).toMatchObject({ properties: { status: 'failure' } });
  });
});
