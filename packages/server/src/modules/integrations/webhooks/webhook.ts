import type { Webhook, WebhookMapping, WebhookSecurity } from '@portolan/contract/webhooks';
import type { SavedAuthority } from '../../accounts/index.ts';

/** How requests are proved to come from whom they should; the secret is kept apart. */
export type SecurityRules = Omit<WebhookSecurity, 'secret'>;

/** What people wrote of a webhook, without identifier and secret; what was never set is absent. */
export interface WebhookDefinition {
  readonly title: string;
  readonly description?: string;
  readonly icon?: string;
  readonly enabled: boolean;
  readonly mappings?: readonly WebhookMapping[];
  readonly security: SecurityRules;
  readonly integrationType?: 'custom' | 'template';
}

/** A webhook as the module works with it. */
export interface StoredWebhook {
  readonly key: number;
  readonly identifier: string;
  readonly ingestKey: string;
  readonly definition: WebhookDefinition;
  readonly sealedSecret: string | null;
  /** What it was saved with, and writes with at most; null if it was saved before that was kept. */
  readonly authority: SavedAuthority | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A webhook and, for administrators, what opens it. */
export interface ShownWebhook {
  readonly webhook: StoredWebhook;
  readonly opened?: { readonly secret: string | undefined; readonly publicUrl: string };
}

export function presentWebhook({ webhook, opened }: ShownWebhook): Webhook {
  const { identifier, ingestKey, definition } = webhook;
  const security =
    opened?.secret === undefined ? definition.security : { ...definition.security, secret: opened.secret };
  return {
    identifier,
    ...(definition as unknown as Pick<Webhook, 'title' | 'enabled' | 'mappings'>),
    security: security as Webhook['security'],
    ...(opened ? { webhookKey: ingestKey, url: `${opened.publicUrl}/ingest/${ingestKey}` } : {}),
    createdAt: webhook.createdAt.toISOString(),
    createdBy: webhook.createdBy,
    updatedAt: webhook.updatedAt.toISOString(),
    updatedBy: webhook.updatedBy,
  };
}

/** Whether a mapping deletes what it names, and what requires it too. */
export function mappingOperation({ operation }: WebhookMapping): {
  readonly type: 'create' | 'delete';
  readonly deleteDependents: boolean;
} {
  const given = typeof operation === 'string' ? { type: operation } : (operation ?? { type: 'create' as const });
  const isKept = 'deleteDependents' in given && given.deleteDependents === false;
  return { type: given.type, deleteDependents: !isKept };
}
