import { linkOptions } from '@tanstack/react-router';
export function webhookAddress(identifier: string) {
  return linkOptions({ to: '/builder/sources/webhooks/$webhook', params: { webhook: identifier } });
}

export function integrationAddress(identifier: string) {
  return linkOptions({ to: '/builder/sources/integrations/$integration', params: { integration: identifier } });
}
