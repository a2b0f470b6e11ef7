import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import { entityBuilderTools } from './builder.tools.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { catalogRoutes } from './catalog.routes.ts';
import { catalogTools } from './catalog.tools.ts';
import { dataMigrationRoutes } from './data-migrations/data-migrations.routes.ts';
import { deleteOldImages } from './data-migrations/delete-old-images.ts';
import { runDataMigrationJob } from './data-migrations/run-data-migration.ts';
import { derivedJobs } from './derived/derived.jobs.ts';
import { derivedRoutes } from './derived/derived.routes.ts';
import { createPrompts, type Prompts } from './guidance/prompts.ts';
import { skillTools } from './guidance/skills.tools.ts';
import { permissionRoutes } from './policies/permissions.routes.ts';
import { checkScorecardData } from './scorecards/data/check-scorecard-data.ts';
import { furnishScorecardData } from './scorecards/data/furnish-scorecard-data.ts';
import { ruleResultJobs } from './scorecards/data/refresh-results.ts';
import { scorecardJobs } from './scorecards/reevaluate.ts';
import { scorecardRoutes } from './scorecards/scorecards.routes.ts';
import { scorecardTools } from './scorecards/scorecards.tools.ts';
import { saveUses, searchIndexJobs } from './search/indexes/search-index.jobs.ts';
import { createUseCounter, type UseCounter } from './search/indexes/use-counter.ts';
import { searchRoutes } from './search.routes.ts';
import { timerJobs } from './timers/expire-timers.ts';
import { forgetUnknownProperties } from './unknown-properties/forget-unknown-properties.ts';

export interface Catalog {
  readonly deps: CatalogDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  /** What MCP clients offer their people to ask. */
  readonly prompts: Prompts;
  readonly jobs: JobDeclaration[];
  /** Which values are searched by; closed with the application. */
  readonly uses: Pick<UseCounter, 'flush' | 'close'>;
}

export function createCatalog(
  ports: CatalogDeps & {
    readonly log: { warn(context: object, message: string): void };
    /** Days in which a data migration can be undone. */
    readonly undoDays: number;
  },
): Catalog {
  const uses = createUseCounter({ save: saveUses(ports), log: ports.log });
  const deps: CatalogDeps = { ...ports, noteUse: uses.note };
  const runMigration = runDataMigrationJob(deps);
  return {
    deps,
    routes: [
      ...catalogRoutes(deps),
      ...searchRoutes(deps),
      ...derivedRoutes({ ...deps, checkScorecards: checkScorecardData }),
      ...permissionRoutes(deps),
      ...scorecardRoutes(deps),
      ...dataMigrationRoutes(deps, runMigration, ports.undoDays),
    ],
    tools: [...catalogTools(deps), ...entityBuilderTools(deps), ...scorecardTools(deps), ...skillTools(deps)],
    prompts: createPrompts(deps),
    jobs: [
      ...derivedJobs(deps),
      ...scorecardJobs(deps),
      ...ruleResultJobs(deps),
      furnishScorecardData(deps),
      ...timerJobs(deps),
      ...searchIndexJobs(deps),
      runMigration as unknown as JobDeclaration,
      deleteOldImages(deps, ports.undoDays),
      forgetUnknownProperties(deps),
    ],
    uses,
  };
}
