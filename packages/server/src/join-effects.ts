import type { createActions } from './modules/actions/index.ts';
import type { InvocationEffects } from './modules/assistant/index.ts';
import type { createWorkflows } from './modules/workflows/index.ts';

type Actions = ReturnType<typeof createActions>['effects'];
type Workflows = ReturnType<typeof createWorkflows>['effects'];

const isOfWorkflow = (run: string): boolean => run.startsWith('wfr_');

/** What invocations of the assistant led to: runs of actions and of workflows. */
export function joinEffects(
  actions: Actions,
  workflows: Workflows,
  recordsOf: InvocationEffects['recordsOf'],
): InvocationEffects {
  return {
    ...actions,
    recordsOf,
    proposeFromAnswer: workflows.proposeFromAnswer,
    listRuns: async (actor, invocation) => [
      ...(await actions.listRuns(actor, invocation)),
      ...(await workflows.listRuns(actor, invocation)),
    ],
    carriedBy: (orgId, run) => (isOfWorkflow(run) ? workflows : actions).carriedBy(orgId, run),
    standingActions: async (actor) => [
      ...(await actions.standingActions(actor)),
      ...(await workflows.standingForms(actor)),
    ],
  };
}
