import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvents, send, until } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';

let model: MockModelServer;
let dataDir: string;
let database: TestDatabase;
let masterKey: string;
const running: ProductProcess[] = [];

beforeEach(async () => {
  masterKey = randomBytes(32).toString('base64');
  model = await startMockModelServer();
  dataDir = await newDataDir();
  database = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await model.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(drainSeconds: number): Promise<ProductProcess> {
  const product = await startProduct(dataDir, {
    ...database.environment,
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
    PORTOLAN_MASTER_KEY: masterKey,
    PORTOLAN_DRAIN_SECONDS: String(drainSeconds),
  });
  running.push(product);
  return product;
}

async function fetchToken({ url }: ProductProcess): Promise<string> {
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

const readiness = async ({ url }: ProductProcess): Promise<number> =>
  (await send(url, undefined, 'GET', '/ready')).status;

test('requests that arrive during the drain are served, and each answer ends its connection', async () => {
  const product = await start(3);
  const token = await fetchToken(product);
  const before = await send(product.url, token, 'GET', '/v1/blueprints');
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
  await before.text();

  const ended = product.kill('SIGTERM');
  await until('it is unready', async () => (await readiness(product)) === 503);
  const during = await send(product.url, token, 'GET', '/v1/blueprints');
  expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
  const written = await send(product.url, token, 'POST', '/v1/blueprints', {
    identifier: 'late',
    title: 'Late',
    schema: { properties: {} },
  });
  expect(written.status).toBe(201);
  expect((await send(product.url, undefined, 'GET', '/health')).status).toBe(200);
  expect(await ended).toBe(0);
}, 90_000);

test('a run that began before the stop has longer to end than a stop without a drain gives', async () => {
  model.respondWith(() => ({ text: 'At last.', firstMs: 9_000 }));
  const product = await start(1);
  const token = await fetchToken(product);
  const reading = send(product.url, token, 'POST', '/v1/ai/invoke', { userPrompt: 'Wait.' }).then(readEvents);
  await until('the run reaches the model', async () => model.requests.length > 0);

  expect(await product.kill('SIGTERM')).toBe(0);
  const events = await reading;
  expect(events.map(({ event }) => event)).not.toContain('error');
  expect(events.at(-1)?.event).toBe('done');
}, 90_000);

test('streams of what runs elsewhere end with the listener, and go on at another replica', async () => {
  model.respondWith(() => ({ text: ['One. ', 'Two.'], gapMs: 6_000 }));
  const [runs, reads] = [await start(1), await start(1)];
  const token = await fetchToken(runs);
  const asked = send(runs.url, token, 'POST', '/v1/ai/invoke', { userPrompt: 'Count.' });
  const id = (await asked).headers.get('x-invocation-id') as string;
  const all = asked.then(readEvents);
  const broken = send(reads.url, token, 'GET', `/v1/ai/invoke/${id}/events`).then(readEvents);
  await until('the run reaches the model', async () => model.requests.length > 0);

  expect(await reads.kill('SIGTERM')).toBe(0);
  const seen = await broken;
  expect(seen.at(-1)?.event).not.toBe('done');
  const rest = await send(runs.url, token, 'GET', `/v1/ai/invoke/${id}/events`, undefined, {
    'last-event-id': seen.at(-1)?.id ?? '',
  }).then(readEvents);
  expect([...seen, ...rest].map((event) => event.id)).toEqual((await all).map((event) => event.id));
}, 90_000);

test('a second signal ends it at once', async () => {
  const product = await start(60);
  const ended = product.kill('SIGTERM');
  await until('it is unready', async () => (await readiness(product)) === 503);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until('it ends', async () => {
    // signals within a second of the first are that one
    product.child.kill('SIGTERM');
    return isOver;
  });
  expect(await ended).toBe(1);
}, 60_000);
