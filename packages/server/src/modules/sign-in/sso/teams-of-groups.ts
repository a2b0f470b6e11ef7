import type { Work } from '../../../platform/unit-of-work.ts';
import { carriesRights, nameKey, permitBinding, teamMeantBy } from '../../accounts/index.ts';
import type { People } from '../../people/index.ts';
import { type Binding, bindTeam, findProviderTeams, type ProviderTeam, teamsOfUser } from '../provider-team.store.ts';
import { toTeamName } from '../team-name.ts';
import type { Connection } from './connection.store.ts';

/**
 * A user's teams under the provider's groups: manual teams stay, the provider's own teams follow the groups. A group
 * maps to the team named in the connection, else the one with its id, else the one of its name, else a new one.
 */
export async function teamsOfGroups(
  people: People,
  work: Work,
  { groupTeams, createsTeams }: Connection,
  userKey: string,
  groups: readonly string[],
): Promise<string[]> {
  const { tx, actor } = work;
  const meant = new Map(groupTeams.map(({ group, team }) => [group, team]));
  const names = [...groups.filter((group) => !meant.has(group)).map(toTeamName), ...meant.values()];
  const found = await findProviderTeams(tx, actor.orgId, groups, names, names.map(nameKey));
  const teams = new Map<string, ProviderTeam>();
  for (const { team: name } of groupTeams) {
    const team = named(found, work, name);
    // membership is the provider's from now on, also for users in none of its groups
    if (!team || team.provider !== null) continue;
    await bindTeam(tx, actor.orgId, team.key, await permitBinding(work, { provider: 'sso' }, team.key));
  }
  for (const group of groups) {
    const name = meant.get(group);
    const team =
      name === undefined ? await resolveTeam(people, work, found, group, createsTeams) : named(found, work, name);
    if (team) teams.set(team.key, team);
  }
  const mapped = new Set(groupTeams.flatMap(({ team }) => named(found, work, team)?.key ?? []));
  const own = (await teamsOfUser(tx, actor.orgId, userKey)).filter(
    ({ key, provider }) => provider === null && !mapped.has(key),
  );
  for (const team of own) teams.set(team.key, team);
  return [...teams.values()].map(({ identifier }) => identifier);
}

async function resolveTeam(
  people: People,
  work: Work,
  found: readonly ProviderTeam[],
  group: string,
  createsTeams: boolean,
): Promise<ProviderTeam | undefined> {
  const { tx, actor } = work;
  const known = found.find(({ externalId }) => externalId === group);
  if (known) return known;
  const name = toTeamName(group);
  const titled = found.find((team) => team.nameKey === nameKey(name));
  // SCIM names groups by id, sign-ins perhaps by name: both mean one team
  if (titled?.provider === 'scim') return titled;
  // otherwise a team with another group's id belongs to that group, whatever its name
  if (titled && titled.externalId !== null) return undefined;
  if (!titled && !createsTeams) return undefined;
  // a matching name alone gives no rights: an administrator must map the group to this team
  if (titled?.provider === null && (await carriesRights(tx, actor.orgId, titled.key))) return undefined;
  const team = titled ?? {
    ...(await people.createTeam(work, { name })),
    provider: null,
    externalId: null,
    nameKey: '',
  };
  const binding: Binding = { provider: 'sso', externalId: group };
  await bindTeam(tx, actor.orgId, team.key, await permitBinding(work, binding, team.key));
  return team;
}

/** An ambiguous name maps no group. */
function named(found: readonly ProviderTeam[], { actor }: Work, name: string): ProviderTeam | undefined {
  const titled = found.map((team) => ({ ...team, title: team.name }));
  const meant = teamMeantBy(titled, actor.model, name);
  return meant.kind === 'one' ? meant.team : undefined;
}
