import type { Actor } from '../../platform/actor.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { removeTeams } from '../accounts/index.ts';
import { deleteEntitiesWithin } from '../entities/index.ts';
import { removeTeamReferencesWithin } from '../people-sync/index.ts';
import { teamToChange } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';
import { countTeamUse, type TeamUse } from './team.store.ts';

/**
 * Deletes a team and every reference to it (users-and-teams §1.5); returns their number.
 * @throws AppError `not_found`, `has_dependents` if an entity has a required relation to it
 */
export function deleteTeam(deps: Pick<PeopleDeps, 'unitOfWork'>, actor: Actor, name: string): Promise<TeamUse> {
  return deps.unitOfWork(actor, async (work) => deleteTeamWithin(work, await teamToChange(work, name)));
}

/** Within the caller's unit of work. */
export async function deleteTeamWithin(
  work: Work,
  { key, identifier }: { readonly key: string; readonly identifier: string },
): Promise<TeamUse> {
  const { tx, actor } = work;
  const use = await countTeamUse(tx, actor.orgId, key);
  if (actor.model === 'legacy') await removeTeamReferencesWithin(work, await removeTeams(work, [identifier]));
  else await deleteEntitiesWithin(work, '_team', [identifier], { deleteDependents: false });
  return use;
}
