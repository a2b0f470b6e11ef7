import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send, until } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';

const kills = 2;
const atOnce = 5;
const limit = 8;

let model: MockModelServer;
let dataDir: string;
let world: TestDatabase;
let product: ProductProcess | undefined;

beforeEach(async () => {
  model = await startMockModelServer();
  model.respondWith(() => ({
    text: Array.from({ length: 10 }, (_, index) => `word ${index}\n\n`),
    gapMs: 20,
    usage: { input: 100, output: 20 },
  }));
  dataDir = await newDataDir();
  world = await createTestDatabase();
});
afterEach(async () => {
  await product?.kill('SIGKILL');
  await model.close();
  await world.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  PORTOLAN_DEMO: '0',
  PORTOLAN_LLM_PROVIDER: 'openai-compatible',
  PORTOLAN_LLM_BASE_URL: model.url,
  PORTOLAN_MASTER_KEY: masterKey,
  ...world.environment,
});
const masterKey = randomBytes(32).toString('base64');

async function start() {
  product = await startProduct(dataDir, environment());
  const { url } = product;
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return (method: string, path: string, body?: unknown) => send(url, accessToken, method, path, body);
}

test('whenever the process is killed, a budget ends with exactly what was accepted, and no more than its limit was', async () => {
  let ask = await start();
  const budget = '/v1/ai/budgets/organization/all/month';
  expect((await ask('PUT', budget, { requests: limit, tokens: 100_000 })).status).toBe(200);
  const askAll = () =>
    Array.from({ length: atOnce }, () =>
      ask('POST', '/v1/ai/invoke', { userPrompt: 'How are you?' })
        .then(async (answer) => [answer.status, await answer.text()] as const)
        .catch(() => undefined),
    );
  for (let round = 0; round < kills; round += 1) {
    const asked = askAll();
    await pause(20 + Math.random() * 300);
    await product?.kill('SIGKILL');
    await Promise.all(asked);
    ask = await start();
  }
  const answers = await Promise.all(askAll());
  // what killed processes left is old enough to be swept
  await world.database.transaction(async (tx) => {
    await tx.execute(sql`update ai_reservations set reserved_at = reserved_at - interval '1 hour'`);
    await tx.execute(sql`
      update invocations set heartbeat_at = heartbeat_at - interval '1 hour' where state = 'running'`);
  });
  await until('everything is settled', async () => {
    const row = await world.database.first<{ open: number }>(sql`
      select ((select count(*) from ai_charges) + (select count(*) from invocations where state = 'running'))::int as open`);
    return row?.open === 0;
  });
  const counted = await world.database.first<{ requests: number; tokens: number }>(sql`
    select sum(requests)::int as requests, sum(tokens)::int as tokens from ai_budget_days`);
  const accepted = await world.database.first<{ all: number; requests: number; tokens: number }>(sql`
    select count(*)::int as all,
      (count(*) filter (where not (state = 'failed' and (usage ->> 'steps')::int = 0)))::int as requests,
      sum((usage ->> 'inputTokens')::int + (usage ->> 'outputTokens')::int)::int as tokens from invocations`);
  expect(counted).toEqual({ requests: accepted?.requests, tokens: accepted?.tokens });
  expect(accepted?.requests).toBeLessThanOrEqual(limit);
  for (const answer of answers) expect([200, 429]).toContain(answer?.[0]);
  for (const answer of answers) if (answer?.[0] === 429) expect(answer[1]).toContain('ai_budget_exceeded');
}, 300_000);
