export { holdActionVersions, listActionRows, listActionsByKey, lockAction, setActionRights } from './action.store.ts';
export { isSelfService, presentAction, type StoredAction } from './action.ts';
export { createActionKeeper } from './action-keeper.ts';
export {
  presentRights as presentActionRights,
  referencesOf as actionReferencesOf,
} from './action-rights.ts';
export { createActions } from './actions.module.ts';
export { changeActionPermissionsWithin } from './change-action-permissions.ts';
export { previewRun } from './dispatch/preview-run.ts';
export { signatureHeaders } from './dispatch/sign-request.ts';
export { evaluateJq } from './jq.ts';
export { getAction } from './read-actions.ts';
export { assertRun } from './runs/assert-run.ts';
export { findRunFacts, type RunFacts } from './runs/run.store.ts';
export { mayApprove, mayExecute } from './runs/run-rights.ts';
export { evidenceOfInvocation, listRunsOfInvocation } from './runs/runs-of-invocation.ts';
export { automationRun, type Occasion, storeAutomationRun } from './runs/start-automation-run.ts';
export type { StartDeps } from './runs/start-run.ts';
export { visibleRuns } from './runs/visible-runs.ts';
export { listActionIdentifiers, listWebhookAddresses } from './webhook-addresses.ts';
export { createActionWithin, rewriteActionWithin } from './write-actions.ts';
