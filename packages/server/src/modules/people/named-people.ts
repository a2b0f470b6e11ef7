import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { nameKey, severalTeams, teamMeantBy } from '../accounts/index.ts';
import { findTeamsNamed, findTeamsOfName, type TeamRow, type TeamWithMembers } from './team.store.ts';
import { findUser, findUsersByAddress, type UserWithTeams } from './user.store.ts';

/**
 * Paths name teams by title first, in every model.
 * @throws AppError `not_found`
 */
export async function findNamedTeam(reader: Reader, orgId: string, name: string): Promise<TeamWithMembers> {
  const meant = await meantByPath(reader, orgId, 'legacy', name);
  if (meant.kind !== 'one') throw notFound('Team', name, 'name');
  return meant.team;
}

/** @throws AppError `not_found`, `invalid_request` for an ambiguous name */
export async function teamToChange({ tx, actor }: Work, name: string): Promise<TeamWithMembers> {
  const meant = await meantByPath(tx, actor.orgId, actor.model, name);
  if (meant.kind === 'none') throw notFound('Team', name, 'name');
  if (meant.kind === 'one') return meant.team;
  const message = `${severalTeams(name, meant.teams)} (PATCH /v1/blueprints/_team/entities/{identifier})`;
  throw invalidRequest([{ path: '/team_name', message }], 'The name of the team');
}

/** One client encodes blanks in paths as `+`: tried after the literal name. */
async function meantByPath(reader: Reader, orgId: string, model: Actor['model'], name: string) {
  const meant = async (literal: string) =>
    teamMeantBy((await findTeamsOfName(reader, orgId, literal)).map(asTitled), model, literal);
  const found = await meant(name);
  return found.kind === 'none' && name.includes('+') ? meant(name.replaceAll('+', ' ')) : found;
}

/** `name` in these tables is `title` wherever the team is an entity. */
function asTitled<Team extends TeamRow>(team: Team): Team & { readonly title: string } {
  return { ...team, title: team.name };
}

/** @throws AppError `not_found` */
export async function findNamedUser(reader: Reader, orgId: string, address: string): Promise<UserWithTeams> {
  const user = await findUser(reader, orgId, address);
  if (!user) throw notFound('User', address, 'email');
  return user;
}

/** Each once; an unknown or ambiguous name is an issue. */
export async function teamsNamed(
  { tx, actor }: Work,
  names: readonly string[],
  path: string,
): Promise<{ readonly teams: readonly TeamRow[]; readonly issues: readonly Issue[] }> {
  const rows = names.length === 0 ? [] : (await findTeamsNamed(tx, actor.orgId, names)).map(asTitled);
  const issues: Issue[] = [];
  const teams = names.flatMap((name, index) => {
    const meant = teamMeantBy(rows, actor.model, name);
    if (meant.kind === 'one') return [meant.team];
    const isDouble = rows.some((row) => row.name === name);
    const none = `"${name}" ${isDouble ? 'is the name of several teams; use an identifier' : 'is not a team'}`;
    const message = meant.kind === 'several' ? severalTeams(name, meant.teams) : none;
    issues.push({ path: `${path}/${index}`, message });
    return [];
  });
  return { teams: [...new Map(teams.map((team) => [team.key, team])).values()], issues };
}

/** Each once, in order; an unknown address is an issue. */
export async function usersNamed(
  reader: Reader,
  orgId: string,
  addresses: readonly string[],
  path: string,
): Promise<{ readonly users: readonly UserWithTeams[]; readonly issues: readonly Issue[] }> {
  const found = addresses.length === 0 ? new Map() : await findUsersByAddress(reader, orgId, addresses);
  const issues: Issue[] = [];
  const users = addresses.flatMap((address, index) => {
    const user = found.get(nameKey(address));
    if (user) return [user as UserWithTeams];
    issues.push({ path: `${path}/${index}`, message: `"${address}" is not a user; invite them first` });
    return [];
  });
  return { users: [...new Map(users.map((user) => [user.key, user])).values()], issues };
}
