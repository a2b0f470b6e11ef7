import type { Metric } from 'prom-client';
import { createBacklogMetrics } from './backlog-metrics.ts';
import { type Backlog, type BacklogDeps, createBacklogReader } from './look-at-backlog.ts';

export interface Backlogs {
  readonly metrics: readonly Metric[];
  /** What waits, at most five seconds old; undefined while the database does not answer in time. */
  look(): Promise<Backlog | undefined>;
}

export function createBacklogs(deps: BacklogDeps): Backlogs {
  const look = createBacklogReader(deps);
  return { metrics: createBacklogMetrics(look), look };
}
