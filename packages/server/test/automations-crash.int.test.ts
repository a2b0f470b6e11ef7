import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase, testEngine } from './database.ts';
import { newDataDir, type ProductProcess, startProduct } from './product-process.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const credentials = { clientId: 'the-client', clientSecret: 'the-secret-of-the-client' };

let receiver: Receiver;
let folders: string[];
let database: TestDatabase | undefined;
let environment: Record<string, string>;
const running: ProductProcess[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  folders = await Promise.all([newDataDir(), newDataDir()]);
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_ALLOW_PRIVATE_NETWORK: '1',
    PORTOLAN_CLIENT_ID: credentials.clientId,
    PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
    PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64'),
    ...database?.environment,
  };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await receiver.close();
  await database?.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
  readonly body: any;
}
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

async function start(folder: string): Promise<{ product: ProductProcess; call: Call }> {
  const product = await startProduct(folder, environment);
  running.push(product);
  let token = '';
  const call: Call = async (method, path, body) => {
    const answer = await fetch(`${product.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  token = (await call('POST', '/v1/auth/access_token', credentials)).body.accessToken;
  return { product, call };
}

/** Writes until told to stop or cut off; what was acknowledged is in the list. */
async function write(call: Call, prefix: string, goesOn: () => boolean, acknowledged: string[]): Promise<void> {
  for (let turn = 0; goesOn(); turn += 1) {
    const identifier = `${prefix}-${turn}`;
    const answer = await call('POST', '/v1/blueprints/thing/entities', { identifier }).catch(() => undefined);
    if (answer?.status !== 201) return;
    acknowledged.push(identifier);
  }
}

test('each event is taken once and its effect comes at least once under one key, whichever process is killed', async () => {
  const [here = '', there = ''] = folders;
  const first = await start(here);
  await first.call('POST', '/v1/blueprints', { identifier: 'thing', title: 'Thing', schema: { properties: {} } });
  const automation = await first.call('POST', '/v1/actions', {
    identifier: 'tell',
    trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'thing' } },
    invocationMethod: {
      type: 'WEBHOOK',
      url: `${receiver.url}/told`,
      synchronized: true,
      body: { entity: '{{ .event.context.entityIdentifier }}' },
    },
  });
  expect(automation.status, JSON.stringify(automation.body)).toBe(201);
  const told = () =>
    receiver.received.map(({ body, headers }) => ({
      entity: JSON.parse(body).entity as string,
      key: headers['idempotency-key'] as string,
    }));

  // the receiver took these and its answer never came: nobody can know whether it acted
  let hangs = true;
  receiver.answer = ({ body }) => (hangs && body.includes('lost-') ? 'hang' : { status: 200 });
  const acknowledged: string[] = [];
  let count = 0;
  await write(first.call, 'lost', () => count++ < 3, acknowledged);
  await until('they are under way', async () => told().length >= 3);

  const second = testEngine === 'postgres' ? await start(there) : undefined;
  let goesOn = true;
  const writing = [write(first.call, 'a', () => goesOn, acknowledged)];
  if (second) writing.push(write(second.call, 'b', () => goesOn, acknowledged));
  await until('both write and some are told', async () => acknowledged.length >= 40 && told().length >= 15);
  hangs = false;
  await first.product.kill('SIGKILL');
  goesOn = false;
  await Promise.all(writing);

  const survivor = await start(here);
  const runsOf = async () =>
    (await survivor.call('GET', '/v1/actions/runs?action=tell&version=v2&limit=1000')).body.runs as {
      id: string;
      status: string;
      properties: unknown;
      entity?: { identifier: string };
    }[];
  await expect
    .poll(async () => (await runsOf()).filter(({ status }) => status !== 'SUCCESS').length, {
      timeout: 150_000,
      interval: 500,
    })
    .toBe(0);
  await until('all are told', async () => {
    const names = new Set(told().map(({ entity }) => entity));
    return acknowledged.every((identifier) => names.has(identifier));
  });

  const { body } = await survivor.call('GET', '/v1/blueprints/thing/entities?include=identifier');
  const stored = (body.entities as { identifier: string }[]).map(({ identifier }) => identifier).sort();
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  // one run for each entity, made and told under one key however often, and no key for two of them
  const keys = new Map<string, Set<string>>();
  for (const { entity, key } of told()) keys.set(entity, (keys.get(entity) ?? new Set()).add(key));
  expect([...keys.keys()].sort()).toEqual(stored);
  for (const each of keys.values()) expect(each.size).toBe(1);
  const runs = await runsOf();
  expect(runs.map(({ id }) => id).sort()).toEqual([...keys.values()].flatMap((each) => [...each]).sort());
  for (const name of acknowledged.slice(0, 3)) {
    expect(told().filter(({ entity }) => entity === name).length).toBeGreaterThanOrEqual(2);
  }
}, 240_000);
