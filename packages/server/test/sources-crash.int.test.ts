import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase } from '../src/platform/db/database.ts';
import { openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import { createTestDatabase, type TestDatabase, testEngine } from './database.ts';
import { newDataDir, type ProductProcess, startProduct } from './product-process.ts';
import { rounds } from './rounds.ts';
import { type SlowHost, startSlowBackstage, startSlowGitea } from './slow-hosts.ts';

const operatorToken = 'an operator token of the crash test';
const killsMax = rounds(1);
let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let host: SlowHost | undefined;
const running: ProductProcess[] = [];

beforeEach(async () => {
  dataDir = await newDataDir();
  database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_OPERATOR_TOKEN: operatorToken,
    PORTOLAN_PRIVATE_HOSTS: '127.0.0.1',
    ...(database ? { ...database.environment, PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64') } : {}),
  };
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((product) => product.kill('SIGKILL')));
  await host?.close();
  host = undefined;
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test states what it expects of answers
  readonly body: any;
}
type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

async function start(): Promise<ProductProcess> {
  const product = await startProduct(dataDir, environment);
  running.push(product);
  return product;
}

async function ask(
  product: ProductProcess,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${product.url}${path}`, { method, headers, ...sent });
  return { status: answer.status, body: await answer.json() };
}

/** An organization of its own; its tokens outlive the process. */
async function newOrganization(product: ProductProcess, name: string): Promise<string> {
  const made = await ask(product, operatorToken, 'POST', '/v1/operator/organizations', { name, model: 'blueprints' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return (await ask(product, '', 'POST', '/v1/auth/access_token', made.body.credentials)).body.accessToken;
}

/** Kills without warning, and stands for the half minute after which others take what the process worked on. */
async function killAndRestart(product: ProductProcess): Promise<ProductProcess> {
  await product.kill('SIGKILL');
  const lost = sql`update jobs set locked_until = now() - interval '1 second' where state = 'running' /* all organizations */`;
  if (database) await database.database.transaction((tx) => tx.execute(lost));
  else {
    const opened = await openEmbeddedEngine({ dataDir });
    await createDatabase(opened).transaction((tx) => tx.execute(lost));
    await opened.close();
  }
  return start();
}

interface Named {
  readonly identifier: string;
}

/** Every entity of the blueprints, without what depends on the moment and the writer. */
async function readCatalog(call: Call, blueprints: readonly string[]): Promise<readonly (readonly Named[])[]> {
  const parts = ['identifier', 'title', 'properties', 'relations', 'team'].map((each) => `include=${each}`).join('&');
  const read = blueprints.map(async (name): Promise<readonly Named[]> => {
    const { status, body } = await call('GET', `/v1/blueprints/${name}/entities?${parts}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.entities.toSorted((a: Named, b: Named) => (a.identifier < b.identifier ? -1 : 1));
  });
  return Promise.all(read);
}

async function beginSync(call: Call): Promise<string> {
  const started = await call('POST', '/v1/sources/host/syncs', { mode: 'full' });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return started.body.sync.id;
}

async function readSync(call: Call, id: string) {
  const { sync } = (await call('GET', `/v1/sources/host/syncs/${id}`)).body;
  return sync.endedAt ? sync : undefined;
}

async function syncEnd(call: Call, id: string) {
  await expect.poll(() => readSync(call, id), { timeout: 60_000, interval: 100 }).toBeDefined();
  return readSync(call, id);
}

const kinds = [
  {
    type: 'gitea',
    open: () => startSlowGitea(50, 15),
    settings: (url: string) => ({ url, owners: ['acme'] }),
    own: [
      {
        identifier: 'part',
        title: 'Part',
        schema: { properties: {} },
        relations: { repository: { target: 'repository' } },
      },
    ],
    secrets: { token: 'a-token' },
    blueprints: ['repository', 'part', '_team'],
    entities: 50 + 100 + 1,
  },
  {
    type: 'backstage',
    open: () => startSlowBackstage(700, 260, 150),
    settings: (address: string) => ({ address }),
    own: [],
    secrets: {},
    blueprints: ['component'],
    entities: 700,
  },
];

