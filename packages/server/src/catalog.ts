import { createPrompts, type Prompts, skillTools } from './modules/assistant/index.ts';
import {
  campaignRoutes,
  campaignTools,
  endExemptionsJob,
  exemptionTools,
  mailReminderJob,
  noteProgressJob,
  remindOwnersJob,
} from './modules/campaigns/index.ts';
import { dataMigrationRoutes, deleteOldImages, runDataMigrationJob } from './modules/data-migrations/index.ts';
import { derivedJobs, derivedRoutes } from './modules/derived/index.ts';
import {
  type CatalogDeps,
  catalogRoutes,
  deleteUnknownPropertiesJob,
  entityBuilderTools,
  timerJobs,
} from './modules/entities/index.ts';
import { permissionRoutes } from './modules/policies/index.ts';
import { scorecardJobs } from './modules/scorecard-changes/index.ts';
import {
  backfillScorecardEntities,
  checkScorecardData,
  ruleResultJobs,
  scorecardRoutes,
  scorecardTools,
} from './modules/scorecards/index.ts';
import {
  catalogTools,
  createUseCounter,
  saveUses,
  searchIndexJobs,
  searchRoutes,
  type TimelineDeps,
  type UseCounter,
} from './modules/search/index.ts';
import type { Route } from './platform/http/route.ts';
import type { JobDeclaration } from './platform/jobs/job.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { ToolDeclaration } from './platform/tools/tool.ts';

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
    readonly runsOnEntity: TimelineDeps['runsOnEntity'];
    readonly log: { warn(context: object, message: string): void };
    /** Days in which a data migration can be undone. */
    readonly undoDays: number;
    readonly mailer?: Mailer | undefined;
    /** The address people use. */
    readonly publicUrl: () => string;
  },
): Catalog {
  const uses = createUseCounter({ save: saveUses(ports), log: ports.log });
  const deps: CatalogDeps = { ...ports, noteUse: uses.note };
  const runMigration = runDataMigrationJob(deps);
  return {
    deps,
    routes: [
      ...catalogRoutes(deps),
      ...searchRoutes({ ...deps, runsOnEntity: ports.runsOnEntity }),
      ...derivedRoutes({ ...deps, checkScorecards: checkScorecardData }),
      ...permissionRoutes(deps),
      ...scorecardRoutes(deps),
      ...campaignRoutes(deps),
      ...dataMigrationRoutes(deps, runMigration, ports.undoDays),
    ],
    tools: [
      ...catalogTools(deps),
      ...entityBuilderTools(deps),
      ...scorecardTools(deps),
      ...campaignTools(deps),
      ...exemptionTools(deps),
      ...skillTools(deps),
    ],
    prompts: createPrompts(deps),
    jobs: [
      ...derivedJobs(deps),
      ...scorecardJobs(deps),
      ...ruleResultJobs(deps),
      noteProgressJob(deps),
      endExemptionsJob(deps),
      remindOwnersJob({ ...deps, mailer: ports.mailer }),
      mailReminderJob({ ...deps, mailer: ports.mailer, publicUrl: ports.publicUrl }),
      backfillScorecardEntities(deps),
      ...timerJobs(deps),
      ...searchIndexJobs(deps),
      runMigration as unknown as JobDeclaration,
      deleteOldImages(deps, ports.undoDays),
      deleteUnknownPropertiesJob(deps),
    ],
    uses,
  };
}
