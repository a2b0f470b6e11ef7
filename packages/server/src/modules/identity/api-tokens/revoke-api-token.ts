import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { lockApiToken, markTokenRevoked } from './api-token.store.ts';
import { recordedToken } from './present-token.ts';
import { tokenOwner } from './token-owner.ts';

/**
 * Revokes a token, and the one it replaced if that still works; effective within a second on every replica.
 * @param whose `own` tokens of the caller, or those of `anybody` in the organization
 * @throws AppError `not_found`
 */
export async function revokeApiToken(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  id: string,
  whose: 'own' | 'anybody',
): Promise<void> {
  await unitOfWork(actor, async (work) => {
    const owner = whose === 'own' ? tokenOwner(actor) : undefined;
    const token = await lockApiToken(work.tx, actor.orgId, id, owner, work.now);
    if (!token) throw notFound('Token', id, 'id');
    await markTokenRevoked(work.tx, actor.orgId, id, work.now);
    work.record({
      event: 'token.revoked',
      action: 'DELETE',
      resourceType: 'token',
      identifier: id,
      context: {},
      before: recordedToken(token),
    });
  });
}
