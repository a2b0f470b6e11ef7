import type { EntityWriteBody } from '@portolan/contract';
import type { Work } from '../../platform/unit-of-work.ts';
import { issueAccount, type PreparedAccount, prepareAccount } from '../identity/index.ts';
import type { Outcome } from './entity-write.ts';

/** What a new service account signs in with; the secret is answered once. */
export interface AccountCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Credentials for the service account that a write may bring into being; made before its transaction opens. */
export async function accountFor(
  blueprint: string,
  { properties }: Pick<EntityWriteBody, 'properties'>,
  { validation_only }: { readonly validation_only: boolean },
): Promise<PreparedAccount | undefined> {
  const isAccount = blueprint === '_user' && properties?.['port_type'] === 'Service Account';
  return isAccount && !validation_only ? prepareAccount() : undefined;
}

/** Gives a service account that this write created its credentials, in the same transaction. */
export async function openAccount(
  work: Work,
  outcome: Outcome,
  account: PreparedAccount | undefined,
): Promise<AccountCredentials | undefined> {
  if (!account || 'error' in outcome || !outcome.isCreated) return undefined;
  await issueAccount(work, outcome.entity.identifier, account);
  return { clientId: account.clientId, clientSecret: account.clientSecret };
}
