import { setTimeout as delay } from 'node:timers/promises';
import { invokeAssistant } from '@portolan/contract/assistant-operations';
import { listBlueprints } from '@portolan/contract/blueprints';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { Actor } from '../platform/actor.ts';
import type { Presence } from '../platform/db/presence.types.ts';
import { RawAnswer, route } from '../platform/http/route.ts';
import { createHttpServer, type Surface } from '../platform/http/server.ts';
import { createStatus } from './status.ts';

const open: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of open.splice(0)) {
    app.server.closeAllConnections();
    await app.close();
  }
});

/** An application that lists blueprints and streams until `release`; its database is never used. */
function serve(extra: Surface = () => {}) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const status = createStatus({ absence: () => undefined, isReadOnly: () => false } as Presence);
  const app = createHttpServer({
    log: pino({ level: 'silent' }),
    gate: { authenticate: async () => ({}) as Actor, authenticateOperator: () => {} },
    routes: [
      route(listBlueprints, async () => ({ blueprints: [] })),
      route(
        invokeAssistant,
        async () =>
          new RawAnswer(async (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.write(':\n\n');
            await released;
            response.end();
          }),
      ),
    ],
    surfaces: [status.serve, extra],
  });
  open.push(app);
  return { app, status, release };
}

async function metrics(app: FastifyInstance): Promise<Map<string, number>> {
  const { body } = await app.inject({ url: '/metrics' });
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const classes: Readonly<Record<string, string>> = { listBlueprints: 'interactive', invokeAssistant: 'streams' };
const count = (operation: string, method: string, status: string) =>
  `portolan_http_request_duration_seconds_count{operation="${operation}",class="${classes[operation] ?? 'other'}",method="${method}",status="${status}"}`;

const ask = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"userPrompt":"x"}' } as const;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(5);
}

describe('requests', () => {
  test('are counted by operation and its class, method and class of status', async () => {
    const { app } = serve();
    await app.inject({ url: '/v1/blueprints' });
    await app.inject({ url: '/v1/blueprints/' });
    await app.inject({ url: '/v1/blueprints', method: 'HEAD' });
    await app.inject({ url: '/v1/ai/invoke', method: 'POST', headers: ask.headers, payload: '{' });
    await app.inject({ url: '/nowhere/1' });
    await app.inject({ url: '/nowhere/2' });
    const found = await metrics(app);
    expect(found.get(count('listBlueprints', 'GET', '2xx'))).toBe(2);
    expect(found.get(count('listBlueprints', 'HEAD', '2xx'))).toBe(1);
    expect(found.get(count('invokeAssistant', 'POST', '4xx'))).toBe(1);
    expect(found.get(count('unmatched', 'GET', '4xx'))).toBe(2);
  });

  test('of an alias count for its operation', async () => {
    const { app } = serve();
    await app.inject({ url: '/ai/invoke', method: 'POST', headers: ask.headers, payload: '{' });
    expect((await metrics(app)).get(count('invokeAssistant', 'POST', '4xx'))).toBe(1);
  });

  test('whose caller left before an answer are counted as aborted and are in flight no longer', async () => {
    const { app } = serve((each) => {
      each.get('/slow', () => new Promise(() => {}));
    });
    const address = await app.listen({ port: 0 });
    const leave = new AbortController();
    const request = fetch(`${address}/slow`, { signal: leave.signal }).catch(() => {});
    await until(async () => (await metrics(app)).get('portolan_http_requests_in_flight') === 2);
    leave.abort();
    await request;
    await until(async () => (await metrics(app)).get(count('/slow', 'GET', 'aborted')) === 1);
    expect((await metrics(app)).get('portolan_http_requests_in_flight')).toBe(1);
  });
});

describe('event streams', () => {
  test('are open from their first byte to their last', async () => {
    const { app, release } = serve();
    const address = await app.listen({ port: 0 });
    const streams = await Promise.all([1, 2].map(() => fetch(`${address}/v1/ai/invoke`, ask)));
    expect((await metrics(app)).get('portolan_event_streams_open')).toBe(2);
    release();
    await Promise.all(streams.map((each) => each.text()));
    expect((await metrics(app)).get('portolan_event_streams_open')).toBe(0);
  });

  test('whose reader left are open no longer', async () => {
    const { app, release } = serve();
    const address = await app.listen({ port: 0 });
    const stream = await fetch(`${address}/v1/ai/invoke`, ask);
    await stream.body?.cancel();
    await until(async () => (await metrics(app)).get('portolan_event_streams_open') === 0);
    release();
  });
});

test('a gauge that was added is read at each scrape', async () => {
  const { app, status } = serve();
  let jobs = 1;
  status.gauge('portolan_jobs_waiting', 'Jobs that wait', () => jobs);
  expect((await metrics(app)).get('portolan_jobs_waiting')).toBe(1);
  jobs = 4;
  expect((await metrics(app)).get('portolan_jobs_waiting')).toBe(4);
});

test('the process is described in the names that dashboards know', async () => {
  const found = await metrics(serve().app);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
    'nodejs_heap_size_used_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(found.get(name)).toBeGreaterThanOrEqual(0);
  }
});

test('two applications in one process do not mix their numbers', async () => {
  const [one, other] = [serve().app, serve().app];
  await one.inject({ url: '/v1/blueprints' });
  expect((await metrics(one)).get(count('listBlueprints', 'GET', '2xx'))).toBe(1);
  expect((await metrics(other)).get(count('listBlueprints', 'GET', '2xx'))).toBeUndefined();
});
