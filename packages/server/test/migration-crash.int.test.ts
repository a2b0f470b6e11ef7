import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send, until } from './assistant-harness.ts';
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

// biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

async function start(): Promise<{ product: ProductProcess; call: Call }> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  let token: string | undefined;
  const call: Call = async (method, path, body) => (await send(product.url, token, method, path, body)).json();
  token = (await call('POST', '/v1/auth/access_token', await readCredentials(dataDir))).accessToken;
  return { product, call };
}

const entities = 2_000;
/** What a process that was killed had taken is free for others half a minute later. */
const patience = { timeout: 90_000, interval: 250 };
const ended = (status: string) => ['COMPLETED', 'FAILURE', 'CANCELLED'].includes(status);

test('a data migration and its undoing go on after a kill -9: every entity counts once, and nothing is left out', async () => {
  const first = await start();
  const properties = { n: { type: 'number' }, copy: { type: 'number' } };
  await first.call('POST', '/v1/blueprints', { identifier: 'thing', title: 'Thing', schema: { properties } });
  for (let from = 0; from < entities; from += 20) {
    const items = Array.from({ length: 20 }, (_, at) => ({
      identifier: `t${from + at}`,
      properties: { n: from + at },
    }));
    expect((await first.call('POST', '/v1/blueprints/thing/entities/bulk', { entities: items })).errors).toEqual([]);
  }
  const mapping = { entity: { properties: { copy: '.properties.n' } } };
  const { migrationId } = await first.call('POST', '/v1/migrations', { sourceBlueprint: 'thing', mapping });
  const progress = async ({ call }: { call: Call }, id: string) =>
    (await call('GET', `/v1/migrations/${id}`)).migration;
  let seen = 0;
  await until('a part of the migration', async () => {
    seen = (await progress(first, migrationId)).successCount;
    return seen > 0;
  });
  await first.product.kill('SIGKILL');
  expect(seen).toBeLessThan(entities);

  const second = await start();
  await expect.poll(async () => ended((await progress(second, migrationId)).status), patience).toBe(true);
  expect(await progress(second, migrationId)).toMatchObject({
    status: 'COMPLETED',
    successCount: entities,
    failureCount: 0,
  });
  const copied = async ({ call }: { call: Call }) => {
    const all = (await call('GET', '/v1/blueprints/thing/entities')).entities;
    return all.filter((each: { properties: { n: number; copy: number } }) => each.properties.copy === each.properties.n)
      .length;
  };
  expect(await copied(second)).toBe(entities);

  const undoing = (await second.call('POST', `/v1/migrations/${migrationId}/undo`)).migrationId;
  await until('a part of the undoing', async () => (await progress(second, undoing)).successCount > 0);
  await second.product.kill('SIGKILL');
  const third = await start();
  await expect.poll(async () => ended((await progress(third, undoing)).status), patience).toBe(true);
  expect(await progress(third, undoing)).toMatchObject({
    status: 'COMPLETED',
    successCount: entities,
    failureCount: 0,
  });
  expect(await copied(third)).toBe(0);
}, 300_000);
