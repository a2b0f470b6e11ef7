import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onlyOn } from '../../../test/database.ts';
import { type PostgresServer, startPostgres } from '../../../test/database-server.ts';
import { judgeStandbys } from '../health/judge-standbys.ts';
import { readStandbyHealth } from '../health/standby-health.store.ts';
import { createDatabase, type Database } from './database.ts';
import { DatabaseError, UnknownOutcomeError } from './database-error.ts';
import { openPostgresEngine } from './postgres-engine.ts';

/** What stands between us and a server, to be cut. */
async function startLine(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const relay = createServer((caller) => {
    const peer = connect(Number(port), hostname);
    for (const socket of [caller, peer]) sockets.add(socket.on('error', () => undefined));
    caller.pipe(peer).pipe(caller);
  });
  const listen = (at: number) => new Promise<void>((done) => relay.listen(at, '127.0.0.1', done));
  await listen(0);
  const own = (relay.address() as AddressInfo).port;
  return {
    url: Object.assign(new URL(url), { port: String(own) }).href,
    async cut() {
      if (!relay.listening) return;
      const closed = new Promise((done) => relay.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: () => listen(own),
  };
}

onlyOn('postgres', 'the embedded database has no standby', () => {
  let server: PostgresServer;
  let admin: pg.Client;
  let database: Database;
  const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep'`;
  /** Commits wait for a standby that is not there, until it is no longer asked for. */
  const demandStandby = async (name: string): Promise<void> => {
    await admin.query(`alter system set synchronous_standby_names = '${name}'`);
    await admin.query('select pg_reload_conf()');
    await expect
      .poll(async () => (await admin.query('show synchronous_standby_names')).rows)
      .toEqual([{ synchronous_standby_names: name }]);
  };
  beforeAll(async () => {
    server = await startPostgres({ isDurable: true });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query('create table made (a int)');
    database = createDatabase(await openPostgresEngine({ connectionString: server.url, poolSize: 4 }));
  });
  afterAll(async () => {
    await database.close();
    await admin.end();
    await server.stop();
  });

  test('reads go on while commits wait for a standby', async () => {
    await demandStandby('absent');
    const writing = Promise.all([
      ...Array.from({ length: 4 }, () => database.transaction((tx) => tx.execute(sql`insert into made values (1)`))),
      ...Array.from({ length: 4 }, () => database.executeAlone(sql`insert into made values (1)`)),
    ]);
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(2);
    expect(await database.rows(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(judgeStandbys(await readStandbyHealth(database))).toMatchObject([{ code: 'no_synchronous_standby' }]);
    await demandStandby('');
    expect(await writing).toEqual(Array(8).fill(1));
  });

  test('a commit whose wait for a standby was cancelled is no success', async () => {
    await demandStandby('absent');
    const writing = Promise.allSettled([
      database.transaction((tx) => tx.execute(sql`insert into made values (2)`)),
      database.executeAlone(sql`insert into made values (2)`),
    ]);
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(2);
    await admin.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
    for (const each of await writing) expect(each).toMatchObject({ reason: expect.any(UnknownOutcomeError) });
    await demandStandby('');
    expect(await database.transaction((tx) => tx.execute(sql`insert into made values (3)`))).toBe(1);
  });

  test('a write that waits for its turn when the database goes away is held, and made once it is back', async () => {
    const line = await startLine(server.url);
    const waitMs = 500;
    const engine = await openPostgresEngine({ connectionString: line.url, poolSize: 2, connectTimeoutMs: waitMs });
    const small = createDatabase(engine);
    try {
      const inTheWay = await engine.connect('writes');
      const waited = small.executeAlone(sql`insert into made values (4)`);
      await line.cut();
      await engine.presence.doubt(new DatabaseError('It was stopped', '08006'));
      expect(engine.presence.absence()).toBeDefined();
      const first = Promise.race([waited, new Promise((later) => setTimeout(later, waitMs + 200, 'waits'))]);
      expect(await first).toBe('waits');
      inTheWay.release(true);
      await line.mend();
      expect(await waited).toBe(1);
    } finally {
      await small.close();
      await line.cut();
    }
  });
});
