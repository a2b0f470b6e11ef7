import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { aliveSeconds, listSeenReplicas } from '../db/seen-replicas.ts';
import { createReplica } from './replica.ts';

let given: TestDatabase;
beforeAll(async () => {
  given = await createTestDatabase();
});
afterAll(() => given.drop());
beforeEach(() => given.database.transaction((tx) => tx.execute(sql`delete from replicas`)));

const log = { warn: () => undefined };
const about = { release: '0.9.0', role: 'web', address: 'pod-a:3000' };
const seen = async () => {
  const connection = await given.engine.connect();
  try {
    return await listSeenReplicas(connection, aliveSeconds);
  } finally {
    connection.release();
  }
};

test('a replica is seen from its start to its end, and says when it drains', async () => {
  const replica = createReplica({ database: given.database, log }, about);
  await replica.start();
  expect(await seen()).toMatchObject([{ ...about, isDraining: false }]);
  await replica.setDraining(true);
  expect(await seen()).toMatchObject([{ ...about, isDraining: true }]);
  await replica.setDraining(false);
  expect(await seen()).toMatchObject([{ ...about, isDraining: false }]);
  await replica.close();
  expect(await seen()).toEqual([]);
});

test('a replica that goes on saying that it lives is seen on, and one that does not is no more after a while', async () => {
  const replica = createReplica({ database: given.database, log }, about, 30);
  await replica.start();
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`update replicas set seen_at = now() - interval '1 hour'`);
    await tx.execute(sql`insert into replicas (id, release, role, address, seen_at)
      values ('gone', '0.8.0', 'all', 'pod-b:3000', now() - interval '21 seconds')`);
  });
  await expect.poll(async () => (await seen()).map(({ address }) => address)).toEqual(['pod-a:3000']);
  await replica.close();
});

test('the oldest release comes first, and what was not seen for a day is forgotten', async () => {
  await given.database.transaction((tx) =>
    tx.execute(sql`insert into replicas (id, release, role, address, seen_at) values
      ('old', '0.10.0', 'all', 'a', now()), ('older', '0.9.1', 'all', 'b', now()), ('gone', '0.1.0', 'all', 'c', now() - interval '25 hours')`),
  );
  const replica = createReplica({ database: given.database, log }, about);
  await replica.start();
  expect((await seen()).map(({ release }) => release)).toEqual(['0.9.0', '0.9.1', '0.10.0']);
  expect(await given.database.rows(sql`select id from replicas where id = 'gone'`)).toEqual([]);
  await replica.close();
});
