import type { Actor } from '../../platform/actor.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { lockPerson, personRules, removePerson } from '../accounts/index.ts';
import { deleteEntitiesWithin } from '../entities/index.ts';
import { findNamedUser } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';

/**
 * Deletes a user with memberships and credentials; the journal keeps their records.
 * @throws AppError `not_found`, `last_administrator`, `has_dependents` if an entity has a required relation to the
 * user
 */
export function removeUser(deps: Pick<PeopleDeps, 'unitOfWork'>, actor: Actor, email: string): Promise<void> {
  return deps.unitOfWork(actor, (work) => removeUserWithin(work, email));
}

/** Within the caller's unit of work. */
export async function removeUserWithin(work: Work, email: string): Promise<void> {
  const { tx, actor } = work;
  const { identifier } = await findNamedUser(tx, actor.orgId, email);
  if (actor.model !== 'legacy') {
    await deleteEntitiesWithin(work, '_user', [identifier], { deleteDependents: false });
    return;
  }
  const judge = await personRules(work, [], []);
  await judge(await lockPerson(tx, actor.orgId, identifier), undefined);
  await removePerson(work, identifier);
}
