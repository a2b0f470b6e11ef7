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

  /** Looks at a pooler, and tells the names that were prepared for it. */
  async function examined() {
    const names = new Set<string>();
    const create = () => {
      const client = new pg.Client({
        connectionString: given.environment['DATABASE_URL'],
        options: '-c TimeZone=UTC -c statement_timeout=30s -c idle_in_transaction_session_timeout=60s',
      });
      const query = client.query.bind(client) as (asked: { name?: string }) => unknown;
      client.query = ((asked: { name?: string }) => {
        if (asked.name) names.add(asked.name);
        return query(asked);
      }) as typeof client.query;
      return client;
    };
    const { canPrepare } = await examinePooler(create);
    return { canPrepare, names: [...names] };
  }

  test('two replicas that look at a pooler prepare nothing of one name, which an old pooler would mix up', async () => {
    const [one, other] = await Promise.all([examined(), examined()]);
    // one server answered both clients of each: nothing shows that statements can be prepared
    expect([one.canPrepare, other.canPrepare]).toEqual([false, false]);
    expect(one.names).toHaveLength(1);
    expect(other.names).not.toEqual(one.names);
  });

  test('sessions that are not set up as Portolan needs them are refused with the statements that do', async () => {
    const create = () => new pg.Client({ connectionString: given.environment['DATABASE_URL'] });
    await expect(examinePooler(create)).rejects.toThrow(/alter role .* set statement_timeout = '30s'/);
  });
});
