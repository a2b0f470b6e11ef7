import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import { exportRoutes } from './backstage/export-backstage.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { findTrustable } from './find-trustable.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { cleanUpJob } from './ingest/clean-up.ts';
import { createAnswerStore } from './kept-answers.ts';
import { nativeSourceTypes } from './native-source-types.ts';
import type { SourceType } from './source-type.ts';
import { sourceRoutes } from './sources/sources.routes.ts';
import type { SourcesDeps } from './sources.deps.ts';
import { sourceTools } from './sources.tools.ts';
import { runSyncJob } from './syncs/run-sync.ts';
import { scheduleSyncsJob } from './syncs/schedule-syncs.ts';
import { processEventJob } from './syncs/source-events.ts';

export interface Sources {
  readonly deps: SourcesDeps;
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  readonly findTrustable: typeof findTrustable;
  tools(catalogue: Catalogue): ToolDeclaration[];
}

/** `more` are kinds of sources beside those that come with the product. */
export function createSources(
  ports: Omit<SourcesDeps, 'types' | 'answersOf'>,
  more: readonly SourceType[] = [],
): Sources {
  const types = new Map([...nativeSourceTypes, ...more].map((each) => [each.type, each]));
  const deps: SourcesDeps = { ...ports, types, answersOf: createAnswerStore() };
  const sync = runSyncJob(deps);
  const event = processEventJob(deps);
  const starting = { ...deps, sync, event };
  return {
    deps,
    findTrustable,
    routes: [...sourceRoutes(starting), ...importRoutes(deps), ...exportRoutes(deps)],
    jobs: [
      sync as unknown as JobDeclaration,
      event as unknown as JobDeclaration,
      scheduleSyncsJob(starting),
      cleanUpJob(deps),
    ],
    tools: (catalogue) => sourceTools(starting, catalogue),
  };
}
