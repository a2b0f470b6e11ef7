import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorGate } from '../operator-gate.ts';
import type { Presence } from '../platform/db/presence.types.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createStatus, type Status } from './status.ts';
import { listenForStatus } from './status-listener.ts';

let app: FastifyInstance;
let status: Status;
let server: Server;

const presence = {
  absence: () => undefined,
  check: async () => ({ absence: undefined, problem: undefined }),
  isReadOnly: () => false,
} as Partial<Presence> as Presence;
const refuse = (): never => {
  throw new Error('The status needs no token');
};

const drain = { authenticate: operatorGate('token'), set: (isDraining: boolean) => status.setDraining(isDraining) };

beforeEach(async () => {
  status = createStatus(presence);
  app = createHttpServer({
    log: pino({ level: 'silent' }),
    gate: { authenticate: refuse, authenticateOperator: refuse },
    routes: [],
    surfaces: [status.serve, (made) => void made.get('/secret', async () => ({ ok: true }))],
    isStopping: status.isStopping,
  });
  server = await listenForStatus(app, { host: '127.0.0.1', port: 0, drain });
});

afterEach(async () => {
  server.close();
  await app.close();
});

const ask = (path: string, options?: RequestInit): Promise<Response> =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, options);

test('serves health, readiness and metrics, as the API does', async () => {
  expect(await (await ask('/health')).json()).toEqual({ ok: true, status: 'alive' });
  expect(await (await ask('/ready')).json()).toEqual({ ok: true, status: 'ready' });
  const metrics = await ask('/metrics?x=1');
  expect(metrics.headers.get('content-type')).toContain('text/plain');
  expect(await metrics.text()).toContain('portolan_database_up 1');
});

test('says that it is not ready once a stop has begun', async () => {
  status.stopServing();
  expect((await ask('/ready')).status).toBe(503);
});

test('stands aside and comes back for the operator, and for nobody else', async () => {
  const post = (path: string, token?: string): Promise<Response> =>
    ask(path, { method: 'POST', headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  for (const token of [undefined, 'another']) expect((await post('/drain', token)).status).toBe(401);
  expect((await ask('/drain', { headers: { authorization: 'Bearer token' } })).status).toBe(404);
  expect((await ask('/ready')).status).toBe(200);
  expect(await (await post('/drain', 'token')).json()).toEqual({ ok: true, isDraining: true });
  expect(await (await ask('/ready')).json()).toMatchObject({ ok: false, message: 'The server is drained' });
  expect((await ask('/health')).status).toBe(200);
  expect((await app.inject('/secret')).headers['connection']).toBe('close');
  expect(await (await post('/undrain', 'token')).json()).toEqual({ ok: true, isDraining: false });
  expect((await ask('/ready')).status).toBe(200);
});

test('a drain that is taken back does not take back a stop', async () => {
  status.stopServing();
  status.setDraining(false);
  expect((await ask('/ready')).status).toBe(503);
});

test('has nothing else of the API', async () => {
  expect((await ask('/secret')).status).toBe(404);
  expect((await ask('/metrics', { method: 'POST' })).status).toBe(404);
  expect((await ask('/metrics/../secret')).status).toBe(404);
});

test('a port that is taken is an error, and not silence', async () => {
  const { port } = server.address() as AddressInfo;
  await expect(listenForStatus(app, { host: '127.0.0.1', port, drain })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
