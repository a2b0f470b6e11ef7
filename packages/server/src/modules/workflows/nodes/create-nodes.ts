import type { Route } from '../../../platform/http/route.ts';
import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import type { NodeRunDeps } from './claim-node-runs.ts';
import { followInvocationJob } from './follow-invocation.ts';
import { nodeRunRoutes } from './node-runs.routes.ts';
import { notifyRespondersJob } from './notify-responders.ts';
import { takeWaitsJob } from './take-waits.ts';
import { tellSaverJob } from './tell-saver.ts';
import { withdrawActionJob } from './withdraw-action.ts';

/** What nodes need of the application beside the engine that carries them out. */
export function createNodes(deps: NodeRunDeps): { readonly routes: Route[]; readonly jobs: JobDeclaration[] } {
  return {
    routes: nodeRunRoutes(deps),
    jobs: [
      notifyRespondersJob(deps),
      followInvocationJob(deps),
      takeWaitsJob(deps),
      tellSaverJob(deps),
      withdrawActionJob(deps),
    ],
  };
}
