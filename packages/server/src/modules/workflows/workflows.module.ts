import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { createReceiverPlaces } from '../actions/index.ts';
import { checkRerun } from './definitions/rerun-rights.ts';
import { checkResponse } from './definitions/response-form.ts';
import { checkStart } from './definitions/start-form.ts';
import { workflowRoutes } from './definitions/workflows.routes.ts';
import { createNodes } from './nodes/create-nodes.ts';
import { createNodeKinds } from './nodes/node-kinds.ts';
import { notifyResponders } from './nodes/notify-responders.ts';
import { nodeRunPorts } from './runs/node-run-ports.ts';
import type { CallDeps } from './runs/receive-call.ts';
import { runJobs } from './runs/runs.jobs.ts';
import { workflowRunRoutes } from './runs/runs.routes.ts';
import { streamRoute } from './runs/stream-run-events.ts';
import { triggerCallRoutes } from './runs/trigger-calls.routes.ts';
import type { WorkflowsDeps } from './workflows.deps.ts';

export interface Workflows {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  const forNodes = { ...deps, places: createReceiverPlaces() };
  const mayBegin: CallDeps['checkStart'] = (...asked) => checkStart(deps, ...asked);
  const forRuns: CallDeps = {
    ...deps,
    kinds: createNodeKinds({ ...forNodes, checkStart: mayBegin }),
    checkStart: mayBegin,
    checkRerun: (...asked) => checkRerun(deps, ...asked),
    checkResponse: (...asked) => checkResponse(deps, ...asked),
    notify: notifyResponders as unknown as JobDeclaration,
  };
  const nodes = createNodes({ ...forNodes, ...nodeRunPorts(forRuns) });
  return {
    routes: [
      ...workflowRoutes(deps),
      ...workflowRunRoutes(forRuns),
      streamRoute(deps),
      ...triggerCallRoutes(forRuns),
      ...nodes.routes,
    ],
    jobs: [...runJobs(forRuns), ...nodes.jobs],
  };
}