test.each(kinds.slice(0, rounds(1)))(
  'kill -9 in the middle of a sync of $type: the catalog is that of an undisturbed one',
  async (kind) => {
    const { type, secrets, blueprints, entities } = kind;
    host = await kind.open();
    const slow = host;
    let product = await start();
    const prepare = async (name: string): Promise<Call> => {
      const token = await newOrganization(product, name);
      const call: Call = (...request) => ask(product, token, ...request);
      const body = { type, identifier: 'host', settings: kind.settings(slow.url), secrets, scheduleMinutes: null };
      expect((await call('POST', '/v1/sources', body)).body).toMatchObject({ ok: true });
      for (const each of kind.own) expect((await call('POST', '/v1/blueprints', each)).status).toBe(201);
      return call;
    };
    const undisturbed = await prepare('Undisturbed');
    await syncEnd(undisturbed, await beginSync(undisturbed));
    const call = await prepare('Cut');
    const id = await beginSync(call);
    const kills: string[] = [];
    while (kills.length < killsMax) {
      const before = slow.requests;
      // a few requests into what is left, and then anywhere in what follows on them
      const [requests, afterMs] = [1 + Math.floor(Math.random() * 3), Math.floor(Math.random() * 900)];
      const isBegun = () => slow.requests >= before + requests;
      await expect.poll(async () => isBegun() || (await readSync(call, id)), { timeout: 60_000 }).toBeTruthy();
      if (isBegun()) await wait(afterMs);
      if (await readSync(call, id)) break;
      product = await killAndRestart(product);
      kills.push(`${requests} requests and ${afterMs} ms`);
    }
    const sync = await syncEnd(call, id);
    const told = kills.join();
    expect(kills.length, 'the sync was over before it was cut').toBeGreaterThan(0);
    expect(sync, told).toMatchObject({ status: 'completed', problem: null });
    expect(sync.counts, told).toMatchObject({ created: entities, changed: 0, refused: 0, deleted: 0, problems: 0 });
    const found = await readCatalog(call, blueprints);
    expect(found.flat(), told).toHaveLength(entities);
    expect(found, told).toEqual(await readCatalog(undisturbed, blueprints));
    // it finds all of it as it left it, so what it remembers is whole too
    const again = await syncEnd(call, await beginSync(call));
    expect(again.counts, told).toMatchObject({ created: 0, changed: 0, deleted: 0, unchanged: entities });
  },
  240_000,
);

const lineCount = 2_400;
const lines = Array.from({ length: lineCount }, (_none, at) => {
  const relations = { next: `e${(at * 7 + 1) % lineCount}` };
  return `${JSON.stringify({ identifier: `e${at}`, properties: { n: at }, relations })}\n`;
});
const element = {
  identifier: 'element',
  title: 'Element',
  schema: { properties: { n: { type: 'number' } } },
  relations: { next: { target: 'element' } },
};

/** Lines as a slow network brings them. */
async function* slowly(from: number): AsyncGenerator<string> {
  for (let at = from; at < lineCount; at += 100) {
    await wait(100);
    yield lines.slice(at, at + 100).join('');
  }
}

test('kill -9 in the middle of an import: whoever sends it goes on after the line that is stored', async () => {
  let product = await start();
  const prepare = async (name: string): Promise<{ token: string; call: Call }> => {
    const token = await newOrganization(product, name);
    const call: Call = (...request) => ask(product, token, ...request);
    expect((await call('POST', '/v1/blueprints', element)).status).toBe(201);
    expect((await call('POST', '/v1/sources', { type: 'file', identifier: 'list' })).status).toBe(201);
    return { token, call };
  };
  /** The last line of the answer; undefined if it broke off. */
  const send = async (token: string, query: string, from: number) => {
    try {
      const answer = await fetch(`${product.url}/v1/imports?blueprint=element&source=list${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: Readable.toWeb(Readable.from(slowly(from))) as ReadableStream,
        duplex: 'half',
      } as RequestInit);
      const told = (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return told.at(-1);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return undefined;
    }
  };
  const undisturbed = await prepare('Undisturbed');
  expect(await send(undisturbed.token, '', 0)).toMatchObject({ status: 'completed', created: lineCount });
  const { call, token } = await prepare('Cut');
  let end = send(token, '', 0);
  const stops: number[] = [];
  for (let kills = 0; kills < killsMax; kills += 1) {
    await wait(300 + Math.random() * 900);
    product = await killAndRestart(product);
    expect(await end).toBeUndefined();
    const [open] = (await call('GET', '/v1/imports?source=list')).body.imports;
    stops.push(open?.lines ?? 0);
    end = open ? send(token, `&import=${open.id}&after=${open.lines}`, open.lines) : send(token, '', 0);
  }
  expect(await end, stops.join()).toMatchObject({
    status: 'completed',
    lines: lineCount,
    created: lineCount,
    changed: 0,
    refused: 0,
    missing: 0,
  });
  expect(await readCatalog(call, ['element']), stops.join()).toEqual(await readCatalog(undisturbed.call, ['element']));
  const again = await send(token, '', 0);
  expect(again, stops.join()).toMatchObject({ created: 0, changed: 0, unchanged: lineCount, refused: 0, missing: 0 });
}, 240_000);
