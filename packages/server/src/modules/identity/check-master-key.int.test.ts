import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, onlyOn, type TestDatabase } from '../../../test/database.ts';
import { createDatabase } from '../../platform/db/database.ts';
import { checkMasterKey } from './check-master-key.ts';
import { createSealer } from './secrets/sealer.ts';

let given: TestDatabase;
beforeEach(async () => {
  given = await createTestDatabase();
});
afterEach(() => given.drop());

const newKey = (): string => randomBytes(32).toString('base64');
const refused = { name: 'StartError', message: expect.stringContaining('PORTOLAN_MASTER_KEY') };

test('the key of the first start is the key of every start', async () => {
  const key = newKey();
  await checkMasterKey(given.database, key);
  await checkMasterKey(given.database, key);
  await expect(checkMasterKey(given.database, newKey())).rejects.toMatchObject(refused);
  await checkMasterKey(given.database, key);
  expect(await given.database.rows(sql`select * from installation`)).toHaveLength(1);
});

test('a database that is older than the check knows its key by what it sealed', async () => {
  const key = newKey();
  const sealed = createSealer(Buffer.from(key, 'base64')).seal('org', 'credential a', 'secret');
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`insert into organizations (id, name, model, plan, created_at, updated_at)
      values ('org', 'Old', 'blueprints', 'free', now(), now())`);
    await tx.execute(sql`insert into credentials (org_id, client_id, secret_hash, role, name, created_at, sealed_secret)
      values ('org', 'a', 'x', 'Admin', 'a', now(), ${sealed})`);
  });
  await expect(checkMasterKey(given.database, newKey())).rejects.toMatchObject(refused);
  expect(await given.database.rows(sql`select * from installation`)).toEqual([]);
  await checkMasterKey(given.database, key);
});

onlyOn('postgres', 'there are no replicas on the embedded engine', () => {
  test('of replicas that start together with different keys one is refused', async () => {
    const replica = createDatabase(await given.openReplica());
    const starts = await Promise.allSettled([
      checkMasterKey(given.database, newKey()),
      checkMasterKey(replica, newKey()),
    ]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
