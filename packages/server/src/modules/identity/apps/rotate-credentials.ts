import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { assertWithinScopes } from '../../../platform/scopes.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { lockUser } from '../api-tokens/api-token.store.ts';
import { insertCredential } from '../credential.store.ts';
import { newSecret } from '../secret-hash.ts';
import { endUserCredentials } from './app.store.ts';

/**
 * Gives a user, person or service account, a new client id and secret; what the user had works on until the overlap
 * ends. For administrators, and for users themselves.
 * @throws AppError `not_found`, `missing_permissions`, `insufficient_scope`
 */
export function rotateCredentials(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  { email, overlapSeconds }: { readonly email: string; readonly overlapSeconds: number },
) {
  if (!isAdmin(actor) && actor.userId !== email) {
    // the same for users that exist and that do not: who may not rotate need not learn who is there
    throw new AppError('missing_permissions', 'You may rotate your own credentials; others need an administrator');
  }
  assertWithinScopes(actor, undefined);
  const clientId = newId('client_');
  const { secret: clientSecret, secretHash, secretId } = newSecret();
  return unitOfWork(actor, async (work) => {
    const { orgId } = actor;
    const user = await lockUser(work.tx, orgId, email);
    if (!user) throw notFound('User', email, 'email');
    const endsAt = new Date(work.now.getTime() + overlapSeconds * 1000);
    const ended = await endUserCredentials(work.tx, orgId, user.key, endsAt);
    await insertCredential(work.tx, {
      orgId,
      clientId,
      secretHash,
      secretId,
      role: user.role === 'Admin' ? 'Admin' : 'Member',
      userKey: user.key,
      name: `Credentials of ${email}`.slice(0, 200),
      createdAt: work.now,
    });
    work.record({
      event: 'credential.rotated',
      action: 'UPDATE',
      resourceType: 'credential',
      identifier: clientId,
      context: {},
      after: { user: email, endedCredentials: ended, overlapEndsAt: endsAt.toISOString() },
    });
    return { credentials: { clientId, clientSecret } };
  });
}
