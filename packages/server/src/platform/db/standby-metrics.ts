import { Counter, Gauge, type Metric } from 'prom-client';

/** Why a read that may be answered by a standby was answered by the primary. */
export const primaryReasons = [
  'no-position',
  'malformed',
  'behind',
  'away',
  'full',
  'failed',
  'rights',
  'changed',
] as const;
export type PrimaryReason = (typeof primaryReasons)[number];

/** A standby as it was when it was last asked. */
export interface StandbyFigures {
  readonly name: string;
  readonly isUsable: boolean;
  /** Undefined until both it and the primary have answered once. */
  readonly behindMs: number | undefined;
  readonly behindBytes: number | undefined;
}

export interface StandbyMetrics {
  readonly metrics: readonly Metric[];
  /** A statement ran on a standby, or for this reason did not. */
  ran(reason: PrimaryReason | 'standby'): void;
  show(read: () => readonly StandbyFigures[]): void;
}

/** They exist without standbys too, without a value. */
export function createStandbyMetrics(): StandbyMetrics {
  let read: () => readonly StandbyFigures[] = () => [];
  const registers: [] = [];
  const labelNames = ['standby'];
  const gauge = (name: string, help: string, value: (each: StandbyFigures) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const each of read()) {
          const shown = value(each);
          if (shown !== undefined) this.set({ standby: each.name }, shown);
        }
      },
    });
  const reads = new Counter({
    name: 'portolan_standby_reads_total',
    help: 'Statements that a standby may answer, by where they ran and, on the primary, why: no-position, malformed, behind (not replayed yet), away (no standby is usable), full (no connection free), failed, rights (those of the caller depend on data), changed (the blueprint)',
    labelNames: ['place', 'reason'],
    registers,
  });
  return {
    metrics: [
      reads,
      gauge('portolan_standby_lag_seconds', 'How far a standby is behind the primary, in time', ({ behindMs }) =>
        behindMs === undefined ? undefined : behindMs / 1000,
      ),
      gauge(
        'portolan_standby_lag_bytes',
        'How far a standby is behind the primary, in bytes of the log',
        ({ behindBytes }) => behindBytes,
      ),
      gauge('portolan_standby_usable', 'Whether a standby can be read: 1 or 0', ({ isUsable }) => (isUsable ? 1 : 0)),
    ] as unknown as Metric[],
    ran: (reason) => reads.inc(reason === 'standby' ? { place: 'standby', reason: '' } : { place: 'primary', reason }),
    show(next) {
      read = next;
      // a series that begins with its first read would hide it from rate()
      reads.inc({ place: 'standby', reason: '' }, 0);
      for (const reason of primaryReasons) reads.inc({ place: 'primary', reason }, 0);
    },
  };
}
