import type { Webhook, WebhookMapping, WebhookSecurity } from '@portolan/contract/webhooks';
import type { SavedAuthority } from '../../accounts/index.ts';

/** How the sender of a request is verified; the secret is stored separately. */
export type SecurityRules = Omit<WebhookSecurity, 'secret'>;

/** The definition as written, without identifier and secret; a property that was never set is absent. */
export interface WebhookDefinition {
  readonly title: string;
  readonly description?: string;
  readonly icon?: string;
  readonly enabled: boolean;
  readonly mappings?: readonly WebhookMapping[];
  readonly security: SecurityRules;
  readonly integrationType?: 'custom' | 'template';
}

export interface StoredWebhook {
  readonly key: number;
  readonly identifier: string;
  readonly ingestKey: string;
  readonly definition: WebhookDefinition;
  readonly sealedSecret: string | null;
  /** Rights saved with the webhook, which limit its writes; null if it was saved before rights were stored. */
  readonly authority: SavedAuthority | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A webhook and, for administrators, its secret and address. */
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

export function mappingOperation({ operation }: WebhookMapping): {
  readonly type: 'create' | 'delete';
  readonly deleteDependents: boolean;
} {
  const given = typeof operation === 'string' ? { type: operation } : (operation ?? { type: 'create' as const });
  const isKept = 'deleteDependents' in given && given.deleteDependents === false;
  return { type: given.type, deleteDependents: !isKept };
}
