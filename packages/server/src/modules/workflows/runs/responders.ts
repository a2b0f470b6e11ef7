import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { findTeamKeys } from '../../accounts/index.ts';
import type { StoredNodeRun } from './workflow-run.ts';

/**
 * Whether the actor may answer a form that waits: a person of the lists that were settled when it began to wait, by what
 * they are now. Administrators may where nobody is named.
 */
export async function mayRespond(reader: Reader, actor: Actor, nodeRun: StoredNodeRun): Promise<boolean> {
  const { responders } = nodeRun;
  if (actor.kind !== 'person' || nodeRun.phase !== 'WAIT_RESPONSE' || !responders) return false;
  const names = [actor.id, actor.userId ?? actor.id].map((each) => each.toLowerCase());
  if (responders.excluded.some((each) => names.includes(each.toLowerCase()))) return false;
  const { users, roles, teams } = responders;
  if (users.length + roles.length + teams.length === 0) return isAdmin(actor);
  if (users.some((each) => names.includes(each.toLowerCase()))) return true;
  if (roles.some((role) => actor.roles.some((own) => own.toLowerCase() === role.toLowerCase()))) return true;
  const keys = await findTeamKeys(reader, actor.orgId, actor.model, teams);
  return keys.some((key) => actor.teamKeys.includes(key));
}

/** The only people who may answer, lower case; undefined where roles or teams may grow. */
export function closedList({ responders }: StoredNodeRun): readonly string[] | undefined {
  if (!responders || responders.users.length === 0 || responders.roles.length + responders.teams.length > 0)
    return undefined;
  const excluded = responders.excluded.map((each) => each.toLowerCase());
  return responders.users.map((each) => each.toLowerCase()).filter((each) => !excluded.includes(each));
}
