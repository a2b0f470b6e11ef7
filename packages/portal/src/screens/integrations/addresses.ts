import { linkOptions } from '@tanstack/react-router';
export function webhookAddress(identifier: string) {
  return linkOptions({ to: '/builder/sources/webhooks/$webhook', params: { webhook: identifier } });
}

export function sourceTypeAddress(type: string) {
  return linkOptions({ to: '/builder/sources/add/$type', params: { type } });
}

/** Where an install is followed: its commands, and how far it is. */
export function installAddress(type: string, install: string) {
  return linkOptions({ to: '/builder/sources/add/$type', params: { type }, search: { install } });
}

export function integrationAddress(identifier: string) {
  return linkOptions({ to: '/builder/sources/integrations/$integration', params: { integration: identifier } });
}

/** A source that Portolan reads itself. */
export function ownSourceAddress(identifier: string) {
  return linkOptions({ to: '/builder/sources/own/$source', params: { source: identifier } });
}
