import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send, until } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';

/** Fewer than a process has connections: each waits on one. */
const atOnce = 5;

let model: MockModelServer;
let dataDir: string;
let world: TestDatabase;
let environment: Record<string, string>;
const running: ProductProcess[] = [];

beforeEach(async () => {
  model = await startMockModelServer();
  model.respondWith(() => ({ text: 'Fine.' }));
  dataDir = await newDataDir();
  world = await createTestDatabase();
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
    PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64'),
    ...world.environment,
  };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await model.close();
  await world.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ProductProcess> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  return product;
}

async function caller({ url }: ProductProcess) {
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return (method: string, path: string, body?: unknown) => send(url, accessToken, method, path, body);
}

async function count(table: 'ai_reservations' | 'invocations'): Promise<number> {
  const statement =
    table === 'invocations'
      ? sql`select count(*)::int as count from invocations`
      : sql`select count(*)::int as count from ai_reservations`;
  return (await world.database.first<{ count: number }>(statement))?.count ?? 0;
}

async function counted(): Promise<number> {
  const row = await world.database.first<{ requests: number }>(sql`
    select coalesce(sum(requests), 0)::int as requests from ai_usage where period = 'month'`);
  return row?.requests ?? 0;
}

test('kill -9 between grant and acceptance leaves requests counted that nobody got, until the sweep gives them back', async () => {
  const first = await start();
  const ask = await caller(first);
  await (await ask('POST', '/v1/ai/invoke', { userPrompt: 'How are you?' })).text();
  expect([await counted(), await count('ai_reservations'), await count('invocations')]).toEqual([1, 0, 1]);

  await world.database.transaction(async (tx) => {
    // no question is accepted any more, while the ledger goes on
    await tx.rows(sql`lock table invocations in exclusive mode`);
    const asked = Array.from({ length: atOnce }, () =>
      ask('POST', '/v1/ai/invoke', { userPrompt: 'How are you?' }).catch(() => undefined),
    );
    await until('requests are reserved', async () => {
      const row = await tx.first<{ count: number }>(sql`select count(*)::int as count from ai_reservations`);
      return row?.count === atOnce;
    });
    await first.kill('SIGKILL');
    await Promise.all(asked);
  });
  // never too few: what might have been accepted is counted
  expect(await count('invocations')).toBe(1);
  expect([await counted(), await count('ai_reservations')]).toEqual([1 + atOnce, atOnce]);

  await world.database.transaction((tx) =>
    tx.execute(sql`update ai_reservations set reserved_at = reserved_at - interval '1 hour'`),
  );
  const second = await caller(await start());
  await until('they are given back', async () => (await count('ai_reservations')) === 0);
  expect(await counted()).toBe(1);
  const limits = (await (await second('GET', '/v1/ai/limits')).json()) as {
    rateLimitUsage: { maxRequests: number; remainingRequests: number };
  };
  expect(limits.rateLimitUsage.maxRequests - limits.rateLimitUsage.remainingRequests).toBe(1);
}, 180_000);
