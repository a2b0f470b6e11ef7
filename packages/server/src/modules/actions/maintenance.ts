// Past the rights of callers: for the migrations and the demo alone.
export { listActionRows, lockAction, setActionRights } from './action.store.ts';
export { isSelfService, presentAction } from './action.ts';
export { presentRights as presentActionRights, referencesOf as actionReferencesOf } from './action-rights.ts';
export { changeActionPermissionsWithin } from './change-action-permissions.ts';
export { mayApprove, mayExecute } from './runs/run-rights.ts';
export { createActionWithin, rewriteActionWithin } from './write-actions.ts';
