export { guardDeletions } from './guard/guard-deletions.ts';
export { listIntegrationRows } from './integration.store.ts';
export { createIntegrations } from './integrations.module.ts';
export { listWebhookRows } from './webhooks/webhook.store.ts';
