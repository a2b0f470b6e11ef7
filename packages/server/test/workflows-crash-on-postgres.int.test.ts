import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { newDataDir, type ProductProcess, startProduct } from './product-process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { reportProof } from './report-proof.ts';
import { rounds } from './rounds.ts';

const credentials = { clientId: 'the-client', clientSecret: 'the-secret-of-the-client' };
const kills = rounds(3);
const runsInFlight = 10;

let receiver: Receiver;
let folder: string;
let database: TestDatabase;
let product: ProductProcess | undefined;
let environment: Record<string, string>;

beforeEach(async () => {
  receiver = await startReceiver();
  folder = await newDataDir();
  database = await createTestDatabase();
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_ALLOW_PRIVATE_NETWORK: '1',
    PORTOLAN_CLIENT_ID: credentials.clientId,
    PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
    PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64'),
    ...database.environment,
  };
});
afterEach(async () => {
  await product?.kill('SIGKILL');
  await receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
type Call = (method: string, path: string, body?: unknown) => Promise<{ readonly status: number; readonly body: any }>;

async function start(): Promise<Call> {
  product = await startProduct(folder, environment);
  const { url } = product;
  let token = '';
  const call: Call = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  token = (await call('POST', '/v1/auth/access_token', credentials)).body.accessToken;
  return call;
}

const step = (identifier: string, config: object) => ({ identifier, config });

test(
  'no acknowledged run is lost, no entity written twice, and calls keep their key, however often the process is killed',
  async () => {
    let call = await start();
    await call('POST', '/v1/blueprints', { identifier: 'thing', title: 'Thing', schema: { properties: {} } });
    await call('POST', '/v1/blueprints', { identifier: 'part', title: 'Part', schema: { properties: {} } });
    const hook = (name: string) =>
      step(name, { type: 'WEBHOOK', url: `${receiver.url}/${name}`, body: { thing: '{{ .outputs.trigger.name }}' } });
    const nodes = [
      step('form', { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { name: { type: 'string' } } } }),
      hook('before'),
      step('entity', {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'thing',
        mapping: { identifier: '{{ .outputs.trigger.name }}', title: '{{ .workflowRun.identifier }}' },
      }),
      step('each', {
        type: 'MAP',
        items: [{ part: 'a' }, { part: 'b' }, { part: 'c' }],
        concurrency: 2,
        body: {
          nodes: [
            step('item', { type: 'ITEM_TRIGGER' }),
            step('part', {
              type: 'UPSERT_ENTITY',
              blueprintIdentifier: 'part',
              mapping: { identifier: '{{ .outputs.trigger.parent.trigger.name }}-{{ .outputs.trigger.item.part }}' },
            }),
          ],
          connections: [{ sourceIdentifier: 'item', targetIdentifier: 'part' }],
        },
      }),
      step('pause', { type: 'DELAY', seconds: 1 }),
      hook('after'),
    ];
    const connections = nodes
      .slice(1)
      .map(({ identifier }, index) => ({ sourceIdentifier: nodes[index]?.identifier, targetIdentifier: identifier }));
    const made = await call('POST', '/v1/workflows', { identifier: 'flow', nodes, connections });
    expect(made.status, JSON.stringify(made.body)).toBe(200);

    const started: string[] = [];
    const begin = async (round: number, heard: () => void): Promise<void> => {
      for (let index = 0; index < runsInFlight; index += 1) {
        const inputs = { name: `thing-${round}-${index}` };
        const answer = await call('POST', '/v1/workflows/flow/runs', { inputs }).catch(() => undefined);
        if (answer?.status !== 200) continue;
        started.push(answer.body.run.identifier);
        heard();
      }
    };
    for (let round = 0; round < kills; round += 1) {
      let beginning: Promise<void> | undefined;
      // on a slow machine it would otherwise die before anything was acknowledged
      await new Promise<void>((resolve) => {
        beginning = begin(round, resolve).then(resolve);
      });
      // the process dies while runs are started, called, written, or have just woken
      await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 397) % 1_200)));
      await product?.kill('SIGKILL');
      await beginning;
      call = await start();
      reportProof(`killed ${round + 1} times`);
    }

    const runs = () =>
      database.database.rows<{ identifier: string; result: string | null }>(sql`
      select id as identifier, result from workflow_runs where parent_run is null`);
    // a killed process holds its jobs until their lease is over
    await expect
      .poll(async () => (await runs()).filter(({ result }) => result === null).length, {
        timeout: 150_000,
        interval: 500,
      })
      .toBe(0);
    const all = await runs();
    expect(started.filter((id) => !all.some(({ identifier }) => identifier === id))).toEqual([]);
    expect(started.length).toBeGreaterThanOrEqual(kills);
    expect(all.filter(({ result }) => result !== 'SUCCESS')).toEqual([]);

    for (const [blueprint, each] of [
      ['thing', 1],
      ['part', 3],
    ] as const) {
      const written = await database.database.first(sql`
      select count(*)::int as times, count(distinct context ->> 'entity')::int as entities from journal
      where resource_type = 'entity' and context ->> 'blueprint' = ${blueprint}`);
      expect(written).toEqual({ times: all.length * each, entities: all.length * each });
    }

    for (const name of ['before', 'after']) {
      const keys = new Map<string, Set<string>>();
      for (const { path, body, headers } of receiver.received) {
        if (path !== `/${name}`) continue;
        const { thing } = JSON.parse(body);
        keys.set(thing, (keys.get(thing) ?? new Set()).add(String(headers['idempotency-key'])));
      }
      expect(keys.size).toBe(all.length);
      expect([...keys.values()].filter(({ size }) => size !== 1)).toEqual([]);
    }
    reportProof(
      `${kills} kills: ${all.length} runs, ${started.length} of them acknowledged, ${all.length * 4} entities, ` +
        `${receiver.received.length} calls of ${all.length * 2}; none lost, none written twice, one key each`,
    );
  },
  Math.max(400_000, kills * 60_000),
);
