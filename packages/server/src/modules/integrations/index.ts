export { guardDeletions } from './guard/guard-deletions.ts';
export { createIntegrations } from './integrations.module.ts';
