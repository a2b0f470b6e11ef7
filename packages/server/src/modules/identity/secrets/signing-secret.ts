import type { Reader, Tx } from '../../../platform/db/database.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { findSigningCredential, setSealedSecret } from '../credential.store.ts';
import type { Sealer } from './sealer.ts';

/** Bound to the credentials: the sealed text does not open under others. */
export function clientSecretPurpose(clientId: string): string {
  return `client secret ${clientId}`;
}

/** Seals the secret of credentials, in the transaction that makes or rotates them. */
export async function keepClientSecret(
  tx: Tx,
  sealer: Sealer,
  { orgId, clientId, secret }: { readonly orgId: string; readonly clientId: string; readonly secret: string },
): Promise<void> {
  const sealed = sealer.seal(orgId, clientSecretPurpose(clientId), secret);
  await setSealedSecret(tx, orgId, clientId, sealed);
}

/**
 * The client secret for signing: that of the oldest Admin credentials in force whose secret was kept. Undefined if all
 * are older than that; rotating one adds it.
 */
export async function signingSecret(
  reader: Reader,
  sealer: Sealer,
  orgId: string,
  opened: SecretScope,
): Promise<string | undefined> {
  const row = await findSigningCredential(reader, orgId);
  return row && sealer.open(orgId, clientSecretPurpose(row.clientId), row.sealed, opened);
}
