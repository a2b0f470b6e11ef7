import type { Actor } from '../../platform/actor.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { deleteEntitiesWithin, forgetTeamsWithin } from '../catalog/index.ts';
import { removeTeams } from '../identity/index.ts';
import { teamOf } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';
import { countTeamUse, type TeamUse } from './team.store.ts';

/**
 * Deletes a team with every reference to it (users-and-teams §1.5), and answers how many there were.
 * @throws AppError `not_found`, `has_dependents` if an entity has a required relation to it
 */
export function deleteTeam(deps: Pick<PeopleDeps, 'unitOfWork'>, actor: Actor, name: string): Promise<TeamUse> {
  return deps.unitOfWork(actor, (work) => deleteTeamWithin(work, name));
}

/** `deleteTeam` within the caller's unit of work. */
export async function deleteTeamWithin(work: Work, name: string): Promise<TeamUse> {
  const { tx, actor } = work;
  const { key, identifier } = await teamOf(tx, actor.orgId, name);
  const use = await countTeamUse(tx, actor.orgId, key);
  if (actor.model === 'legacy') await forgetTeamsWithin(work, await removeTeams(work, [identifier]));
  else await deleteEntitiesWithin(work, '_team', [identifier], { deleteDependents: false });
  return use;
}
