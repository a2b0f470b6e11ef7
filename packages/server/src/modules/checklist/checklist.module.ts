import type { ChecklistItemId } from '@portolan/contract/checklist';
import * as contract from '@portolan/contract/checklist';
import type { Metric } from 'prom-client';
import { type Route, route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ChecklistDeps } from './checklist.deps.ts';
import { listMilestones } from './checklist.store.ts';
import { dismissChecklist } from './dismiss-checklist.ts';
import { createMilestoneMetrics } from './milestone-metrics.ts';
import { milestoneJob } from './note-milestones.ts';
import { readChecklist } from './read-checklist.ts';

export interface Checklist {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  readonly metrics: readonly Metric[];
  /** When an organization reached each step first, for the operator. */
  milestonesOf(orgId: string): Promise<Partial<Record<ChecklistItemId, string>>>;
}

export function createChecklist(deps: ChecklistDeps): Checklist {
  const { database } = deps;
  const metrics = createMilestoneMetrics();
  return {
    routes: [
      route(contract.getChecklist, (_input, { actor }) => readChecklist(deps, actor.orgId)),
      route(contract.patchChecklist, async ({ body }, { actor }) => {
        await dismissChecklist(deps, actor, body);
        return readChecklist(deps, actor.orgId);
      }),
    ],
    jobs: [milestoneJob(deps, metrics)],
    metrics: metrics.metrics,
    milestonesOf: async (orgId) => {
      const reached = await listMilestones(database, orgId);
      return Object.fromEntries(reached.map(({ milestone, at }) => [milestone, at.toISOString()]));
    },
  };
}
