import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from './assistant-harness.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';
import { rounds } from './rounds.ts';

const replacements = rounds(2);
const callers = 4;
const pauseMs = 25;

let database: TestDatabase;
let dataDir: string;
let balancer: Balancer;
const masterKey = randomBytes(32).toString('base64');
const running: ProductProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await newDataDir();
  balancer = await startBalancer(1_000);
});
afterAll(async () => {
  await balancer.close();
  await Promise.all(running.map((product) => product.kill('SIGKILL')));
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ProductProcess> {
  const product = await startProduct(dataDir, {
    ...database.environment,
    PORTOLAN_DEMO: '0',
    PORTOLAN_MASTER_KEY: masterKey,
    PORTOLAN_DRAIN_SECONDS: '2',
  });
  running.push(product);
  balancer.add(product.url);
  await balancer.untilReady(product.url);
  return product;
}

/** One request over the kept-alive connection of the agent, not repeated whatever becomes of it. */
function call(agent: Agent, token: string, method: string, path: string, body?: unknown): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = request(balancer.url + path, { agent, method, headers }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode));
      answer.resume();
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test(`${replacements} replacements of two replicas under load fail no request`, async () => {
  const replicas = [await start(), await start()];
  const credentials = await readCredentials(dataDir);
  const answer = await send(balancer.url, undefined, 'POST', '/v1/auth/access_token', credentials);
  const { accessToken: token } = (await answer.json()) as { accessToken: string };
  const blueprint = { identifier: 'thing', title: 'Thing', schema: { properties: {} } };
  expect((await send(balancer.url, token, 'POST', '/v1/blueprints', blueprint)).status).toBe(201);

  const failures: string[] = [];
  const written: string[] = [];
  let requests = 0;
  let isEnding = false;
  const callOn = async (caller: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !isEnding; count += 1) {
      const identifier = `t-${caller}-${count}`;
      const isWrite = count % 4 === 0;
      const asked = isWrite
        ? call(agent, token, 'POST', '/v1/blueprints/thing/entities', { identifier })
        : call(agent, token, 'GET', '/v1/blueprints/thing');
      requests += 1;
      const status = await asked.catch((error: Error) => error.message);
      if (status !== 200 && status !== 201) failures.push(`${isWrite ? 'write' : 'read'}: ${status}`);
      else if (isWrite) written.push(identifier);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    agent.destroy();
  };
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => callOn(caller)));
  const codes: (number | null)[] = [];
  for (let count = 0; count < replacements; count += 1) {
    replicas.push(await start());
    codes.push((await replicas.shift()?.kill('SIGTERM')) ?? null);
  }
  isEnding = true;
  await calling;

  expect(failures).toEqual([]);
  expect(codes).toEqual(Array(replacements).fill(0));
  expect(requests).toBeGreaterThan(replacements * 50);
  const list = await send(balancer.url, token, 'GET', '/v1/blueprints/thing/entities');
  const stored = new Set(
    ((await list.json()) as { entities: { identifier: string }[] }).entities.map((e) => e.identifier),
  );
  expect(written.filter((identifier) => !stored.has(identifier))).toEqual([]);
}, 300_000);
