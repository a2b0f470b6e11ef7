import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createStatus, type Status } from './status.ts';

let prepared: TestDatabase;
let status: Status;
let app: ReturnType<typeof createHttpServer>;

beforeEach(async () => {
  prepared = await createTestDatabase();
  status = createStatus(prepared.database, { databaseDeadlineMs: 300 });
  app = createHttpServer({
    log: pino({ level: 'silent' }),
    gate: { authenticate: neverAsked, authenticateOperator: neverAsked },
    routes: [],
    surfaces: [status.serve],
  });
});

afterEach(async () => {
  await app.close();
  await prepared.drop();
});

function neverAsked(): never {
  throw new Error('The status needs no token');
}

const refusal = { ok: false, error: 'service_unavailable', message: expect.any(String) };

describe('/ready', () => {
  test('answers 200 while the database is migrated and answers', async () => {
    const answer = await app.inject({ url: '/ready' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ok: true, status: 'ready' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('answers 503 once the server is stopping, and /health and /metrics go on', async () => {
    status.stopServing();
    const answer = await app.inject({ url: '/ready' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ ...refusal, message: 'The server is stopping' });
    expect(answer.headers['retry-after']).toBe('1');
    expect((await app.inject({ url: '/health' })).json()).toEqual({ ok: true, status: 'alive' });
    expect((await app.inject({ url: '/metrics' })).statusCode).toBe(200);
  });

  test('answers 503 while the database is closed, and /health goes on', async () => {
    await prepared.engine.close();
    const answer = await app.inject({ url: '/ready' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual(refusal);
    expect((await app.inject({ url: '/health' })).statusCode).toBe(200);
  });

  test('answers 503 while no migration is applied', async () => {
    const connection = await prepared.engine.connect();
    await connection.query('drop table schema_migrations');
    connection.release();
    expect((await app.inject({ url: '/ready' })).statusCode).toBe(503);
  });

  test('answers 503 in time while the database hangs, asks it once however many ask, and recovers', async () => {
    const connection = await prepared.engine.connect();
    await connection.query('begin');
    await connection.query('lock table schema_migrations in access exclusive mode');
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject({ url: '/ready' })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 503));
    await connection.query('rollback');
    connection.release();
    await expect.poll(async () => (await app.inject({ url: '/ready' })).statusCode).toBe(200);
  });
});
