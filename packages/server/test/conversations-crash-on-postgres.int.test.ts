import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { decodeEventStream, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from './assistant-harness.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { newDataDir, type ProductProcess, readCredentials, startProduct } from './product-process.ts';
import { rounds } from './rounds.ts';

const conversations = 4;
const turns = 3;
const kills = rounds(2);

let model: MockModelServer;
let dataDir: string;
let world: TestDatabase;
let environment: Record<string, string>;
/** The process that answers in each place, after a restart the new one. */
let replicas: Promise<ProductProcess>[];

beforeEach(async () => {
  model = await startMockModelServer();
  model.respondWith(() => ({ text: Array.from({ length: 10 }, (_, at) => `word ${at}\n\n`), firstMs: 20, gapMs: 25 }));
  dataDir = await newDataDir();
  world = await createTestDatabase();
  environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
    PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64'),
    ...world.environment,
  };
  const first = await startProduct(dataDir, environment);
  const others = [1, 2].map(() => startProduct(dataDir, environment));
  replicas = [Promise.resolve(first), ...others];
  await Promise.all(replicas);
});
afterEach(async () => {
  await Promise.all(replicas.map(async (each) => (await each).kill('SIGKILL')));
  await model.close();
  await world.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries any replica until one answers. */
async function onAny<Result>(ask: (url: string, token: string) => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      const { url } = await (replicas[Math.floor(Math.random() * replicas.length)] as Promise<ProductProcess>);
      const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
      return await ask(url, ((await answer.json()) as { accessToken: string }).accessToken);
    } catch (error) {
      if (!(error instanceof TypeError && /fetch failed|terminated/.test(error.message))) throw error;
      await pause(50);
    }
  }
}

/** Asks one turn, and reads it to its end over whatever replicas there are. */
async function follow(id: string, conversation: string): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  while (events.at(-1)?.event !== 'done') {
    await onAny(async (url, token) => {
      const last = events.at(-1)?.id;
      const path = `/v1/ai/invoke?invocation_identifier=${id}`;
      const body = { userPrompt: `Tell me ${id}`, conversation };
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const answer = await send(url, token, 'POST', path, body, headers as Record<string, string>);
      if (!answer.ok || !answer.body) throw new Error(`${id}: ${answer.status} ${await answer.text()}`);
      for await (const event of decodeEventStream(answer.body as unknown as AsyncIterable<Uint8Array>))
        events.push(event);
    });
  }
  return events;
}

test('conversations on three replicas that are killed lose and double no turn', async () => {
  let isOver = false;
  let killed = 0;
  const killing = (async () => {
    while (!isOver && killed < kills) {
      await pause(200 + Math.random() * 600);
      if (isOver) break;
      const at = Math.floor(Math.random() * replicas.length);
      const old = await (replicas[at] as Promise<ProductProcess>);
      replicas[at] = old.kill('SIGKILL').then(() => startProduct(dataDir, environment));
      killed += 1;
    }
  })();
  const told = await Promise.all(
    Array.from({ length: conversations }, async (_, n) => {
      const all: ServerSentEvent[][] = [];
      for (let turn = 0; turn < turns; turn += 1)
        all.push(await follow(`c${n}-t${turn}`, turn === 0 ? 'new' : `c${n}-t0`));
      return all;
    }),
  );
  isOver = true;
  await killing;

  expect(killed).toBeGreaterThan(0);
  for (const [n, all] of told.entries()) {
    const wanted = Array.from({ length: turns }, (_, turn) => `c${n}-t${turn}`);
    for (const [turn, events] of all.entries())
      expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => `${wanted[turn]}:${at + 1}`));
    const path = `/v1/ai/conversations/c${n}-t0`;
    const read = await onAny(async (url, token) => (await send(url, token, 'GET', path)).json());
    const { conversation, messages } = read as {
      conversation: Record<string, unknown>;
      messages: { role: string; invocationIdentifier: string; status: string; siblings: string[] }[];
    };
    expect(conversation).toMatchObject({ turns, head: wanted.at(-1), running: false });
    const asked = messages.filter(({ role }) => role === 'user');
    expect(asked.map(({ invocationIdentifier }) => invocationIdentifier)).toEqual(wanted);
    expect(asked.map(({ siblings }) => siblings)).toEqual(wanted.map((id) => [id]));
    for (const [turn, { status }] of asked.entries()) {
      const isFailed = all[turn]?.some(({ event }) => event === 'error') ?? false;
      expect([wanted[turn], status]).toEqual([wanted[turn], isFailed ? 'Failed' : 'Completed']);
    }
    const whole = await onAny(async (url, token) => {
      const events: ServerSentEvent[] = [];
      const answer = await send(url, token, 'GET', `${path}/events`);
      for await (const event of decodeEventStream(answer.body as unknown as AsyncIterable<Uint8Array>))
        events.push(event);
      return events;
    });
    expect(whole.map(({ id }) => id)).toEqual(all.flat().map(({ id }) => id));
  }
}, 120_000);
