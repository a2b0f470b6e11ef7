import type { Reader } from '../../platform/db/database.ts';
import { findIntegration, findWebhook } from '../integrations/index.ts';
import type { TrustedSource } from '../organizations/index.ts';
import { findSource } from './sources/source.store.ts';

/** What brings texts of others under a name, and why it cannot be trusted, if so. */
export async function findTrustable(
  reader: Reader,
  orgId: string,
  kind: TrustedSource['kind'],
  identifier: string,
): Promise<{ readonly key: number; readonly problem?: string } | undefined> {
  if (kind === 'integration') return keyOf(await findIntegration(reader, orgId, identifier));
  if (kind === 'webhook') {
    const webhook = await findWebhook(reader, orgId, identifier);
    if (webhook?.sealedSecret !== null) return keyOf(webhook);
    return { key: webhook.key, problem: 'names a webhook that lets in what nobody signed; give it a secret first' };
  }
  const source = await findSource(reader, orgId, identifier);
  if (source?.type !== 'file') return keyOf(source);
  return { key: source.key, problem: 'names a source of files, which hold what anybody may upload' };
}

function keyOf(found: { readonly key: number } | undefined) {
  return found && { key: found.key };
}
