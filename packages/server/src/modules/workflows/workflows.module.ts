import type { Actor } from '../../platform/actor.ts';
import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { ToolSource } from '../../platform/tools/tool-source.ts';
import { createReceiverPlaces } from '../actions/index.ts';
import { checkRerun } from './definitions/rerun-rights.ts';
import { checkResponse } from './definitions/response-form.ts';
import { checkStart } from './definitions/start-form.ts';
import { workflowRoutes } from './definitions/workflows.routes.ts';
import { draftJobs } from './drafts/draft-jobs.ts';
import { draftRoutes } from './drafts/drafts.routes.ts';
import { authorsOfRun, listAskedOfInvocation, listStandingForms } from './drafts/runs-of-invocation.ts';
import { createNodes } from './nodes/create-nodes.ts';
import { createNodeKinds } from './nodes/node-kinds.ts';
import { notifyResponders } from './nodes/notify-responders.ts';
import { noticeJobs } from './notices/notice-jobs.ts';
import { noticeRoutes } from './notices/notices.routes.ts';
import { type PastAnswer, proposeFromAnswer } from './proposals/from-answer/propose-from-answer.ts';
import { proposalJobs } from './proposals/proposal-jobs.ts';
import { proposalRoutes } from './proposals/proposals.routes.ts';
import { explainRoute } from './runs/explain.routes.ts';
import { nodeRunPorts } from './runs/node-run-ports.ts';
import type { CallDeps } from './runs/receive-call.ts';
import type { RunsDeps } from './runs/runs.deps.ts';
import { runJobs } from './runs/runs.jobs.ts';
import { workflowRunRoutes } from './runs/runs.routes.ts';
import { streamRoute } from './runs/stream-run-events.ts';
import { triggerCallRoutes } from './runs/trigger-calls.routes.ts';
import { testRoute } from './testing/test.routes.ts';
import { formToolSource } from './tools/form-tools.ts';
import { proposeTool } from './tools/propose-tool.ts';
import { workflowTools } from './tools/workflow-tools.ts';
import type { WorkflowsDeps } from './workflows.deps.ts';

export interface Workflows {
  readonly tools: ToolDeclaration[];
  /** A tool for each form by which a caller may start a workflow. */
  readonly toolSource: ToolSource;
  /** What invocations of the assistant led to, and what led to them. */
  readonly effects: {
    listRuns(actor: Actor, invocation: string): ReturnType<typeof listAskedOfInvocation>;
    carriedBy(orgId: string, run: string): Promise<readonly string[]>;
    standingForms(actor: Actor): ReturnType<typeof listStandingForms>;
    proposeFromAnswer(actor: Actor, answer: PastAnswer): Promise<{ readonly id: string }>;
  };
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  const forNodes = { ...deps, places: createReceiverPlaces() };
  const mayBegin: RunsDeps['checkStart'] = (...asked) => checkStart(deps, ...asked);
  const forRuns: CallDeps = {
    ...deps,
    kinds: createNodeKinds({ ...forNodes, checkStart: mayBegin }),
    checkStart: mayBegin,
    checkRerun: (...asked) => checkRerun(deps, ...asked),
    checkResponse: (...asked) => checkResponse(deps, ...asked),
    notify: notifyResponders as unknown as JobDeclaration,
  };
  const nodes = createNodes({ ...forNodes, ...nodeRunPorts(forRuns) });
  const forTests = { ...deps, ...forNodes, checkStart: mayBegin };
  return {
    tools: [...workflowTools(deps, forRuns), proposeTool(forTests)],
    toolSource: formToolSource(deps),
    effects: {
      listRuns: (actor, invocation) => listAskedOfInvocation(deps, actor, invocation),
      carriedBy: (orgId, run) => authorsOfRun(deps, orgId, run),
      standingForms: (actor) => listStandingForms(deps, actor),
      proposeFromAnswer: (actor, answer) => proposeFromAnswer(forTests, actor, answer),
    },
    routes: [
      ...workflowRoutes(deps),
      ...draftRoutes(deps),
      ...proposalRoutes(deps),
      ...noticeRoutes(deps),
      testRoute(forTests),
      explainRoute(deps),
      ...workflowRunRoutes(forRuns),
      ...triggerCallRoutes(forRuns),
      streamRoute(deps),
      ...nodes.routes,
    ],
    jobs: [...runJobs(forRuns), ...draftJobs(deps), ...proposalJobs(deps), ...noticeJobs(deps), ...nodes.jobs],
  };
}
