import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { SealedColumn } from '../../identity/index.ts';
import type { WebhookSecrets } from '../integrations.deps.ts';
import type { StoredWebhook } from './webhook.ts';

const purpose = 'webhook-secret';

export const webhookSealedColumns: readonly SealedColumn[] = [
  { table: 'webhooks', column: 'sealed_secret', purpose: () => purpose },
];

export function sealSecret(secrets: WebhookSecrets, orgId: string, secret: string | null | undefined): string | null {
  return secret === null || secret === undefined ? null : secrets.sealer.seal(orgId, purpose, secret);
}

/** The stored secret as written; undefined if there is none. */
export function openSecret(
  secrets: WebhookSecrets,
  orgId: string,
  { sealedSecret }: StoredWebhook,
  opened: SecretScope,
): string | undefined {
  return sealedSecret === null ? undefined : secrets.sealer.open(orgId, purpose, sealedSecret, opened);
}

/** The signing secret: the organization's secret of the written name if it exists, else the written text. */
export async function signingSecret(
  secrets: WebhookSecrets,
  orgId: string,
  webhook: StoredWebhook,
  opened: SecretScope,
): Promise<string | undefined> {
  const written = openSecret(secrets, orgId, webhook, opened);
  if (written === undefined) return undefined;
  const isName = /^[A-Za-z0-9_-]{1,100}$/.test(written);
  return (isName ? await secrets.secretValue(orgId, written, opened) : undefined) ?? written;
}
