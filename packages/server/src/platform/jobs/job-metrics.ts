import { Counter, Histogram, type Metric } from 'prom-client';
import type { FinishedJob } from './job.store.ts';

export interface JobMetrics {
  readonly metrics: readonly Metric[];
  /** A job was taken so long after it could have been. */
  taken(waitedMs: number): void;
  ended(name: string, kind: FinishedJob['kind'], tookMs: number): void;
}

const seconds = [0.1, 0.5, 1, 5, 30, 120, 600];

/** What this process does of the jobs; what waits for any process is counted by the module backlogs. */
export function createJobMetrics(): JobMetrics {
  const registers: [] = [];
  const wait = new Histogram({
    name: 'portolan_job_start_lag_seconds',
    help: 'Time from the moment when a job could run until it was taken, as this process took it',
    buckets: seconds,
    registers,
  });
  const duration = new Histogram({
    name: 'portolan_job_duration_seconds',
    help: 'Time that a run of a job took',
    labelNames: ['outcome'],
    buckets: seconds,
    registers,
  });
  const runs = new Counter({
    name: 'portolan_job_runs_total',
    help: 'Runs of jobs by kind and outcome: completed, retried, returned or dead',
    labelNames: ['name', 'outcome'],
    registers,
  });
  return {
    metrics: [wait, duration, runs] as unknown as Metric[],
    // the clocks of two processes differ
    taken: (waitedMs) => wait.observe(Math.max(0, waitedMs) / 1000),
    ended: (name, outcome, tookMs) => {
      duration.observe({ outcome }, tookMs / 1000);
      runs.inc({ name, outcome });
    },
  };
}
