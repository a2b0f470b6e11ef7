import { Histogram, type Metric } from 'prom-client';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface MilestoneMetrics {
  readonly metrics: readonly Metric[];
  reached(milestone: string, seconds: number): void;
}

/** How long organizations take to their first entity, owners, colleague and the other steps. Nothing leaves the installation. */
export function createMilestoneMetrics(): MilestoneMetrics {
  const seconds = new Histogram({
    name: 'portolan_organization_milestone_seconds',
    help: 'Time from the making of an organization to each of its first steps, as noted every five minutes',
    labelNames: ['milestone'],
    buckets: [5 * minute, 15 * minute, hour, 4 * hour, day, 7 * day, 28 * day],
    registers: [],
  });
  return {
    metrics: [seconds],
    // the clock of the database may be ahead
    reached: (milestone, taken) => seconds.observe({ milestone }, Math.max(0, taken)),
  };
}
