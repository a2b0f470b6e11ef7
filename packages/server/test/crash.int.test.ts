import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvents, send, until } from './assistant-harness.ts';
import { createTestDatabase, onlyOn, type TestDatabase, testEngine } from './database.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';

let model: MockModelServer;
let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
const running: ProductProcess[] = [];

beforeEach(async () => {
  model = await startMockModelServer();
  dataDir = await newDataDir();
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
    ...(database ? { ...database.environment, PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64') } : {}),
  };
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await model.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ProductProcess> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  return product;
}

async function fetchToken({ url }: ProductProcess): Promise<string> {
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

test('kill -9 loses nothing that was acknowledged, and leaves no invocation in progress', async () => {
  model.respondWith(() => ({ text: ['One. ', 'Two. '], stalls: true }));
  const first = await start();
  const token = await fetchToken(first);
  const call = (method: string, path: string, body?: unknown) => send(first.url, token, method, path, body);
  await call('POST', '/v1/blueprints', { identifier: 'thing', title: 'Thing', schema: { properties: {} } });
  const acknowledged: string[] = [];
  const writing = (async () => {
    for (let index = 0; index < 500; index += 1) {
      const identifier = `thing-${index}`;
      const answer = await call('POST', '/v1/blueprints/thing/entities', { identifier });
      if (answer.status === 201) acknowledged.push(identifier);
    }
  })().catch(() => undefined);
  const question = await call('POST', '/v1/ai/invoke?deltas=true', { userPrompt: 'Count.' });
  const id = question.headers.get('x-invocation-id') as string;
  const reader = (question.body as ReadableStream<Uint8Array>).getReader();
  for (let seen = ''; !seen.includes('Two.'); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended early: ${seen}`);
    seen += new TextDecoder().decode(value);
  }
  await until('twenty acknowledged writes', async () => acknowledged.length >= 20);

  await first.kill('SIGKILL');
  await writing;
  const second = await start();
  const again = await fetchToken(second);
  const read = (path: string) => send(second.url, again, 'GET', path);

  const things = (await (await read('/v1/blueprints/thing/entities')).json()) as { entities: { identifier: string }[] };
  const stored = new Set(things.entities.map(({ identifier }) => identifier));
  expect(acknowledged.filter((identifier) => !stored.has(identifier))).toEqual([]);
  const events = await readEvents(await read(`/v1/ai/invoke/${id}/events?deltas=true`));
  expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
  expect(JSON.parse(events.at(-2)?.data as string).error).toBe('invocation_interrupted');
  const entity = (await (await read(`/v1/blueprints/_ai_invocations/entities/${id}`)).json()) as {
    entity: { properties: Record<string, string> };
  };
  expect(entity.entity.properties).toMatchObject({ status: 'Failed', error: expect.stringContaining('ended before') });
}, 120_000);

test('SIGTERM ends within ten seconds, and a run that goes on is ended with the reason', async () => {
  model.respondWith(() => ({ text: 'Endless', stalls: true }));
  const product = await start();
  const token = await fetchToken(product);
  const reading = send(product.url, token, 'POST', '/v1/ai/invoke', { userPrompt: 'Wait.' }).then(readEvents);
  await until('the run reaches the model', async () => model.requests.length > 0);

  const startedAt = Date.now();
  expect(await product.kill('SIGTERM')).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  const events = await reading;
  expect(events.at(-1)?.event).toBe('done');
  expect(JSON.parse(events.at(-2)?.data as string).error).toBe('invocation_interrupted');
}, 60_000);

onlyOn('embedded', 'a server has many clients', () => {
  test('a second process on the same folder is refused with a sentence', async () => {
    const product = await start();
    await expect(startProduct(dataDir, environment)).rejects.toThrow(
      /cannot start[\s\S]*process \d+|cannot start[\s\S]*is in use/,
    );
    expect((await send(product.url, undefined, 'GET', '/health')).status).toBe(200);
  }, 60_000);
});
