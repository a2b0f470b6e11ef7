import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { createReceiverPlaces } from '../actions/index.ts';
import { checkStart } from './definitions/start-form.ts';
import { workflowRoutes } from './definitions/workflows.routes.ts';
import { createNodes } from './nodes/create-nodes.ts';
import { createNodeKinds } from './nodes/node-kinds.ts';
import { notifyResponders } from './nodes/notify-responders.ts';
import { checkResponse } from './runs/check-response.ts';
import { nodeRunPorts } from './runs/node-run-ports.ts';
import type { RunsDeps } from './runs/runs.deps.ts';
import { runJobs } from './runs/runs.jobs.ts';
import { workflowRunRoutes } from './runs/runs.routes.ts';
import type { WorkflowsDeps } from './workflows.deps.ts';

export interface Workflows {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  /** What runs stand on; tests put others' replicas beside it. */
  readonly runs: RunsDeps;
}

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  const nodesDeps = { ...deps, places: createReceiverPlaces() };
  const runs: RunsDeps = {
    ...deps,
    kinds: createNodeKinds(nodesDeps),
    checkStart: (...asked) => checkStart(deps, ...asked),
    checkResponse: (...asked) => checkResponse(deps, ...asked),
    notify: notifyResponders as unknown as JobDeclaration,
  };
  const nodes = createNodes({ ...nodesDeps, ...nodeRunPorts(runs) });
  return {
    routes: [...workflowRoutes(deps), ...workflowRunRoutes(runs), ...nodes.routes],
    jobs: [...runJobs(runs), ...nodes.jobs],
    runs,
  };
}
