import type { Route } from '../../platform/http/route.ts';
import { workflowRoutes } from './definitions/workflows.routes.ts';
import type { WorkflowsDeps } from './workflows.deps.ts';

export interface Workflows {
  readonly routes: Route[];
}

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  return { routes: workflowRoutes(deps) };
}
