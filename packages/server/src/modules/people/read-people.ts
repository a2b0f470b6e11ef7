import type { Actor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { visibleIdentifiers } from '../entities/index.ts';
import { findNamedTeam, findNamedUser } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';
import { pickFields, presentTeam, presentUser, presentWholeUser } from './present-people.ts';
import { listTeamRows } from './team.store.ts';
import { listUserRows } from './user.store.ts';

type Fields = readonly string[] | undefined;
type ReadDeps = Pick<PeopleDeps, 'database' | 'catalog'>;

/** Readable teams, each with its readable members. */
export async function listTeams({ database, catalog }: ReadDeps, actor: Actor, fields: Fields) {
  const [teams, users] = await visiblePeople(catalog, actor);
  const rows = await listTeamRows(database, actor.orgId);
  const shown = rows.filter(({ identifier }) => teams?.has(identifier) ?? true);
  return shown.map((team) => pickFields(presentTeam(team, users), fields));
}

/** @throws AppError `not_found`, also for a team that the caller may not read */
export async function getTeam({ database, catalog }: ReadDeps, actor: Actor, name: string, fields: Fields) {
  const team = await findNamedTeam(database, actor.orgId, name);
  const [teams, users] = await visiblePeople(catalog, actor);
  if (teams && !teams.has(team.identifier)) throw notFound('Team', name, 'name');
  return pickFields(presentTeam(team, users), fields);
}

export async function listUsers({ database, catalog }: ReadDeps, actor: Actor, fields: Fields) {
  const visible = await visibleIdentifiers(catalog, actor, '_user');
  const rows = await listUserRows(database, actor.orgId);
  const shown = rows.filter(({ identifier }) => visible?.has(identifier) ?? true);
  return shown.map((user) => pickFields(presentUser(user, actor.orgId), fields));
}

/** @throws AppError `not_found`, also for a user that the caller may not read */
export async function getUser({ database, catalog }: ReadDeps, actor: Actor, email: string, fields: Fields) {
  const user = await findNamedUser(database, actor.orgId, email);
  const visible = await visibleIdentifiers(catalog, actor, '_user');
  if (visible && !visible.has(user.identifier)) throw notFound('User', email, 'email');
  return pickFields(presentWholeUser(user, actor.orgId), fields);
}

function visiblePeople(catalog: ReadDeps['catalog'], actor: Actor) {
  return Promise.all([visibleIdentifiers(catalog, actor, '_team'), visibleIdentifiers(catalog, actor, '_user')]);
}
