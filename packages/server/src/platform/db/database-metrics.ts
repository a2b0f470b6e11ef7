import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import type { DatabaseError } from './database-error.ts';
import { passingReason } from './passing-failure.ts';
import { createStandbyMetrics, type StandbyMetrics } from './standby-metrics.ts';

/** What the connections of a pool do at this moment. */
export interface PoolFigures {
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  /** The most connections that it opens. */
  readonly limit: number;
}

export interface DatabaseMetrics {
  readonly metrics: readonly Metric[];
  readonly standbys: StandbyMetrics;
  /** Shows a pool; the returned function is told how long each caller waited for a connection. */
  addPool(name: string, read: () => PoolFigures): (waitedMs: number) => void;
  /** A statement failed, or no connection was to be had. */
  failed(error: DatabaseError): void;
}

/** Most waits take microseconds; a caller gives up after 10 s, or after 25 s while the database is away. */
const seconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 25];
const reasons = ['away', 'full', 'read-only', 'contended', 'slow', 'constraint', 'other'] as const;
/** SQLSTATE of every statement after the one that failed in a transaction. */
const echo = '25P02';

/** What this process knows of its connections. */
export function createDatabaseMetrics(): DatabaseMetrics {
  const pools = new Map<string, () => PoolFigures>();
  const registers: [] = [];
  const connections = new Gauge({
    name: 'portolan_database_connections',
    help: 'Connections to the database, by pool and state: used, idle, or limit for the most that may be open',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, read] of pools) {
        const { used, idle, limit } = read();
        for (const [state, value] of Object.entries({ used, idle, limit })) this.set({ pool, state }, value);
      }
    },
  });
  const waiting = new Gauge({
    name: 'portolan_database_waiting',
    help: 'Callers for whom no connection to the database is free, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, read] of pools) this.set({ pool }, read().waiting);
    },
  });
  const wait = new Histogram({
    name: 'portolan_database_wait_seconds',
    help: 'Time until a caller had a connection to the database, or gave up, by pool: main, or direct for what needs a session of its own behind a pooler',
    labelNames: ['pool'],
    buckets: seconds,
    registers,
  });
  const errors = new Counter({
    name: 'portolan_database_errors_total',
    help: 'Statements that failed, by reason: away (no connection), full (no room, or no connection free), read-only, contended (locks), slow (the timeout of statements), constraint, other',
    labelNames: ['reason'],
    registers,
  });
  // a series that begins with its first failure would hide it from rate()
  for (const reason of reasons) errors.inc({ reason }, 0);
  const standbys = createStandbyMetrics();
  return {
    metrics: [connections, waiting, wait, errors, ...standbys.metrics] as unknown as Metric[],
    standbys,
    addPool(pool, read) {
      pools.set(pool, read);
      const series = wait.labels({ pool });
      return (waitedMs) => series.observe(waitedMs / 1000);
    },
    failed(error) {
      if (error.code !== echo) errors.inc({ reason: failureReason(error) });
    },
  };
}

function failureReason(error: DatabaseError): (typeof reasons)[number] {
  return passingReason(error) ?? (error.code.startsWith('23') ? 'constraint' : 'other');
}
