export { createActionKeeper } from './action-keeper.ts';
export { createActions } from './actions.module.ts';
export { changeActionPermissionsWithin } from './change-action-permissions.ts';
export { assertRun } from './runs/assert-run.ts';
export { listActionIdentifiers, listWebhookAddresses } from './webhook-addresses.ts';
export { createActionWithin } from './write-actions.ts';
