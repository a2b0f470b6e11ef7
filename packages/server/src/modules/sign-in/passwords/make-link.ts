import { type Authority, actorAuthority } from '../../../platform/authority.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockPerson, nameKey, type Permitted, permitBecoming, saveAuthority } from '../../accounts/index.ts';
import { type Account, findAccountByKey } from '../account.store.ts';
import { hashProof, newProof, writeProof } from '../proof.ts';
import { insertLink, type PasswordLink } from './link.store.ts';

const linkMs = 3 * 24 * 60 * 60 * 1000;

export interface MadeLink {
  readonly id: string;
  readonly url: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Makes a link with which somebody sets the password of a user, within the caller's unit of work. Its secret is known
 * to the caller alone.
 * @throws AppError `insufficient_scope`, `missing_permissions` if the user has more rights than the caller, or the
 * account is in use
 */
export async function makeLink(
  { publicUrl }: { readonly publicUrl: () => string },
  work: Work,
  account: Account,
  carriedBy: PasswordLink['carriedBy'],
): Promise<MadeLink> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const secret = newProof();
  const id = newId('link_');
  const expiresAt = new Date(now.getTime() + linkMs);
  const link = {
    orgId,
    id,
    userKey: account.key,
    secretHash: hashProof(secret),
    createdAt: now,
    createdBy: actor.id,
    authority: saveAuthority(actor),
    expiresAt,
    carriedBy,
    mailedTo: carriedBy === 'mail' ? nameKey(account.identifier) : null,
  };
  await insertLink(tx, await permitLink(tx, link, account, actorAuthority(actor)));
  if (carriedBy === 'hand') {
    work.record({
      event: 'user.password_link_created',
      action: 'OTHER',
      resourceType: 'user',
      identifier: account.identifier,
      context: {},
      message: 'A link to set a password was made',
    });
  }
  const token = writeProof({ orgId, id, secret });
  return { id, url: linkUrl(publicUrl(), token), token, expiresAt };
}

/** After the #, which browsers never send. */
export function linkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/set-password#${token}`;
}

/**
 * A link lets its holder become the user.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitLink<T>(tx: Tx, link: T, account: Account, authority: Authority): Promise<Permitted<T>> {
  const { orgId, identifier } = account;
  const person = await lockPerson(tx, orgId, identifier);
  // read anew: it may have come into use before the lock
  const current = person && (await findAccountByKey(tx, orgId, person.key));
  if (!person || !current) throw notFound('User who may sign in', identifier, 'email');
  return permitBecoming(tx, { orgId, authority }, link, {
    person: { ...person, teamKeys: person.teamRefs },
    isUnused: current.isUnused,
  });
}
