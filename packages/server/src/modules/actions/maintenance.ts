// Bypasses the callers' rights: only for the migrations and the demo.
export { listActionRows, lockAction, setActionRights } from './action.store.ts';
export { isSelfService, presentAction } from './action.ts';
export { actionTeamReferences as actionReferencesOf, presentRights as presentActionRights } from './action-rights.ts';
export { changeActionPermissionsWithin } from './change-action-permissions.ts';
export { mayApprove, mayExecute } from './runs/run-rights.ts';
export { createActionWithin, rewriteActionWithin } from './write-actions.ts';
