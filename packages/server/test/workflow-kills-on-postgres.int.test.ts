import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { newDataDir, type ProductProcess, startProduct } from './product-process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { reportProof } from './report-proof.ts';
import { rounds } from './rounds.ts';
import { readCookie } from './sign-in-fixtures.ts';

/** How often the process is killed. */
const kills = rounds(3);
const runsEachRound = 3;
const items = ['a', 'b'];
const password = 'correct horse battery';
const credentials = { clientId: 'the-client', clientSecret: 'the-secret-of-the-client' };

let receiver: Receiver;
let folder: string;
let database: TestDatabase;
let product: ProductProcess | undefined;
let environment: Record<string, string>;
let token = '';
/** The headers of the person who answers forms: no machine may. */
let person: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  receiver = await startReceiver();
  folder = await newDataDir();
  database = await createTestDatabase();
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_ALLOW_PRIVATE_NETWORK: '1',
    PORTOLAN_CLIENT_ID: credentials.clientId,
    PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
    PORTOLAN_ADMIN_PASSWORD: password,
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

async function start(): Promise<void> {
  product = await startProduct(folder, environment);
  token = (await call('POST', '/v1/auth/access_token', credentials)).body.accessToken;
}

async function signIn(): Promise<void> {
  const answer = await fetch(`${product?.url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@portolan.local', password }),
  });
  const body = (await answer.json()) as { csrfToken: string };
  expect(answer.status, JSON.stringify(body)).toBe(200);
  person = { cookie: readCookie(answer.headers.get('set-cookie')), 'x-csrf-token': body.csrfToken };
}

// biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
type Answer = { readonly status: number; readonly body: any };

async function call(method: string, path: string, body?: unknown, headers?: typeof person): Promise<Answer> {
  const answer = await fetch(`${product?.url}${path}`, {
    method,
    headers: {
      ...(headers ?? { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** The same of a process that may be dead; undefined then. */
const attempt = (...asked: Parameters<typeof call>) => call(...asked).catch(() => undefined);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const step = (identifier: string, config: object, more: object = {}) => ({ identifier, config, ...more });

const thing = '{{ .outputs.trigger.name }}';
const hook = (name: string, more: object = {}, config: object = {}) =>
  step(name, { type: 'WEBHOOK', url: `${receiver.url}/${name}`, body: { thing }, ...config }, more);
const inBody = (name: string, more: object = {}, config: object = {}) =>
  hook(name, more, {
    body: { thing: '{{ .outputs.trigger.parent.trigger.name }}/{{ .outputs.trigger.item }}' },
    ...config,
  });
const leads = (sourceIdentifier: string, targetIdentifier: string, sourceOutletIdentifier?: string) => ({
  sourceIdentifier,
  targetIdentifier,
  ...(sourceOutletIdentifier ? { sourceOutletIdentifier } : {}),
});

/** A call, an approval, runs with an entity, a report and a compensation in them, a retried call, and a bad end for some. */
function flow() {
  return {
    identifier: 'flow',
    nodes: [
      step('form', { type: 'SELF_SERVE_TRIGGER', userInputs: { properties: { name: { type: 'string' } } } }),
      hook('before', { compensatedBy: 'unbefore' }),
      step('ask', {
        type: 'INPUT',
        userInputs: { properties: {}, buttons: [{ identifier: 'yes', label: 'Yes' }] },
        outlets: [{ identifier: 'yes', title: 'Yes', evaluationMethod: 'button', numOfResponders: 1 }],
      }),
      step('each', {
        type: 'MAP',
        items,
        body: {
          nodes: [
            step('item', { type: 'ITEM_TRIGGER' }),
            step('part', {
              type: 'UPSERT_ENTITY',
              blueprintIdentifier: 'part',
              mapping: { identifier: '{{ .outputs.trigger.parent.trigger.name }}-{{ .outputs.trigger.item }}' },
            }),
            inBody('reported', { compensatedBy: 'unreported' }, { synchronized: false }),
            inBody('unreported'),
          ],
          connections: [leads('item', 'part'), leads('part', 'reported')],
        },
      }),
      step('pause', { type: 'DELAY', seconds: 1 }),
      hook('flaky', {}, { retry: { attempts: 10, backoffSeconds: 1 } }),
      step('choice', {
        type: 'CONDITION',
        outlets: [{ identifier: 'bad', title: 'Bad', expression: '.outputs.trigger.name | startswith("bad")' }],
      }),
      step('stop', { type: 'STOP', result: 'FAILED' }),
      hook('after'),
      hook('unbefore'),
    ],
    connections: [
      leads('form', 'before'),
      leads('before', 'ask'),
      leads('ask', 'each', 'yes'),
      leads('each', 'pause'),
      leads('pause', 'flaky'),
      leads('flaky', 'choice'),
      leads('choice', 'stop', 'bad'),
      { ...leads('choice', 'after'), fallback: true },
    ],
  };
}

const behindApproval: ReadonlySet<string> = new Set(['/reported', '/unreported', '/flaky', '/after']);

test(
  'however often the process is killed, nothing is lost, nothing has two keys, and nothing happens unasked',
  async () => {
    await start();
    await signIn();
    await call('POST', '/v1/blueprints', { identifier: 'part', title: 'Part', schema: { properties: {} } });
    const made = await call('POST', '/v1/workflows', flow());
    expect(made.status, JSON.stringify(made.body)).toBe(200);

    const approved = new Set<string>();
    const unasked: string[] = [];
    const toReport = new Set<string>();
    const tries = new Map<string, number>();
    receiver.answer = ({ path, body, headers }) => {
      const name = String(JSON.parse(body).thing).split('/')[0] as string;
      if (behindApproval.has(path) && !approved.has(name)) unasked.push(`${path} ${name}`);
      if (path === '/reported') toReport.add(String(headers['idempotency-key']));
      // every other call of it is refused for now
      const calls = (tries.get(`${path} ${body}`) ?? 0) + 1;
      tries.set(`${path} ${body}`, calls);
      return { status: path === '/flaky' && calls % 2 === 1 ? 503 : 200 };
    };

    const names = new Map<string, string>();
    const started: string[] = [];
    let isOver = false;
    const reporter = async (): Promise<void> => {
      while (!isOver) {
        for (const id of toReport) {
          const answer = await attempt('PATCH', `/v1/workflows/nodes/runs/${id}`, {
            status: 'COMPLETED',
            result: 'SUCCESS',
          });
          if (answer && [200, 409].includes(answer.status)) toReport.delete(id);
        }
        await pause(50);
      }
    };
    const approver = async (): Promise<void> => {
      while (!isOver) {
        const found = await attempt('GET', '/v1/workflows/runs?waiting_for_me=true&limit=1000', undefined, person);
        for (const { identifier } of (found?.body.runs ?? []) as { identifier: string }[]) {
          const name = names.get(identifier);
          // nobody agrees to some
          if (name === undefined || name.startsWith('never')) continue;
          const run = (await attempt('GET', `/v1/workflows/runs/${identifier}`))?.body.run;
          const asked = run?.nodeRuns?.find((each: { waitingFor: string }) => each.waitingFor === 'response');
          if (!asked) continue;
          approved.add(name);
          const path = `/v1/workflows/nodes/runs/${asked.identifier}/responses`;
          await attempt('POST', path, { buttonIdentifier: 'yes' }, person);
        }
        await pause(100);
      }
    };
    const begin = async (round: number, heard: () => void): Promise<void> => {
      for (let index = 0; index < runsEachRound; index += 1) {
        const name = `${['good', 'bad', 'never'][(round + index) % 3]}-${round}-${index}`;
        const answer = await attempt('POST', '/v1/workflows/flow/runs', { inputs: { name } });
        if (answer?.status !== 200) continue;
        started.push(answer.body.run.identifier);
        names.set(answer.body.run.identifier, name);
        heard();
      }
    };
    const drivers = [reporter(), approver()];
    for (let round = 0; round < kills; round += 1) {
      let beginning: Promise<void> | undefined;
      // on a slow machine it would otherwise die before anything was acknowledged
      await new Promise<void>((resolve) => {
        beginning = begin(round, resolve).then(resolve);
      });
      await pause(Math.random() * 2_500);
      await product?.kill('SIGKILL');
      await beginning;
      await start();
      reportProof(`killed ${round + 1} times`);
    }

    // runs that were stored though nobody heard of it are runs too
    interface Shown {
      readonly identifier: string;
      readonly status: string;
      readonly result: string | null;
      readonly currentNode: string | null;
    }
    const read = async (): Promise<Shown[]> => {
      const all: Shown[] = [];
      let cursor = '';
      do {
        const { body } = await call('GET', `/v1/workflows/runs?limit=1000${cursor && `&cursor=${cursor}`}`);
        all.push(...body.runs);
        cursor = body.nextCursor ?? '';
      } while (cursor !== '');
      return all;
    };
    for (const { identifier } of await read()) {
      if (names.has(identifier)) continue;
      const { run } = (await call('GET', `/v1/workflows/runs/${identifier}`)).body;
      names.set(identifier, run.variables.outputs.trigger.name);
    }
    // those that nobody agrees to are cancelled in the end, and take back what they did
    await expect
      .poll(
        async () => {
          const open = (await read()).filter(({ status }) => status !== 'COMPLETED');
          for (const { identifier, currentNode } of open) {
            const isNever = names.get(identifier)?.startsWith('never');
            if (isNever && currentNode === 'ask') await call('POST', `/v1/workflows/runs/${identifier}/cancel`);
          }
          return open.length;
        },
        { timeout: 200_000, interval: 500 },
      )
      .toBe(0);
    isOver = true;
    await Promise.all(drivers);

    const all = await read();
    expect(started.filter((id) => !all.some(({ identifier }) => identifier === id))).toEqual([]);
    expect(started.length).toBeGreaterThanOrEqual(kills);
    expect(unasked).toEqual([]);
    const results = { good: 'SUCCESS', bad: 'FAILED', never: 'CANCELLED' };
    const kindOf = (name: string) => name.split('-')[0] as keyof typeof results;
    const wrong = all.filter(({ identifier, result }) => result !== results[kindOf(names.get(identifier) as string)]);
    expect(wrong).toEqual([]);

    const keys = new Map<string, Set<string>>();
    for (const { path, body, headers } of receiver.received) {
      const at = `${path} ${JSON.parse(body).thing}`;
      keys.set(at, (keys.get(at) ?? new Set()).add(String(headers['idempotency-key'])));
    }
    expect([...keys].filter(([, { size }]) => size !== 1)).toEqual([]);
    const expected = [...names.values()].flatMap((name) => {
      const inside = (path: string) => items.map((item) => `${path} ${name}/${item}`);
      if (kindOf(name) === 'never') return [`/before ${name}`, `/unbefore ${name}`];
      const forward = [`/before ${name}`, ...inside('/reported'), `/flaky ${name}`];
      if (kindOf(name) === 'good') return [...forward, `/after ${name}`];
      return [...forward, ...inside('/unreported'), `/unbefore ${name}`];
    });
    expect([...keys.keys()].sort()).toEqual(expected.sort());

    const parts = [...names.values()].filter((name) => kindOf(name) !== 'never').length * items.length;
    const written = await database.database.first(sql`
      select count(*)::int as times, count(distinct context ->> 'entity')::int as entities from journal
      where resource_type = 'entity' and context ->> 'blueprint' = 'part'`);
    expect(written).toEqual({ times: parts, entities: parts });
    reportProof(
      `${kills} kills: ${all.length} runs, ${started.length} of them acknowledged, ${parts} entities, ` +
        `${receiver.received.length} calls of ${expected.length}; none lost, none written twice, none unasked, one key each`,
    );
  },
  Math.max(500_000, kills * 60_000),
);
