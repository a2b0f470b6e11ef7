import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { createTestApp, operatorToken, type TestApp } from './build-test-app.ts';
import { onlyOn } from './database.ts';
import { type PostgresServer, startPostgres } from './database-server.ts';

interface Seen {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: unknown;
  readonly body: unknown;
}

/** Requests of one caller, one after another, until it is told to end. */
function caller(app: TestApp, seen: Seen[], what: string, make: (count: number) => Parameters<TestApp['request']>) {
  let isEnding = false;
  let successes = 0;
  const run = async (): Promise<void> => {
    for (let count = 0; !isEnding; count += 1) {
      const { status, headers, body } = await app.request(...make(count));
      seen.push({ what, status, retryAfter: headers['retry-after'], body });
      if (status < 300) successes += 1;
      // whoever is refused at once does not turn round without leaving anybody else a turn
      else await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ended = run();
  return {
    successes: () => successes,
    end: () => {
      isEnding = true;
      return ended;
    },
  };
}

onlyOn('postgres', 'the embedded database is lost with its process', () => {
  let server: PostgresServer;
  let app: TestApp;
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_blueprints', arguments: {} } };

  beforeAll(async () => {
    server = await startPostgres({ isDurable: true });
    const engine = await openPostgresEngine({ connectionString: server.url });
    await migrate(engine, fileURLToPath(new URL('../migrations', import.meta.url)));
    app = await createTestApp({
      on: {
        engine,
        options: { guardsReads: true },
        database: createDatabase(engine),
        environment: {},
        openReplica: () => Promise.reject(new Error('There is none')),
        drop: () => engine.close(),
      },
    });
    await app.app.start({ role: 'all', isAlone: false });
    const created = await app.request('POST', '/v1/blueprints', {
      body: { identifier: 'service', title: 'Service', schema: { properties: {} } },
    });
    expect(created.status).toBe(201);
  });
  afterAll(async () => {
    await app?.close();
    await server?.stop();
  });

  test('a database that is lost and comes back costs nobody a 500, and no acknowledged change', async () => {
    const seen: Seen[] = [];
    const entities = '/v1/blueprints/service/entities';
    const callers = Array.from({ length: 4 }, (_, number) => [
      caller(app, seen, 'read', () => ['GET', '/v1/blueprints/service']),
      caller(app, seen, 'write', (count) => [
        'POST',
        `${entities}?upsert=true`,
        { body: { identifier: `one-${number}-${count}`, title: 'x' } },
      ]),
      caller(app, seen, 'bulk', (count) => [
        'POST',
        `${entities}/bulk?upsert=true`,
        { body: { entities: [{ identifier: `many-${number}-${count}`, title: 'x' }] } },
      ]),
      caller(app, seen, 'mcp', () => ['POST', '/v1/mcp', { body: rpc }]),
    ]).flat();
    const eachHas = async (more: number): Promise<void> => {
      const goals = callers.map((each) => each.successes() + more);
      await expect
        .poll(() => callers.every((each, index) => each.successes() >= (goals[index] as number)), { timeout: 60_000 })
        .toBe(true);
    };
    const ready = async () => (await app.app.http.inject({ url: '/ready' })).json();
    const { presence } = app.database.engine;

    await eachHas(5);
    for (let round = 0; round < 2; round += 1) {
      await server.crash();
      await expect.poll(() => presence.absence() !== undefined, { timeout: 20_000 }).toBe(true);
      expect(await ready()).toMatchObject({ ok: true, mode: 'holding' });
      expect((await app.app.http.inject({ url: '/health' })).statusCode).toBe(200);
      await server.startAgain();
      await expect.poll(() => presence.absence(), { timeout: 20_000 }).toBe(undefined);
      await eachHas(5);
    }
    await Promise.all(callers.map((each) => each.end()));

    const refused = seen.filter(({ status }) => status >= 300);
    expect(refused.filter(({ status }) => status !== 503 && status !== 429)).toEqual([]);
    for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9]\d*$/);
    expect(await ready()).toEqual({ ok: true, status: 'ready' });
    // MCP answers 200 for a tool that failed: what it says must be a refusal too
    expect(seen.filter(({ what, body }) => what === 'mcp' && JSON.stringify(body).includes('internal_error'))).toEqual(
      [],
    );
    const acknowledged = seen.filter(({ what, status }) => what === 'write' && status < 300).length;
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from entities where identifier like 'one-%'`);
    await client.end();
    expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged);
  }, 180_000);

  test('the examination of the installation is not held while the database is away', async () => {
    await server.crash();
    await expect.poll(() => app.database.engine.presence.absence() !== undefined, { timeout: 20_000 }).toBe(true);
    const stranger = await app.request('GET', '/v1/operator/doctor');
    expect(stranger.status).toBe(401);
    const { status, body } = await app.request('GET', '/v1/operator/doctor', { token: operatorToken });
    expect(status).toBe(200);
    const messages = new Map(body.checks.map((each: { name: string; code?: string }) => [each.name, each.code]));
    expect(messages.get('database')).toBe('not_examined');
    expect(messages.get('jobs')).toBe('not_examined');
    await server.startAgain();
  }, 60_000);
});
