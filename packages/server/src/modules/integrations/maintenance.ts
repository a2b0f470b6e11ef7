// Bypasses the callers' rights: only for the migrations and the demo.
export { listIntegrationRows } from './integration.store.ts';
export type { WebhookSecrets } from './integrations.deps.ts';
export type { NotifyJob } from './sync/request-resync.ts';
export { listWebhookRows } from './webhooks/webhook.store.ts';
export { editWebhookWithin } from './webhooks/write-webhooks.ts';
export { patchIntegrationWithin } from './write-integrations.ts';
