import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { catalogRoutes } from './catalog.routes.ts';
import { catalogTools } from './catalog.tools.ts';
import { scorecardJobs } from './scorecards/reevaluate.ts';
import { scorecardRoutes } from './scorecards/scorecards.routes.ts';

export interface Catalog {
  readonly deps: CatalogDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  readonly jobs: JobDeclaration[];
}

export function createCatalog(deps: CatalogDeps): Catalog {
  return {
    deps,
    routes: [...catalogRoutes(deps), ...scorecardRoutes(deps)],
    tools: catalogTools(deps),
    jobs: scorecardJobs(deps),
  };
}
