import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { openPostgresEngine } from './postgres-engine.ts';

onlyOn('postgres', 'the embedded engine has no address', () => {
  let given: TestDatabase;
  let address: string;
  let server: URL;
  beforeAll(async () => {
    given = await createTestDatabase();
    address = given.environment['DATABASE_URL'] ?? '';
    server = new URL(address);
  });
  afterAll(() => given.drop());

  /** Two hosts in one address: none listens at the first. */
  const twoHosts = (first: string) => address.replace(server.host, `${first},${server.host}`);

  test('with several hosts the one that can be reached is used', async () => {
    const engine = await openPostgresEngine({ connectionString: twoHosts('127.0.0.1:1') });
    const connections = await Promise.all([engine.connect(), engine.connect(), engine.connectDirectly()]);
    for (const connection of connections) {
      expect((await connection.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      connection.release();
    }
    await engine.close();
  });

  test('hosts that take no writes are refused, and a session that lost the right to write is not lent again', async () => {
    const engine = await openPostgresEngine({ connectionString: address, poolSize: 1 });
    const name = server.pathname.slice(1);
    const session = async () => {
      const connection = await engine.connect();
      const { rows } = await connection.query('select pg_backend_pid() as pid');
      return { connection, pid: rows[0]?.['pid'] };
    };
    const { connection, pid } = await session();
    await connection.query('create table t (a int)');
    await connection.query(`alter database "${name}" set default_transaction_read_only = on`);
    await connection.query('set default_transaction_read_only = on');
    await expect(connection.query('insert into t values (1)')).rejects.toMatchObject({ code: '25006' });
    await expect(openPostgresEngine({ connectionString: twoHosts(server.host) })).rejects.toThrow(/takes no writes/);
    await connection.query('set default_transaction_read_only = off');
    await connection.query(`alter database "${name}" reset default_transaction_read_only`);
    connection.release();
    const next = await session();
    expect(next.pid).not.toBe(pid);
    next.connection.release();
    await engine.close();
  });
});
