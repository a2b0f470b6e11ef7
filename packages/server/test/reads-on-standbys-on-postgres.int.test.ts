import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { createTestApp, type RequestOptions, type TestApp } from './build-test-app.ts';
import { createBlueprint } from './catalog-fixtures.ts';
import { onlyOn } from './database.ts';
import { type PostgresServer, startPostgres } from './database-server.ts';

onlyOn('postgres', 'the embedded engine has no standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let app: TestApp;

  const onServer = async (server: PostgresServer, statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  /** Portolan's own role may do nothing but use its database. */
  const asOwner = ({ url }: PostgresServer) => url.replace('portolan@', 'plain@').replace('/postgres', '/plain');
  const open = async (on: PostgresServer, stalenessMs?: number) => {
    const engine = await openPostgresEngine({
      connectionString: asOwner(primary),
      poolSize: 4,
      reads: { connectionString: asOwner(on), stalenessMs },
    });
    return createTestApp({
      on: {
        engine,
        options: { guardsReads: true },
        database: createDatabase(engine),
        environment: {},
        openReplica: () => Promise.reject(new Error('There is none')),
        drop: () => engine.close(),
      },
    });
  };

  /** What has run so far, by `standby` or the reason for the primary. */
  const reads = async (of: TestApp): Promise<Record<string, number>> => {
    const text = (await of.app.http.inject({ url: '/metrics' })).body;
    const found = text.matchAll(/portolan_standby_reads_total\{place="(\w+)",reason="([\w-]*)"\} (\d+)/g);
    return Object.fromEntries([...found].map(([, place, reason, count]) => [reason || place, Number(count)]));
  };
  /** A blueprint, what is written into it, and where searches in it ran. */
  const createWorld = async (of = app) => {
    const blueprint = await createBlueprint(of.request, 'read');
    const entities = `/v1/blueprints/${blueprint}/entities`;
    const seen = async (position?: string, options: RequestOptions = {}) => {
      const before = await reads(of);
      const headers = position === undefined ? {} : { 'x-portolan-position': position };
      const answer = await of.request('POST', `${entities}/search`, { body: {}, headers, ...options });
      const after = await reads(of);
      const found = answer.body.entities as { identifier: string }[] | undefined;
      return {
        status: answer.status,
        places: Object.keys(after).filter((place) => after[place] !== before[place]),
        found: found?.map(({ identifier }) => identifier),
        position: answer.headers['x-portolan-position'] as string,
      };
    };
    /** The position of the write. */
    const write = async (identifier: string): Promise<string> => {
      const answer = await of.request('POST', entities, { body: { identifier } });
      expect(answer.status).toBe(201);
      return answer.headers['x-portolan-position'] as string;
    };
    const permit = async (read: object): Promise<string> => {
      const body = { entities: { read } };
      const answer = await of.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.headers['x-portolan-position'] as string;
    };
    const replayed = async (position: string): Promise<void> => {
      await expect.poll(async () => (await seen(position)).places, { timeout: 10_000 }).toEqual(['standby']);
    };
    const lag = async () => {
      const { reads: told } = (await of.app.http.inject({ url: '/ready' })).json();
      return { ...told.standbys[0], clockAheadMs: told.clockAheadMs };
    };
    return { blueprint, seen, write, permit, replayed, lag };
  };
  const pause = async (): Promise<void> => {
    await onServer(standby, 'select pg_wal_replay_pause()');
    // a record that is being replayed is finished first
    await expect
      .poll(async () => {
        const client = new pg.Client({ connectionString: standby.url });
        await client.connect();
        const { rows } = await client.query('select pg_get_wal_replay_pause_state() as state');
        await client.end();
        return rows[0]?.state;
      })
      .toBe('paused');
  };
  const resume = () => onServer(standby, 'select pg_wal_replay_resume()');

  beforeAll(async () => {
    primary = await startPostgres();
    await onServer(primary, 'create role plain login');
    await onServer(primary, 'create database plain owner plain');
    const engine = await openPostgresEngine({ connectionString: asOwner(primary) });
    await migrate(engine, fileURLToPath(new URL('../migrations', import.meta.url)));
    await engine.close();
    standby = await startPostgres({ follows: primary });
    app = await open(standby);
  }, 60_000);
  afterEach(() => resume());
  afterAll(async () => {
    await app?.close();
    await standby?.stop();
    await primary?.stop();
  });

  test('a caller reads on the standby what it has replayed, and on the primary what it has not', async () => {
    const { seen, write, replayed, lag } = await createWorld();
    const first = await write('first');
    await replayed(first);
    expect(await seen()).toMatchObject({ places: ['no-position'], position: undefined });
    await pause();
    const second = await write('second');
    expect(await seen(first)).toMatchObject({ places: ['standby'], found: ['first'] });
    const own = await seen(second);
    expect(own).toMatchObject({ places: ['behind'], found: ['first', 'second'] });
    // what the primary has shown is not taken back by the standby
    expect(await seen(own.position)).toMatchObject({ places: ['behind'], found: ['first', 'second'] });
    const changed = await seen('latest');
    expect(changed).toMatchObject({ places: ['no-position'], found: ['first', 'second'] });
    expect(changed.position).toMatch(/^1:[\dA-F]+\/[\dA-F]+$/);
    await expect.poll(async () => (await lag()).behindBytes).toBeGreaterThan(0);
    await resume();
    await replayed(second);
    expect(await seen(second)).toMatchObject({ found: ['first', 'second'] });
  });

  test('the operator is told how far the standbys are, where the role of the database may know', async () => {
    const told = async () => {
      const { body } = await app.operator('GET', '/v1/operator/doctor');
      return body.checks.filter(({ name }: { name: string }) => name === 'standbys');
    };
    const hidden = '1 connected; how far they are behind is for users with pg_monitor';
    expect(await told()).toEqual([{ name: 'standbys', status: 'ok', message: hidden }]);
    await onServer(primary, 'grant pg_monitor to plain');
    await expect.poll(told).toMatchObject([{ status: 'ok', message: expect.stringMatching(/^1 connected, at most/) }]);
    await onServer(primary, 'revoke pg_monitor from plain');
  });

  test('a right that was taken is gone at once, whatever the standby and the kept blueprint say', async () => {
    const { blueprint, seen, write, replayed, permit } = await createWorld();
    const position = await write('secret');
    await replayed(position);
    const token = await app.organization.memberToken();
    expect(await seen(position, { token })).toMatchObject({ status: 200, places: ['standby'] });
    await pause();
    await permit({ roles: ['Admin'] });
    expect(await seen(position, { token })).toMatchObject({ status: 404, found: undefined });
    const rules = [{ property: '$blueprint', operator: '=', value: blueprint }];
    const headers = { 'x-portolan-position': position };
    const everywhere = { token, headers, body: { combinator: 'and', rules } };
    expect((await app.request('POST', '/v1/entities/search', everywhere)).body.entities).toEqual([]);
  });

  test('rights that depend on data are decided where the data is newest', async () => {
    const { seen, write, replayed, permit } = await createWorld();
    await write('owned');
    const rules = [{ property: '$identifier', operator: '=', value: 'other' }];
    const position = await permit({ roles: ['Admin'], policy: { combinator: 'and', rules } });
    await replayed(position);
    const token = await app.organization.memberToken();
    expect(await seen(position, { token })).toMatchObject({ status: 200, places: ['rights'], found: [] });
    expect(await seen(position)).toMatchObject({ places: ['standby'] });
  });

  test('a position that is none, or of the future, is answered by the primary at once', async () => {
    const { seen, write, replayed } = await createWorld();
    await replayed(await write('one'));
    const startedAt = performance.now();
    expect(await seen('1:zero')).toMatchObject({ status: 200, places: ['malformed'] });
    expect(await seen('1:FFFFFFFF/0')).toMatchObject({ status: 200, places: ['behind'] });
    expect(await seen('9:0/1')).toMatchObject({ status: 200, places: ['behind'] });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('where old answers are allowed, callers without a position read no older ones', async () => {
    const stale = await open(standby, 1_500);
    try {
      const { seen, write } = await createWorld(stale);
      await expect.poll(async () => (await seen()).places, { timeout: 5_000 }).toEqual(['standby']);
      await pause();
      await write('late');
      expect(await seen()).toMatchObject({ places: ['standby'], found: [] });
      await expect.poll(async () => (await seen()).places, { timeout: 5_000 }).toEqual(['behind']);
      expect(await seen()).toMatchObject({ found: ['late'] });
    } finally {
      await stale.close();
    }
  });

  test('without a standby, and with one that became a primary, reads go on and show everything', async () => {
    const lost = await startPostgres({ follows: primary });
    const own = await open(lost);
    try {
      const { seen, write, replayed, lag } = await createWorld(own);
      const position = await write('before');
      await replayed(position);
      const answers: ReturnType<typeof seen>[] = [];
      for (let count = 0; count < 20; count += 1) {
        answers.push(seen(position));
        if (count === 10) await lost.crash();
      }
      for (const { status, found } of await Promise.all(answers)) {
        expect([status, found]).toEqual([200, ['before']]);
      }
      expect(await seen(position)).toMatchObject({ status: 200, places: ['away'] });
      await expect.poll(lag).toMatchObject({ problem: 'away' });
      await lost.startAgain();
      await replayed(await write('after'));

      await onServer(lost, 'select pg_promote()');
      const last = await write('last');
      const all = ['before', 'after', 'last'];
      expect(await seen(position)).toMatchObject({ status: 200, places: ['away'], found: all });
      expect(await seen(last)).toMatchObject({ places: ['away'], found: all });
      await expect.poll(lag).toMatchObject({ problem: 'primary' });
      expect(Math.abs((await lag()).clockAheadMs)).toBeLessThan(1_000);
    } finally {
      await own.close();
      await lost.stop();
    }
  });
});
