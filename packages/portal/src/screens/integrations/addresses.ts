export function webhookAddress(identifier: string): string {
  return `/builder/sources/webhooks/${encodeURIComponent(identifier)}`;
}

export function integrationAddress(identifier: string): string {
  return `/builder/sources/integrations/${encodeURIComponent(identifier)}`;
}
