export { createActionKeeper } from './action-keeper.ts';
export type { OrganizationSecrets } from './actions.deps.ts';
export { createActions } from './actions.module.ts';
