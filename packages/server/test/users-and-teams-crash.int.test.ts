import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase, testEngine } from './database.ts';
import { usersAndTeams } from './old-organizations.ts';
import { newDataDir, type ProductProcess, startProduct } from './product-process.ts';

const operatorToken = 'an operator token of the crash test';
let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
const running: ProductProcess[] = [];

beforeEach(async () => {
  dataDir = await newDataDir();
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_OPERATOR_TOKEN: operatorToken,
    ...(database ? { ...database.environment, PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64') } : {}),
  };
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ProductProcess> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  return product;
}

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
const readBody = async (answer: Response): Promise<any> => answer.json();

test('kill -9 in the middle: the next process ends the migration, and every entity has its teams and accepted suggestions are written', async () => {
  let product = await start();
  const created = await send(product.url, operatorToken, 'POST', '/v1/operator/organizations', {
    name: 'Old',
    model: 'beta',
  });
  const { credentials } = await readBody(created);
  const tokenOf = async (): Promise<string> =>
    (await readBody(await send(product.url, undefined, 'POST', '/v1/auth/access_token', credentials))).accessToken;
  let token = await tokenOf();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(product.url, token, method, path, body);
    const read = await readBody(answer);
    expect(answer.status, JSON.stringify(read)).toBeLessThan(300);
    return read;
  };
  await call('POST', '/v1/teams', { name: 'The Keepers' });
  await call('POST', '/v1/blueprints', {
    identifier: 'ledger',
    title: 'Ledger',
    schema: { properties: {} },
    relations: { owners: { target: '_team', many: true, required: false } },
    teamInheritance: { path: 'owners' },
    calculationProperties: { kept: { type: 'boolean', calculation: '.team | index("The Keepers") != null' } },
  });
  for (let page = 0; page < 5; page += 1) {
    const entities = Array.from({ length: 20 }, (_, n) => ({
      identifier: `e-${page}-${n}`,
      relations: { owners: ['the_keepers'] },
    }));
    await call('POST', '/v1/blueprints/ledger/entities/bulk', { entities });
  }
  const { plan } = await call('GET', `${usersAndTeams}/plan`);
  const [item] = plan['manual'];
  await call('POST', `${usersAndTeams}/acceptances`, {
    accept: [{ itemId: item['id'], value: item['suggestion']['value'] }],
  });
  await product.kill('SIGKILL');
  product = await start();
  token = await tokenOf();
  const { migrationId } = await call('POST', usersAndTeams);
  for (const afterMs of [300, 1_700]) {
    await delay(afterMs);
    await product.kill('SIGKILL');
    product = await start();
    token = await tokenOf();
  }
  for (let status = ''; status !== 'COMPLETED'; await delay(200)) {
    const now = await call('GET', usersAndTeams);
    expect(now['migrationId']).toBe(migrationId);
    expect(['PENDING', 'RUNNING', 'COMPLETED']).toContain(now['status']);
    status = now['status'];
  }
  expect((await call('GET', usersAndTeams))['counts']['suggestions:applied']).toBe(1);
  const { calculationProperties } = (await call('GET', '/v1/blueprints/ledger'))['blueprint'];
  expect(calculationProperties['kept']['calculation']).toBe('.team | index("the_keepers") != null');
  const { entities } = await call('GET', '/v1/blueprints/ledger/entities');
  expect(entities).toHaveLength(100);
  for (const { team, relations } of entities) expect([team, relations]).toEqual([['the_keepers'], {}]);
}, 180_000);
