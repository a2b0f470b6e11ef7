import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { automationRoutes } from './automations.routes.ts';
import { automationTools } from './automations.tools.ts';
import { changelogRoutes } from './changelog/changelog.routes.ts';
import { changelogJobs } from './changelog/changelog-jobs.ts';
import { createChangelogSender } from './changelog/changelog-sender.ts';
import { takeEventsJob } from './take-events.ts';

export interface Automations {
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  readonly jobs: JobDeclaration[];
  /** Aborts sends in progress; unacknowledged events are sent again later. */
  close(): Promise<void>;
}

export function createAutomations(deps: AutomationsDeps): Automations {
  const sender = createChangelogSender(deps);
  return {
    routes: [...automationRoutes(deps), ...changelogRoutes(deps)],
    tools: automationTools(deps),
    jobs: [takeEventsJob(deps), ...changelogJobs(deps.database, sender)],
    close: sender.close,
  };
}
