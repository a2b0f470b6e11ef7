import { randomBytes } from 'node:crypto';
import { newId } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { insertCredential, revokeCredentialsOf } from './credential.store.ts';
import { lockPerson } from './people.store.ts';
import { hashSecret } from './secret-hash.ts';

/** Credentials that nobody has yet. */
export interface PreparedAccount {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secretHash: string;
}

/** Makes credentials; hashing takes its time, so it is done before a transaction opens. */
export async function prepareAccount(): Promise<PreparedAccount> {
  const clientSecret = randomBytes(32).toString('base64url');
  return { clientId: newId('client_'), clientSecret, secretHash: await hashSecret(clientSecret) };
}

/**
 * Gives a service account its credentials, within the caller's unit of work, in place of those it had. What they may is
 * what the account may: its role is looked up with each request.
 */
export async function issueAccount(work: Work, identifier: string, account: PreparedAccount): Promise<void> {
  const { tx, actor, now } = work;
  const user = await lockPerson(tx, actor.orgId, identifier);
  if (!user) throw new Error(`There is no user ${identifier}`);
  await revokeCredentialsOf(tx, actor.orgId, user.key, now);
  const { clientId, secretHash } = account;
  const name = `Service account ${identifier}`;
  await insertCredential(tx, {
    orgId: actor.orgId,
    clientId,
    secretHash,
    role: 'Admin',
    userKey: user.key,
    name,
    createdAt: now,
  });
  work.record({
    event: 'credential.created',
    action: 'CREATE',
    resourceType: 'credential',
    identifier: clientId,
    context: {},
    after: { clientId, name, user: identifier },
  });
}
