import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { examinePooler } from './pooling.ts';

onlyOn('postgres', 'the embedded engine has no pooler', () => {
  let given: TestDatabase;
  beforeAll(async () => {
    given = await createTestDatabase();
  });
  afterAll(() => given.drop());

  /** A session as a pooler before 1.21 hands it out: another client has prepared the same name on the server. */
  class SharedServer extends pg.Client {
    override async connect(): Promise<pg.Client> {
      await super.connect();
      await this.query('prepare portolan_pooling as select 1');
      return this;
    }
  }
  const clientOf = (Client: typeof pg.Client) => () =>
    new Client({
      connectionString: given.environment['DATABASE_URL'],
      options: '-c TimeZone=UTC -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s',
    });

  test('a pooler that shares servers with what others prepared prepares nothing, and the start goes on', async () => {
    expect(await examinePooler(clientOf(SharedServer as typeof pg.Client))).toEqual({ canPrepare: false });
  });

  test('sessions that are not set up as Portolan needs them are refused with the statements that do', async () => {
    const create = () => new pg.Client({ connectionString: given.environment['DATABASE_URL'] });
    await expect(examinePooler(create)).rejects.toThrow(/alter role .* set statement_timeout = '30s'/);
  });
});
