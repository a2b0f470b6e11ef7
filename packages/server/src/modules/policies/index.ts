export { evaluateActionPolicy } from './evaluate-action-policy.ts';
export { permissionRoutes } from './permissions.routes.ts';
export { jqOfPolicy } from './policy-jq.ts';
export { policyUser } from './policy-user.ts';
