import { describe, expect, test } from 'vitest';
import type { DatabaseHealth } from './database-health.store.ts';
import { judgeDatabase } from './judge-database.ts';

const well: DatabaseHealth = {
  version: '16.4',
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  bytes: 1e9,
  connections: 20,
  connectionsMax: 100,
  transactionSeconds: 3,
  prepared: 0,
  transactionAge: 2e8,
  slotBytes: 1e6,
  bloated: [],
};

const codes = (health: Partial<DatabaseHealth>, kind: 'embedded' | 'postgres' = 'postgres') =>
  judgeDatabase({ ...well, ...health }, kind).map(({ status, code }) => `${status} ${code}`);

describe('what a database says of itself', () => {
  test.each<[string, Partial<DatabaseHealth>, string[]]>([
    ['is nothing while all is well', {}, []],
    ['is that changes can be lost', { fsync: 'off' }, ['failed not_durable']],
    ['or the last of them', { synchronousCommit: 'off' }, ['failed not_durable']],
    ['not where a standby confirms', { synchronousCommit: 'remote_apply' }, []],
    ['is that it nears the end of its numbers', { transactionAge: 1.2e9 }, ['warning wraparound']],
    ['or is there nearly', { transactionAge: 1.7e9 }, ['failed wraparound']],
    ['is that connections run out', { connections: 90 }, ['warning connections']],
    ['is a transaction that nobody ends', { transactionSeconds: 601 }, ['warning old_transaction']],
    ['or that was prepared and forgotten', { prepared: 1 }, ['warning prepared_transactions']],
    ['is a slot that nothing reads', { slotBytes: 2e10 }, ['warning slot_behind']],
    ['is a table of dead rows', { bloated: [{ table: 'jobs', dead: 2e5, live: 10 }] }, ['warning bloat']],
  ])('%s', (_name, health, found) => expect(codes(health)).toEqual(found));

  test('settings of the embedded engine are its own', () => expect(codes({ fsync: 'off' }, 'embedded')).toEqual([]));

  test('sentences name the setting, the table and what to do', () => {
    const health = { ...well, fsync: 'off', fullPageWrites: 'off', bloated: [{ table: 'jobs', dead: 2e5, live: 10 }] };
    expect(judgeDatabase(health, 'postgres').map(({ message }) => message)).toEqual([
      'fsync and full_page_writes are off: a crash loses changes that were answered as stored. Switch them on.',
      'The table jobs holds 200,000 dead rows beside 10. Look at what keeps autovacuum from its work.',
    ]);
  });
});
