import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { actorAuthority, coversAuthority, fullAuthority } from '../../../platform/authority.ts';
import type { Database, Reader } from '../../../platform/db/database.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { assertMayRead } from '../integration-rights.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { openSecret } from './secret-of.ts';
import { findWebhook, listWebhookRows } from './webhook.store.ts';
import type { ShownWebhook, StoredWebhook } from './webhook.ts';
import { webhookMissing } from './write-webhooks.ts';

type Deps = Pick<IntegrationsDeps, 'database' | 'secrets' | 'publicUrl'>;

/** @throws AppError `missing_permissions` */
export async function listWebhooks(deps: Deps, actor: Actor): Promise<ShownWebhook[]> {
  assertMayRead(actor);
  return (await listWebhookRows(deps.database, actor.orgId)).map((webhook) => shownTo(deps, actor, webhook));
}

/** All webhooks without a check of rights: callers may show only the names. */
export function listWebhookNames(database: Database, actor: Actor): Promise<StoredWebhook[]> {
  return listWebhookRows(database, actor.orgId);
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function getWebhook(deps: Deps, actor: Actor, identifier: string): Promise<ShownWebhook> {
  assertMayRead(actor);
  return shownTo(deps, actor, await requireWebhook(deps.database, actor, identifier));
}

/** @throws AppError `not_found` */
export async function requireWebhook(reader: Reader, actor: Actor, identifier: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(reader, actor.orgId, identifier);
  if (!webhook) throw webhookMissing(identifier);
  return webhook;
}

/**
 * The address and the secret give the rights of the webhook. Only administrators see them; with a restricted token,
 * only those of webhooks that may do no more than the token.
 */
export function shownTo({ secrets, publicUrl }: Deps, actor: Actor, webhook: StoredWebhook): ShownWebhook {
  const mayUse = coversAuthority(actorAuthority(actor), webhook.authority ?? fullAuthority);
  if (!isAdmin(actor) || !mayUse) return { webhook };
  // this caller needs the plain secret; the contract marks the field, so it is masked everywhere else
  const secret = openSecret(secrets, actor.orgId, webhook, createSecretScope());
  return { webhook, opened: { secret, publicUrl: publicUrl() } };
}
