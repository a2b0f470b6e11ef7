import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getBlueprint, listBlueprints } from '@portolan/contract/blueprints';
import { listEntities } from '@portolan/contract/entities';
import { operationClass } from '@portolan/contract/operation';
import { ingestWebhook } from '@portolan/contract/webhooks';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemActor } from '../actor.ts';
import { type Admission, createAdmission } from '../admission/admission.ts';
import { AppError } from '../errors.ts';
import { RawAnswer, route } from './route.ts';
import { createHttpServer } from './server.ts';

const share = { most: 2, waitingMax: 2, waitMs: 60_000, weight: 1 };
let admission: Admission;
let app: FastifyInstance;
let port: number;
let begun: string[];
let finish: (() => void)[];

beforeEach(async () => {
  begun = [];
  finish = [];
  admission = createAdmission({
    places: 10,
    bulkAndBackground: 3,
    backgroundLeast: 1,
    shares: { interactive: share, events: share, streams: share, bulk: { ...share, most: 1 } },
    heldMax: 3,
    heldMs: 60_000,
  });
  const work = async (name: string): Promise<never> => {
    begun.push(name);
    await new Promise<void>((resolve) => finish.push(resolve));
    return {} as never;
  };
  app = createHttpServer({
    log: pino({ level: 'silent' }),
    admit: { admission, isOwn: (authorization) => authorization === 'Own key', inClass: (_class, body) => body() },
    gate: {
      authenticate: async (authorization) => {
        if (!authorization?.startsWith('org-')) throw new AppError('unauthorized', 'Who are you?');
        return systemActor(authorization);
      },
      authenticateOperator: () => undefined,
    },
    routes: [
      route(listBlueprints, () => work('interactive')),
      route(listEntities, () => work('bulk')),
      route(ingestWebhook, () => work('event')),
      route(getBlueprint, async () => new RawAnswer(async (response) => void response.end('written')) as never),
    ],
    surfaces: [(made) => void made.get('/free', { config: { workClass: 'free' } }, async () => ({ ok: true }))],
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as { port: number }).port;
});

afterEach(async () => {
  for (const end of finish) end();
  app.server.closeAllConnections();
  await app.close();
  admission.close();
});

const ask = (path: string, authorization = 'org-a') =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
const underWay = (): number => Object.values(admission.figures().underWay).reduce((sum, each) => sum + each, 0);
const waiting = (): number => Object.values(admission.figures().waiting).reduce((sum, each) => sum + each, 0);
/** Sends the head of a request and leaves the connection open. */
async function begin(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: org-a\r\n\r\n`;

test('what finds no place and no room to wait is refused with the seconds to wait, and nothing was done for it', async () => {
  const answers = [1, 2, 3, 4].map(() => ask('/v1/blueprints'));
  await expect.poll(() => [underWay(), waiting()]).toEqual([2, 2]);
  const refused = await ask('/v1/blueprints');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[12]\d|30)$/);
  expect(await refused.json()).toMatchObject({ ok: false, error: 'too_many_requests' });
  expect(begun).toHaveLength(2);
  // another class, the health of the process, and our own jobs are not in its way
  expect((await ask('/free')).status).toBe(200);
  const bulk = ask('/v1/blueprints/a/entities');
  const own = ask('/v1/blueprints', 'Own key');
  await expect.poll(() => begun.filter((each) => each === 'bulk')).toHaveLength(1);
  expect((await own).status).toBe(401);
  while (finish.length > 0 || waiting() > 0) {
    for (const end of finish.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const answer of [...answers, bulk]) expect((await answer).status).toBe(200);
  expect(underWay()).toBe(0);
});

test('who leaves while waiting is never served, and who leaves while served keeps the place until it is over', async () => {
  const first = await begin(get('/v1/blueprints'));
  await expect.poll(() => begun.length).toBe(1);
  const second = await begin(get('/v1/blueprints'));
  await expect.poll(() => begun.length).toBe(2);
  const third = await begin(get('/v1/blueprints'));
  await expect.poll(waiting).toBe(1);
  third.destroy();
  await expect.poll(waiting).toBe(0);
  first.destroy();
  second.destroy();
  await ask('/free');
  expect(underWay()).toBe(2);
  for (const end of finish.splice(0)) end();
  await expect.poll(underWay).toBe(0);
  expect(begun).toHaveLength(2);
});

describe('a place is given back', () => {
  test.each([
    ['by a refused token', () => ask('/v1/blueprints', 'nobody')],
    ['by a path that is not there', () => ask('/v1/nothing')],
    ['by an answer that is written by hand', () => ask('/v1/blueprints/a')],
  ])('%s', async (_name, request) => {
    await (await request()).text();
    await expect.poll(underWay).toBe(0);
  });

  test('by whoever leaves in the middle of the body', async () => {
    const head = 'POST /v1/mcp HTTP/1.1\r\nhost: x\r\nauthorization: org-a\r\ncontent-type: application/json\r\n';
    const socket = await begin(`${head}content-length: 100\r\n\r\n{`);
    socket.destroy();
    await expect.poll(() => [underWay(), waiting()]).toEqual([0, 0]);
  });
});

test('while the database is away requests are held, the rest is refused, and 503 says so', async () => {
  admission.hold(true);
  const held = [1, 2, 3].map(() => ask('/v1/blueprints/a'));
  await expect.poll(waiting).toBe(3);
  const refused = await ask('/v1/blueprints/a');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d?$/)]);
  admission.hold(false);
  for (const answer of held) expect((await answer).status).toBe(200);
});

test('the line of an organization is known once it was answered', async () => {
  for (const org of ['org-a', 'org-b']) await (await ask('/v1/blueprints/a', org)).text();
  const busy = [ask('/v1/blueprints'), ask('/v1/blueprints')];
  await expect.poll(underWay).toBe(2);
  const flood = [ask('/v1/blueprints'), ask('/v1/blueprints')];
  await expect.poll(waiting).toBe(2);
  // the last of the flood gives way to the first of another organization
  const calm = ask('/v1/blueprints', 'org-b');
  expect((await Promise.race(flood)).status).toBe(429);
  expect(waiting()).toBe(2);
  while (begun.length < 4 || underWay() > 0) {
    for (const end of finish.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await calm).status).toBe(200);
  for (const answer of busy) expect((await answer).status).toBe(200);
});

test('classes of operations', () => {
  expect([operationClass(listBlueprints), operationClass(listEntities)]).toEqual(['interactive', 'bulk']);
});

test('an address that took an event stands in a line of its own, before those that never did', async () => {
  const send = (key: string) => fetch(`http://127.0.0.1:${port}/ingest/${key}`, { method: 'POST', body: '{}' });
  const first = send('known');
  await expect.poll(() => begun.length).toBe(1);
  finish[0]?.();
  expect((await first).status).toBe(202);
  const strangers = ['a', 'b', 'c', 'd'].map(send);
  await expect.poll(() => [underWay(), waiting()]).toEqual([2, 2]);
  const known = send('known');
  expect((await Promise.race(strangers)).status).toBe(429);
  for (const count of [3, 5]) {
    await expect.poll(() => begun.length).toBe(count);
    for (const end of finish) end();
  }
  expect((await known).status).toBe(202);
});

test('an address of events has one line, whatever is sent along and however it is spelled', async () => {
  const send = (key: string, authorization: string) =>
    fetch(`http://127.0.0.1:${port}/ingest/${key}`, { method: 'POST', body: '{}', headers: { authorization } });
  for (const [key, name] of [
    ['flood', 'a'],
    ['flood', 'b'],
    ['%66lood', 'c'],
    ['calm', 'd'],
  ] as const) {
    const first = send(key, name);
    await expect.poll(() => finish.length).toBe(1);
    finish.pop()?.();
    expect((await first).status).toBe(202);
  }
  const flood = [send('flood', 'a'), send('flood', 'a')];
  await expect.poll(underWay).toBe(2);
  flood.push(send('flood', 'b'), send('%66lood', 'c'));
  await expect.poll(waiting).toBe(2);
  const calm = send('calm', 'd');
  expect((await Promise.race(flood)).status).toBe(429);
  while (waiting() > 0 || underWay() > 0) {
    for (const end of finish.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await calm).status).toBe(202);
});

test('an event that is sent slowly keeps its place for less time than others wait for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const slow = await begin('POST /ingest/a HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    await expect.poll(underWay).toBe(1);
    vi.advanceTimersByTime(5_000);
    await once(slow.resume(), 'close');
    await expect.poll(underWay).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
