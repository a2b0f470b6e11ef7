import type { Metric } from 'prom-client';
import { createBacklogMetrics } from './backlog-metrics.ts';
import { type BacklogDeps, createBacklogReader } from './look-at-backlog.ts';

export interface Backlogs {
  readonly metrics: readonly Metric[];
}

export function createBacklogs(deps: BacklogDeps): Backlogs {
  return { metrics: createBacklogMetrics(createBacklogReader(deps)) };
}
