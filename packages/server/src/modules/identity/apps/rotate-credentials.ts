import type { Actor } from '../../../platform/actor.ts';
import { actorAuthority } from '../../../platform/authority.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { lockPerson, permitBecoming, permitWhole } from '../../accounts/index.ts';
import { insertCredential, type NewCredential } from '../credential.store.ts';
import { newSecret } from '../secret-hash.ts';
import { endUserCredentials } from './app.store.ts';

/**
 * Gives a user or service account a new client id and secret; the old ones work until the overlap ends. For
 * administrators and for oneself.
 * @throws AppError `not_found`, `missing_permissions`, `insufficient_scope`
 */
export function rotateCredentials(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  { email, overlapSeconds }: { readonly email: string; readonly overlapSeconds: number },
) {
  // checked before the user is looked up, so that nothing is learnt about who exists
  if (actor.userId !== email) permitWhole(actor, undefined, 'rotating the credentials of others');
  const clientId = newId('client_');
  const { secret: clientSecret, secretHash, secretId } = newSecret();
  return unitOfWork(actor, async (work) => {
    const { orgId } = actor;
    const user = await lockPerson(work.tx, orgId, email);
    if (!user) throw notFound('User', email, 'email');
    const endsAt = new Date(work.now.getTime() + overlapSeconds * 1000);
    const ended = await endUserCredentials(work.tx, orgId, user.key, endsAt);
    const made: NewCredential = {
      orgId,
      clientId,
      secretHash,
      secretId,
      role: user.role === 'Admin' ? 'Admin' : 'Member',
      userKey: user.key,
      name: `Credentials of ${email}`.slice(0, 200),
      createdAt: work.now,
    };
    const maker = { orgId, userId: actor.userId, authority: actorAuthority(actor) };
    const becoming = { person: { ...user, teamKeys: user.teamRefs }, isUnused: false };
    await insertCredential(work.tx, await permitBecoming(work.tx, maker, made, becoming));
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
