export { guardDeletions } from './guard/guard-deletions.ts';
export { isWeighingStale } from './guard/is-weighing-stale.ts';
export { createIntegrations } from './integrations.module.ts';
export { limitByMapping } from './limit-by-mapping.ts';
export { logForSource } from './sync/log-for-source.ts';
