import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { automationRoutes } from './automations.routes.ts';
import { takeEventsJob } from './take-events.ts';

export interface Automations {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createAutomations(deps: AutomationsDeps): Automations {
  return { routes: automationRoutes(deps), jobs: [takeEventsJob(deps)] };
}
