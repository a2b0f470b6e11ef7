import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCanaries } from './canaries.ts';
import { createTestDatabase, type TestDatabase, testEngine } from './database.ts';
import { newDataDir, startProduct } from './product-process.ts';

const folders: string[] = [];
let database: TestDatabase | undefined;
beforeAll(async () => {
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
});
afterAll(async () => {
  await database?.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const canaries = createCanaries();
const settings = {
  PORTOLAN_CLIENT_ID: 'the-client',
  PORTOLAN_CLIENT_SECRET: canaries.plant('client secret'),
  PORTOLAN_ADMIN_PASSWORD: canaries.plant('password of the administrator'),
  PORTOLAN_OPERATOR_TOKEN: canaries.plant('token of the operator'),
  PORTOLAN_SMTP_URL: `smtp://post:${canaries.plant('password of the mail server')}@127.0.0.1:1`,
  PORTOLAN_SMTP_FROM: 'portolan@acme.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${canaries.plant('header of the collector')}`,
  PORTOLAN_LLM_PROVIDER: 'openai-compatible',
  PORTOLAN_LLM_BASE_URL: 'http://127.0.0.1:1',
  PORTOLAN_LLM_MODEL: 'mock',
  PORTOLAN_LLM_API_KEY: canaries.plant('key of the model'),
  PORTOLAN_MASTER_KEY: canaries.add('master key', randomBytes(32).toString('base64')),
  PORTOLAN_DEMO: '0',
  PORTOLAN_LOG_LEVEL: 'trace',
};

async function dataDir(): Promise<string> {
  const folder = await newDataDir();
  folders.push(folder);
  return folder;
}

test('a start, a question to a model that is away, and a stop print no secret that was set', async () => {
  const product = await startProduct(await dataDir(), { ...settings, ...database?.environment });
  const ask = (path: string, token: string, body: object) =>
    fetch(`${product.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const login = { clientId: settings.PORTOLAN_CLIENT_ID, clientSecret: settings.PORTOLAN_CLIENT_SECRET };
  const answer = (await (await ask('/v1/auth/access_token', '', login)).json()) as { accessToken: string };
  const token = canaries.add('access token', answer.accessToken);
  await (await ask('/v1/ai/invoke', token, { userPrompt: 'Hi' })).text();
  await product.kill('SIGTERM');
  expect(product.output()).toContain('running at');
  expect(canaries.foundIn(product.output())).toEqual([]);
}, 120_000);

test('a start that cannot reach the database tells why, and not with what', async () => {
  const password = canaries.plant('password of the database');
  const environment = { ...settings, DATABASE_URL: `postgres://app:${password}@127.0.0.1:1/catalog` };
  const failure = await startProduct(await dataDir(), environment).catch((error: Error) => error.message);
  expect(failure).toContain('Portolan cannot start');
  expect(canaries.foundIn(String(failure))).toEqual([]);
}, 120_000);
