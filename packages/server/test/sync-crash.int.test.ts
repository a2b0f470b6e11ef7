import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase, testEngine } from './database.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
const running: ProductProcess[] = [];

beforeEach(async () => {
  dataDir = await newDataDir();
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  environment = {
    PORTOLAN_DEMO: '0',
    ...(database ? { ...database.environment, PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64') } : {}),
  };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
  readonly body: any;
}
type Call = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<Answer>;
const agent = 'port-ocean/github-ocean/1.0.0/the-sync/exporter';

/** The product, and a client of it as integrations are: with their user agent. */
async function start(): Promise<{ product: ProductProcess; call: Call }> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  let token = '';
  const call: Call = async (method, path, body, signal) => {
    const answer = await fetch(`${product.url}${path}`, {
      method,
      ...(signal ? { signal } : {}),
      headers: { authorization: `Bearer ${token}`, 'user-agent': agent, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  token = (await call('POST', '/v1/auth/access_token', await readCredentials(dataDir))).body.accessToken;
  return { product, call };
}

/** Ten thousand are synced by the scenario `resync` of the benchmark, which checks the same. */
const groups = testEngine === 'postgres' ? 100 : 30;
const perGroup = 20;
const repositories = Array.from({ length: groups }, (_none, at) => ({
  identifier: `repo-${at}`,
  properties: { n: at },
  // half of them point at one that comes later
  relations: { upstream: `repo-${(at * 7) % groups}` },
}));
const issues = Array.from({ length: groups * perGroup }, (_none, at) => ({
  identifier: `issue-${at}`,
  title: `Issue ${at}`,
  relations: { repo: `repo-${at % groups}` },
}));

/** Requests after which the sync is cut. */
const middle = Math.floor(issues.length / 20 / 2);

/** What a sync sends: issues before the repositories that they point at. */
async function sync(call: Call, onBatch: () => Promise<void> = async () => undefined): Promise<void> {
  const flags = '?upsert=true&merge=true&create_missing_related_entities=true';
  for (const [blueprint, all] of [
    ['issue', issues],
    ['repo', repositories],
  ] as const) {
    for (let from = 0; from < all.length; from += 20) {
      const entities = all.slice(from, from + 20);
      const { status, body } = await call('POST', `/v1/blueprints/${blueprint}/entities/bulk${flags}`, { entities });
      expect([status, body.errors]).toEqual([200, []]);
      await onBatch();
    }
  }
}

test('a sync that a kill -9 cuts is resumed: nothing is lost, nothing is there twice, and only what is stale goes', async () => {
  const { product, call } = await start();
  const repo = { identifier: 'repo', title: 'Repo', schema: { properties: { n: { type: 'number' } } } };
  await call('POST', '/v1/blueprints', { ...repo, relations: { upstream: { target: 'repo' } } });
  const issue = { identifier: 'issue', title: 'Issue', schema: { properties: {} } };
  await call('POST', '/v1/blueprints', { ...issue, relations: { repo: { target: 'repo', required: true } } });
  const created = await call('POST', '/v1/integration', {
    installationId: 'the-sync',
    installationAppType: 'github-ocean',
    version: '1.0.0',
    config: {},
    changelogDestination: {},
  });
  expect(created.status).toBe(201);
  for (const identifier of ['stale-1', 'stale-2']) await call('POST', '/v1/blueprints/repo/entities', { identifier });

  const state = (status: string) => call('PATCH', '/v1/integration/the-sync/resync-state', { status });
  await state('running');
  // a client that goes away in the middle of a request; what it began is written whole or not at all
  const leaving = new AbortController();
  let begun = 0;
  const abandoned = sync(
    (method, path, body) => call(method, path, body, leaving.signal),
    async () => {
      begun += 1;
      if (begun === 2) setTimeout(() => leaving.abort(), 5);
    },
  ).catch((error: Error) => error.name);
  expect(await abandoned).toBe('AbortError');
  const webhook = await call('POST', '/v1/webhooks', {
    identifier: 'events',
    title: 'Events',
    mappings: [{ blueprint: 'repo', entity: { identifier: '.body.id', properties: { n: '.body.n' } } }],
  });
  const ingest = new URL(webhook.body.integration.url).pathname;
  let batches = 0;
  const acknowledged: number[] = [];
  const events = (async () => {
    for (let n = 0; ; n += 1) {
      if ((await call('POST', ingest, { id: `event-${n % 5}`, n })).status === 202) acknowledged.push(n);
    }
  })().catch(() => undefined);
  const cut = sync(call, async () => {
    batches += 1;
    if (batches === middle) await until('some events', async () => acknowledged.length >= 20);
  }).catch(() => 'cut');
  await expect.poll(() => batches, { timeout: 90_000, interval: 20 }).toBeGreaterThan(middle);
  await product.kill('SIGKILL');
  expect(await cut).toBe('cut');
  await events;

  const again = await start();
  const request = (await again.call('GET', '/v1/integration/the-sync/resync-request')).body.request;
  expect(request.id).toMatch(/^resync_/);
  // the clock of the client: everything it writes from here on is seen later
  await new Promise((resolve) => setTimeout(resolve, 5));
  const before = new Date().toISOString();
  await sync(again.call);
  const count = async (blueprint: string) =>
    (await again.call('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count as number;
  const stale = (await again.call('POST', '/v1/blueprints/entities/datasource-entities', {
    datasource_prefix: 'port-ocean/github-ocean/',
    datasource_suffix: '/the-sync/exporter',
    before,
    limit: 5000,
  })) as { body: { entities: { identifier: string; blueprint: string }[] } };
  expect(stale.body.entities.map(({ identifier }) => identifier).sort()).toEqual(['stale-1', 'stale-2']);
  const removed = await again.call('POST', '/v1/blueprints/repo/bulk/entities/delete?delete_dependents=true', {
    entities: ['stale-1', 'stale-2'],
  });
  expect(removed.status).toBe(200);
  expect(await count('issue')).toBe(issues.length);
  const related = (await again.call('GET', '/v1/blueprints/repo/entities/repo-3')).body.entity;
  expect(related).toMatchObject({ properties: { n: 3 }, relations: { upstream: `repo-${21 % groups}` } });

  // every event that was acknowledged is mapped, in order: the last of each name has the last word
  const list = async () => (await again.call('GET', '/v1/webhooks/events/deliveries?limit=200')).body.deliveries;
  const open = async () => (await list()).filter(({ state: each }: { state: string }) => each !== 'processed').length;
  await expect.poll(open, { timeout: 90_000, interval: 250 }).toBe(0);
  const last = acknowledged.at(-1) as number;
  for (let n = last; n > last - 5; n -= 1) {
    const entity = (await again.call('GET', `/v1/blueprints/repo/entities/event-${n % 5}`)).body.entity;
    // one more may have been kept whose answer the kill cut off
    expect([n, n + 5]).toContain(entity.properties.n);
  }
  expect(await count('repo')).toBe(repositories.length + 5);

  // the same again changes nothing and records nothing, and nothing counts as stale that was seen
  const stored = async () => {
    const parts = 'include=identifier&include=title&include=properties&include=relations&include=updatedAt';
    const read = ['issue', 'repo'].map((name) => again.call('GET', `/v1/blueprints/${name}/entities?${parts}`));
    const newest = (await again.call('GET', '/v1/audit-log?limit=1')).body.audits[0].identifier;
    return [newest, ...(await Promise.all(read)).map(({ body }) => body.entities)];
  };
  const first = await stored();
  const secondStart = new Date().toISOString();
  await sync(again.call);
  expect(await stored()).toEqual(first);
  const old = await again.call('POST', '/v1/blueprints/entities/datasource-entities', {
    datasource_prefix: 'port-ocean/github-ocean/',
    datasource_suffix: '/the-sync/exporter',
    before: secondStart,
    limit: 5000,
  });
  expect(old.body.entities).toEqual([]);
}, 240_000);
