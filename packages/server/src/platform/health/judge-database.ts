import { formatBytes } from '../format-bytes.ts';
import type { DatabaseHealth } from './database-health.store.ts';

const minute = 60;
/** PostgreSQL stops taking writes at about two billion. */
const wraparoundFailed = 1_500_000_000;
const wraparoundWarning = 1_000_000_000;
const slotMax = 10 * 1024 ** 3;
const transactionMax = 10 * minute;
const connectionsShare = 0.85;

/** What the operator has to look at, in a sentence, and a code of it for machines. */
export interface Finding {
  readonly status: 'warning' | 'failed';
  readonly code: string;
  readonly message: string;
}

/** Settings that lose data, and what holds the database back. The embedded engine has settings of its own. */
export function judgeDatabase(health: DatabaseHealth, kind: 'embedded' | 'postgres'): Finding[] {
  return [...(kind === 'postgres' ? durability(health) : []), ...load(health), ...bloat(health)];
}

function durability({ fsync, fullPageWrites, synchronousCommit }: DatabaseHealth): Finding[] {
  const off = Object.entries({ fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  if (off.length === 0) return [];
  const message = `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a crash loses changes that were answered as stored. Switch ${off.length === 1 ? 'it' : 'them'} on.`;
  return [{ status: 'failed', code: 'not_durable', message }];
}

function load(health: DatabaseHealth): Finding[] {
  const { connections, connectionsMax, transactionSeconds, prepared, transactionAge, slotBytes } = health;
  const found: Finding[] = [];
  if (transactionAge > wraparoundWarning) {
    const status = transactionAge > wraparoundFailed ? 'failed' : 'warning';
    const message = `Transactions of ${Math.round(transactionAge / 1e6)} million ago are not frozen yet; at about 2,000 million the database takes no more writes. Look at what keeps autovacuum from its work.`;
    found.push({ status, code: 'wraparound', message });
  }
  if (connections > connectionsShare * connectionsMax) {
    const message = `${connections} of ${connectionsMax} connections are taken. Raise max_connections, or make the pools of the replicas smaller.`;
    found.push({ status: 'warning', code: 'connections', message });
  }
  if (transactionSeconds > transactionMax) {
    const message = `A transaction has been open for ${Math.round(transactionSeconds / minute)} minutes: it keeps dead rows, and upgrades wait for it. Find it in pg_stat_activity.`;
    found.push({ status: 'warning', code: 'old_transaction', message });
  }
  if (prepared > 0) {
    const message = `Prepared transactions were neither committed nor rolled back: ${prepared}. They keep their locks; find them in pg_prepared_xacts.`;
    found.push({ status: 'warning', code: 'prepared_transactions', message });
  }
  if (slotBytes > slotMax) {
    const message = `A replication slot keeps ${formatBytes(slotBytes)} of the log, because what reads from it is behind or gone. Remove the slot if nothing reads from it any more, or the disk fills.`;
    found.push({ status: 'warning', code: 'slot_behind', message });
  }
  return found;
}

function bloat({ bloated }: DatabaseHealth): Finding[] {
  return bloated.map(({ table, dead, live }) => ({
    status: 'warning',
    code: 'bloat',
    message: `The table ${table} holds ${thousands(dead)} dead rows beside ${thousands(live)}. Look at what keeps autovacuum from its work.`,
  }));
}

function thousands(rows: number): string {
  return Math.round(rows).toLocaleString('en-US');
}
