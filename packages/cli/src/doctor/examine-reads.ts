import type { Check } from './check.ts';

/** What `/ready` says of the standbys; absent where none are set. */
export interface Reads {
  readonly standbys: readonly {
    readonly problem: 'away' | 'primary' | 'foreign' | 'diverged' | null;
    readonly behindMs: number | null;
    readonly behindBytes: number | null;
  }[];
  /** How far the clock of the database is ahead of the server's. */
  readonly clockAheadMs: number | null;
}

const clockMsMax = 1_000;

const problems = {
  away: 'does not answer, or the primary does not; reads go to the primary',
  primary: 'takes writes: it was promoted, or DATABASE_READ_URL names the primary',
  foreign: 'follows another system than DATABASE_URL',
  diverged: 'is of another timeline; after a failover this may last until its next restart point',
} as const;

/** The standbys in the order of `DATABASE_READ_URL`, and the clock. */
export function examineReads({ standbys, clockAheadMs }: Reads): Check[] {
  const told = standbys.map(({ problem, behindMs, behindBytes }, index) => {
    const behind = `${((behindMs ?? 0) / 1000).toFixed(1)} s and ${behindBytes ?? 0} bytes behind`;
    return `standby ${index + 1} ${problem === null ? `is ${behind}` : problems[problem]}`;
  });
  const message = told.join('; ');
  const isWhole = standbys.every(({ problem }) => problem === null);
  const reads: Check = isWhole
    ? { name: 'reads', status: 'ok', message }
    : { name: 'reads', status: 'failed', message, code: 'standby_unusable' };
  if (clockAheadMs === null) return [reads];
  const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1);
  const isFar = Math.abs(clockAheadMs) > clockMsMax;
  const side = clockAheadMs > 0 ? 'ahead of' : 'behind';
  const clock = isFar
    ? `The clock of the database is ${seconds} s ${side} the server's. Synchronize both (NTP)`
    : `the database and the server agree within ${seconds} s`;
  return [reads, { name: 'clock', status: isFar ? 'unknown' : 'ok', message: clock }];
}
