import type { Issue } from '@portolan/contract';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { nameKey } from '../identity/index.ts';
import { findTeamByName, findTeamsNamed, type TeamRow, type TeamWithMembers } from './team.store.ts';
import { findUser, findUsersByAddress, type UserWithTeams } from './user.store.ts';

/**
 * The team that a path names; one client writes a blank of a path as `+`, which is tried where the literal is not there.
 * @throws AppError `not_found`
 */
export async function teamOf(reader: Reader, orgId: string, name: string): Promise<TeamWithMembers> {
  const team =
    (await findTeamByName(reader, orgId, name)) ??
    (name.includes('+') ? await findTeamByName(reader, orgId, name.replaceAll('+', ' ')) : undefined);
  if (!team) throw notFound('Team', name, 'name');
  return team;
}

/** @throws AppError `not_found` */
export async function userOf(reader: Reader, orgId: string, address: string): Promise<UserWithTeams> {
  const user = await findUser(reader, orgId, address);
  if (!user) throw notFound('User', address, 'email');
  return user;
}

/** The teams of names, or of identifiers where no name fits, each once; what fits none is an issue. */
export async function teamsNamed(
  reader: Reader,
  orgId: string,
  names: readonly string[],
  path: string,
): Promise<{ readonly teams: readonly TeamRow[]; readonly issues: readonly Issue[] }> {
  const rows = names.length === 0 ? [] : await findTeamsNamed(reader, orgId, names);
  const issues: Issue[] = [];
  const teams = names.flatMap((name, index) => {
    const titled = rows.filter((row) => row.name === name);
    const team = titled.length === 1 ? titled[0] : rows.find((row) => row.identifier === name);
    if (team) return [team];
    const reason = titled.length > 1 ? 'is the name of several teams; use an identifier' : 'is not a team';
    issues.push({ path: `${path}/${index}`, message: `"${name}" ${reason}` });
    return [];
  });
  return { teams: [...new Map(teams.map((team) => [team.key, team])).values()], issues };
}

/** The users of addresses, each once and in their order; an address that nobody has is an issue. */
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
