import type { EntityWriteBody } from '@portolan/contract/entities';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { WriteOutcome } from '../access/index.ts';
import { issueAccount, type PreparedAccount, prepareAccount } from '../identity/index.ts';

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

/**
 * Gives a service account that this write created its credentials, in the same transaction. What a run asks of our API is
 * answered to everybody who sees the run, so none is created there. @throws AppError `missing_permissions`
 */
export async function openAccount(
  work: Work,
  outcome: WriteOutcome,
  account: PreparedAccount | undefined,
): Promise<AccountCredentials | undefined> {
  if (!account || 'error' in outcome || !outcome.isCreated) return undefined;
  if (work.actor.depth !== undefined) {
    const message = `Runs create no service accounts: the credentials of "${outcome.entity.identifier}" would be answered to everybody who sees the run. Create it in the portal or with a token of your own`;
    throw new AppError('missing_permissions', message);
  }
  await issueAccount(work, outcome.entity.identifier, account);
  return { clientId: account.clientId, clientSecret: account.clientSecret };
}
