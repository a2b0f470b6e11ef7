import type { Actor } from '../../platform/actor.ts';
import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { ToolSource } from '../../platform/tools/tool-source.ts';
import { actionScopes } from './action-scopes.ts';
import type { ActionsDeps } from './actions.deps.ts';
import { actionRoutes } from './actions.routes.ts';
import { actionTools } from './actions.tools.ts';
import { dispatchJobs } from './dispatch/dispatch-run.ts';
import { blueprintActionRoutes } from './first-form/blueprint-actions.routes.ts';
import { listStandingActions } from './list-standing-actions.ts';
import { deleteOldRuns } from './runs/delete-old-runs.ts';
import { expireDraftsJob } from './runs/expire-drafts.ts';
import { notifyApproversJob } from './runs/notify-approvers.ts';
import { findRunEntity, findRunLabel } from './runs/run.store.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { runTools } from './runs/runs.tools.ts';
import { evidenceOfInvocation, listRunsOfInvocation } from './runs/runs-of-invocation.ts';
import type { StartDeps } from './runs/start-run.ts';
import { voidDraftsJob } from './runs/void-drafts.ts';
import { wakeApprovedJob } from './runs/wake-approved.ts';
import { actionToolSource } from './tools/action-tools.ts';

export interface Actions {
  readonly deps: StartDeps;
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  readonly jobs: JobDeclaration[];
  /** A tool for each action that a caller may run. */
  readonly toolSource: ToolSource;
  /** What invocations of the assistant led to, and what led to them. */
  readonly effects: {
    listRuns(actor: Actor, invocation: string): ReturnType<typeof listRunsOfInvocation>;
    evidenceOf(actor: Actor, invocation: string): ReturnType<typeof evidenceOfInvocation>;
    /** Authors of the texts that led to a run. */
    carriedBy(orgId: string, run: string): Promise<readonly string[]>;
    entityOf(orgId: string, run: string): ReturnType<typeof findRunEntity>;
    standingActions(actor: Actor): ReturnType<typeof listStandingActions>;
  };
  /** The actions that the caller may run, as scopes. */
  scopesOf(actor: Actor): Promise<string[]>;
}

export function createActions(options: ActionsDeps): Actions {
  const { dispatch, others } = dispatchJobs(options);
  const deps: StartDeps = { ...options, dispatch };
  return {
    deps,
    toolSource: actionToolSource(deps),
    effects: {
      listRuns: (actor, invocation) => listRunsOfInvocation(deps, actor, invocation),
      evidenceOf: (actor, invocation) => evidenceOfInvocation(deps, actor, invocation),
      carriedBy: (orgId, run) => findRunLabel(deps.database, orgId, run),
      entityOf: (orgId, run) => findRunEntity(deps.database, orgId, run),
      standingActions: (actor) => listStandingActions(deps.database, actor),
    },
    scopesOf: (actor) => actionScopes(deps.database, actor),
    routes: [...runRoutes(deps), ...actionRoutes(deps), ...blueprintActionRoutes(deps)],
    tools: [...actionTools(deps), ...runTools(deps)],
    jobs: [
      dispatch as unknown as JobDeclaration,
      ...others,
      expireDraftsJob(deps),
      voidDraftsJob(deps),
      wakeApprovedJob(deps),
      notifyApproversJob(deps),
      deleteOldRuns(deps),
    ],
  };
}
