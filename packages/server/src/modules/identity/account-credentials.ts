import { actorAuthority } from '../../platform/authority.ts';
import { newId } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { lockPerson, permitBecoming } from '../accounts/index.ts';
import { insertCredential, type NewCredential, revokeUserCredentials } from './credential.store.ts';
import { newSecret } from './secret-hash.ts';

/** Credentials generated before they belong to anybody. */
export interface PreparedAccount {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secretHash: string;
  readonly secretId: string;
}

/** Generates credentials before a transaction opens, so that a repetition stores the same ones. */
export function prepareAccount(): PreparedAccount {
  const { secret: clientSecret, secretHash, secretId } = newSecret();
  return { clientId: newId('client_'), clientSecret, secretHash, secretId };
}

/**
 * Replaces the credentials of a service account, within the caller's unit of work. They may do what the account may:
 * its role is read with each request.
 * @throws AppError `insufficient_scope` for a restricted token, which can give out no more than it has
 */
export async function issueAccount(work: Work, identifier: string, account: PreparedAccount): Promise<void> {
  const { tx, actor, now } = work;
  const user = await lockPerson(tx, actor.orgId, identifier);
  if (!user) throw new Error(`There is no user ${identifier}`);
  await revokeUserCredentials(tx, actor.orgId, user.key, now);
  const { clientId, secretHash, secretId } = account;
  const name = `Service account ${identifier}`;
  const made: NewCredential = {
    orgId: actor.orgId,
    clientId,
    secretHash,
    secretId,
    role: 'Admin',
    userKey: user.key,
    name,
    createdAt: now,
  };
  const maker = { orgId: actor.orgId, userId: actor.userId, authority: actorAuthority(actor) };
  const becoming = { person: { ...user, teamKeys: user.teamRefs }, isUnused: false };
  await insertCredential(tx, await permitBecoming(tx, maker, made, becoming));
  work.record({
    event: 'credential.created',
    action: 'CREATE',
    resourceType: 'credential',
    identifier: clientId,
    context: {},
    after: { clientId, name, user: identifier },
  });
}
