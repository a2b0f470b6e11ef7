import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { findAccount } from '../account.store.ts';
import { endLinks } from '../passwords/link.store.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { deleteInvitation, lockInvitation } from './invitation.store.ts';

/**
 * Takes an invitation back: its links end, and the user whom it created is removed. One who was there before becomes
 * staged again. Returns whether the user was removed.
 * @throws AppError `not_found` if the user is not invited or has signed in meanwhile; as removing a user
 */
export function revokeInvitation(deps: SignInDeps, actor: Actor, email: string): Promise<boolean> {
  return deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const account = await findAccount(tx, actor.orgId, email);
    const invitation = account && (await lockInvitation(tx, actor.orgId, account.key));
    // a sign-in deletes the invitation, so whoever came first has won
    if (!account || !invitation) throw notFound('Invitation', email, 'email');
    const { identifier, key, status } = account;
    await endLinks(tx, actor.orgId, key, 'revoked', now);
    await deleteInvitation(tx, actor.orgId, key);
    work.record({
      event: 'user.invitation_revoked',
      action: 'OTHER',
      resourceType: 'user',
      identifier,
      context: {},
      message: `The invitation was taken back by ${actor.id}`,
    });
    if (invitation.createdUser) await deps.people.removeUser(work, identifier);
    else if (status === 'Invited') await deps.people.changeUser(work, identifier, { status: 'Staged' });
    return invitation.createdUser;
  });
}
