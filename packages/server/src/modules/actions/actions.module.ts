import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ActionsDeps } from './actions.deps.ts';
import { actionRoutes } from './actions.routes.ts';
import { dispatchJobs } from './dispatch/dispatch-run.ts';
import { expireDraftsJob } from './runs/expire-drafts.ts';
import { runRoutes } from './runs/runs.routes.ts';
import type { StartDeps } from './runs/start-run.ts';

export interface Actions {
  readonly deps: StartDeps;
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createActions(options: ActionsDeps): Actions {
  const { dispatch, others } = dispatchJobs(options);
  const deps: StartDeps = { ...options, dispatch };
  return {
    deps,
    routes: [...runRoutes(deps), ...actionRoutes(deps)],
    jobs: [dispatch as unknown as JobDeclaration, ...others, expireDraftsJob(deps)],
  };
}
