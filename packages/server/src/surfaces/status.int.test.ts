import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../test/database.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createStatus, type Status } from './status.ts';

let prepared: TestDatabase;
let status: Status;
let app: ReturnType<typeof createHttpServer>;
let laterMs: number;

beforeEach(async () => {
  prepared = await createTestDatabase();
  laterMs = 0;
  status = createStatus(prepared.engine.presence, () => performance.now() + laterMs);
  app = createHttpServer({
    log: pino({ level: 'silent' }),
    gate: { authenticate: neverAsked, authenticateOperator: neverAsked },
    routes: [],
    surfaces: [status.serve],
    isStopping: status.isStopping,
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
const ready = () => app.inject({ url: '/ready' });

describe('/ready', () => {
  test('answers 200 while the database is migrated and answers', async () => {
    const answer = await ready();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ok: true, status: 'ready' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('answers 503 once the server is stopping, and /health and /metrics go on', async () => {
    status.stopServing();
    const answer = await ready();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ ...refusal, message: 'The server is stopping' });
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.headers['connection']).toBe('close');
    expect((await app.inject({ url: '/health' })).json()).toEqual({ ok: true, status: 'alive' });
    expect((await app.inject({ url: '/metrics' })).statusCode).toBe(200);
  });

  test('answers 503 while the database is closed, and /health goes on', async () => {
    await prepared.engine.close();
    const answer = await ready();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual(refusal);
    expect((await app.inject({ url: '/health' })).statusCode).toBe(200);
  });

  test('answers 503 while no migration is applied', async () => {
    const connection = await prepared.engine.connect();
    await connection.query('drop table schema_migrations');
    connection.release();
    expect((await ready()).statusCode).toBe(503);
  });

  test('says while the database takes no writes, and so does the metric', async () => {
    const connection = await prepared.engine.connect();
    await connection.query('set session characteristics as transaction read only');
    // what the probe of the embedded engine finds in its one session is for PostgreSQL a setting of the database
    const name = (await connection.query('select current_database() as name')).rows[0]?.['name'];
    await connection.query('begin read write');
    await connection.query(`alter database ${name} set default_transaction_read_only = on`);
    await connection.query('commit');
    connection.release();
    expect((await ready()).json()).toEqual({ ok: true, status: 'ready', mode: 'read-only' });
    expect((await app.inject({ url: '/metrics' })).body).toContain('\nportolan_database_read_only 1\n');
  });

  test('says that requests are held while the database hangs, 503 when that lasts, and recovers', async () => {
    const connection = await prepared.engine.connect();
    await connection.query('begin');
    await connection.query('lock table schema_migrations in access exclusive mode');
    // the first runs the query, and the others share its result
    await ready();
    const answers = await Promise.all(Array.from({ length: 20 }, ready));
    expect(answers.map((answer) => [answer.statusCode, answer.json().mode])).toEqual(
      Array.from({ length: 20 }, () => [200, 'holding']),
    );
    laterMs = 31_000;
    expect((await ready()).statusCode).toBe(503);
    await connection.query('rollback');
    connection.release();
    await expect.poll(async () => (await ready()).json()).toEqual({ ok: true, status: 'ready' });
  });
});

onlyOn('postgres', 'the embedded engine has no other connection', () => {
  test('/ready answers while every connection of the pool is taken', async () => {
    const taken = await Promise.all(Array.from({ length: 5 }, () => prepared.engine.connect()));
    expect((await ready()).json()).toEqual({ ok: true, status: 'ready' });
    for (const connection of taken) connection.release();
  });
});
