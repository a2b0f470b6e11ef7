export { createActionKeeper } from './action-keeper.ts';
export type { ActionPolicies, OrganizationSecrets } from './actions.deps.ts';
export { createActions } from './actions.module.ts';
