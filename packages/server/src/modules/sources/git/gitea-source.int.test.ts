import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import answers from '../../../../test/git/gitea-answers.json' with { type: 'json' };
import { type RecordedHost, startRecordedHost } from '../../../../test/git/recorded-host.ts';

let app: TestApp;
let host: RecordedHost;
beforeAll(async () => {
  app = await createTestApp();
  host = await startRecordedHost(answers, 'http://gitea.test');
  const service = {
    identifier: 'service',
    title: 'Service',
    ownership: { type: 'Direct' },
    schema: { properties: {} },
  };
  const answer = await app.request('POST', '/v1/blueprints', { body: service });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
});
afterEach(() => {
  host.answer = () => undefined;
});
afterAll(async () => {
  await app.close();
  await host.close();
});

async function save(settings: object = {}): Promise<string> {
  const identifier = unique('gitea');
  const body = {
    type: 'gitea',
    identifier,
    settings: { url: host.url, owners: ['acme'], ...settings },
    secrets: { token: 't0ken-of-the-host' },
    scheduleMinutes: null,
    isPaused: true,
  };
  const answer = await app.request('POST', '/v1/sources', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return identifier;
}

async function sync(identifier: string, mode = 'full') {
  const started = await app.request('POST', `/v1/sources/${identifier}/syncs`, { body: { mode } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  const path = `/v1/sources/${identifier}/syncs/${started.body.sync.id}`;
  const problems = (await app.request('GET', `${path}/problems`)).body.problems;
  return { ...(await app.request('GET', path)).body.sync, problems };
}

const read = async (blueprint: string, identifier: string) =>
  (await app.request('GET', `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(identifier)}`)).body.entity;

test('a source brings repositories with their owners, teams, APIs and what port.yml declares', async () => {
  const identifier = await save();
  const first = await sync(identifier);
  expect([first.status, first.problems]).toEqual(['completed', []]);
  expect(await read('repository', 'acme/api')).toMatchObject({
    title: 'api',
    team: ['payments'],
    properties: { url: `${host.url}/acme/api`, readme: expect.stringContaining('# api'), codeowner: '@acme/payments' },
  });
  expect(await read('api', 'acme/api:docs/openapi.yaml')).toMatchObject({
    title: 'Pay',
    relations: { repository: 'acme/api' },
  });
  expect(await read('service', 'api-worker')).toMatchObject({ title: 'api-worker' });
  expect(await read('_team', 'payments')).toMatchObject({ title: 'Payments' });
  const again = await sync(identifier);
  expect(again.counts).toMatchObject({ created: 0, changed: 0, refused: 0, deleted: 0, unchanged: expect.any(Number) });
});

test('what may not be read any more does not count as gone', async () => {
  const identifier = await save({ teams: false });
  await sync(identifier);
  host.answer = (path) => (path.includes('/acme/api/') ? { status: 403 } : undefined);
  const later = await sync(identifier);
  expect(later.problems.map(({ code }: { code: string }) => code)).toEqual(['lost_access']);
  expect(later.counts).toMatchObject({ deleted: 0, marked: 0, released: 0 });
  host.answer = (path) => (path.includes('/repos/search') ? { status: 200, body: '{"data":[]}' } : undefined);
  expect((await sync(identifier)).counts).toMatchObject({ deleted: 0, marked: expect.any(Number) });
});

test('a refused token pauses the source with the next step, and deletes nothing', async () => {
  const identifier = await save({ teams: false });
  await sync(identifier);
  let asked = 0;
  host.answer = () => {
    asked += 1;
    return asked > 4 ? { status: 401 } : undefined;
  };
  const refused = await sync(identifier);
  expect(refused).toMatchObject({
    status: 'failed',
    problem: { code: 'credentials_refused', fix: expect.any(String) },
  });
  expect(refused.counts.deleted).toBe(0);
  expect(JSON.stringify((await app.request('GET', `/v1/sources/${identifier}`)).body)).not.toContain('t0ken');
});

test('check tells what can be read before anything is saved', async () => {
  host.answer = (path) => {
    if (path.endsWith('/version')) return { status: 200, body: '{"version":"1.26.0"}' };
    return path.endsWith('/repos/search?limit=1') ? { status: 200, body: '{"data":[]}' } : undefined;
  };
  const body = { type: 'gitea', settings: { url: host.url, owners: ['acme'] }, secrets: { token: 'x' } };
  const answer = await app.request('POST', '/v1/sources/check', { body });
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({
    ok: true,
    sample: { total: 3, items: expect.any(Array) },
  });
  expect(answer.body.checks.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['address', 'passed'],
    ['credentials', 'passed'],
    ['first_page', 'passed'],
  ]);
});
