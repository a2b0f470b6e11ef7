import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { integrationRoutes } from './integrations.routes.ts';
import { integrationTools } from './integrations.tools.ts';
import { notBuiltRoutes } from './not-built.routes.ts';
import { reportRoutes } from './reports.routes.ts';
import { type NotifyJob, notifyIntegrationJob } from './sync/request-resync.ts';
import { processDeliveriesJob, recoverDeliveriesJob } from './webhooks/process-deliveries.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

export interface Integrations {
  readonly deps: IntegrationsDeps & { readonly tell: NotifyJob };
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  readonly jobs: JobDeclaration[];
}

export function createIntegrations(deps: IntegrationsDeps): Integrations {
  const process = processDeliveriesJob(deps);
  const tell = notifyIntegrationJob(deps.outgoing);
  return {
    deps: { ...deps, tell },
    routes: [
      ...integrationRoutes({ ...deps, tell }),
      ...reportRoutes(deps),
      ...webhookRoutes({ ...deps, process }),
      ...notBuiltRoutes(),
    ],
    tools: integrationTools(deps),
    jobs: [
      process as unknown as JobDeclaration,
      recoverDeliveriesJob(deps, process),
      tell as unknown as JobDeclaration,
    ],
  };
}
