import * as contract from '@portolan/contract/demo-organization';
import { type Route, route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { DemoRow } from '../organizations/index.ts';
import { createDemo, createDemoWithin } from './create-demo.ts';
import type { DemoOrganizationDeps } from './demo-organization.deps.ts';
import { readDemo } from './read-demo.ts';
import { removalJobs } from './removal.jobs.ts';
import { removeDemo } from './remove-demo.ts';

export interface DemoOrganizations {
  /** Makes the demo beside the organization of the caller's unit of work. */
  create(work: Work): Promise<DemoRow>;
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createDemoOrganizations(deps: DemoOrganizationDeps): DemoOrganizations {
  return {
    create: (work) => createDemoWithin(deps, work),
    routes: [
      route(contract.getDemoOrganization, async (_input, { actor }) => {
        const { demo, isOffered } = await readDemo(deps, actor.orgId);
        return { demo: demo ? presentDemo(demo) : null, isOffered };
      }),
      route(contract.createDemoOrganization, async (_input, { actor }) => ({
        demo: presentDemo(await createDemo(deps, actor)),
      })),
      route(contract.removeDemoOrganization, async ({ query }, { actor }) => ({
        demo: presentDemo(await removeDemo(deps, actor, query.confirm)),
      })),
    ],
    jobs: removalJobs(deps),
  };
}

function presentDemo({ id, name, createdAt, isBeingRemoved }: DemoRow) {
  return { id, name, createdAt: createdAt.toISOString(), isBeingRemoved };
}
