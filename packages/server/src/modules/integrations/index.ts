export { guardDeletions } from './guard/guard-deletions.ts';
export { isWeighingStale } from './guard/is-weighing-stale.ts';
export { listIntegrationRows } from './integration.store.ts';
export type { WebhookSecrets } from './integrations.deps.ts';
export { createIntegrations } from './integrations.module.ts';
export type { TellJob } from './sync/ask-for-resync.ts';
export { listWebhookRows } from './webhooks/webhook.store.ts';
export { editWebhookWithin } from './webhooks/write-webhooks.ts';
export { patchIntegrationWithin } from './write-integrations.ts';
