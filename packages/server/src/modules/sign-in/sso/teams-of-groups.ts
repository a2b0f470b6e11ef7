import type { Work } from '../../../platform/unit-of-work.ts';
import { carriesRights, nameKey, permitBinding, teamMeantBy } from '../../accounts/index.ts';
import type { People } from '../../people/index.ts';
import { type Binding, bindTeam, findProviderTeams, type ProviderTeam, teamsOfUser } from '../provider-team.store.ts';
import { teamNameOf } from '../team-name.ts';
import type { Connection } from './connection.store.ts';

/**
 * The identifiers of the teams a user is in once the provider's groups count: those made by hand as they are, and of the
 * provider's own those that a group means. A group means the team that the connection says, else the one that carries
 * its id, else the one of its name, else a new one.
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
  const names = [...groups.filter((group) => !meant.has(group)).map(teamNameOf), ...meant.values()];
  const found = await findProviderTeams(tx, actor.orgId, groups, names, names.map(nameKey));
  const teams = new Map<string, ProviderTeam>();
  for (const { team: name } of groupTeams) {
    const team = named(found, work, name);
    // who is in it is the provider's word from now on, also for those in none of its groups
    if (!team || team.provider !== null) continue;
    await bindTeam(tx, actor.orgId, team.key, await permitBinding(work, { provider: 'sso' }, team.key));
  }
  for (const group of groups) {
    const name = meant.get(group);
    const team = name === undefined ? await teamOf(people, work, found, group, createsTeams) : named(found, work, name);
    if (team) teams.set(team.key, team);
  }
  const mapped = new Set(groupTeams.flatMap(({ team }) => named(found, work, team)?.key ?? []));
  const own = (await teamsOfUser(tx, actor.orgId, userKey)).filter(
    ({ key, provider }) => provider === null && !mapped.has(key),
  );
  for (const team of own) teams.set(team.key, team);
  return [...teams.values()].map(({ identifier }) => identifier);
}

async function teamOf(
  people: People,
  work: Work,
  found: readonly ProviderTeam[],
  group: string,
  createsTeams: boolean,
): Promise<ProviderTeam | undefined> {
  const { tx, actor } = work;
  const known = found.find(({ externalId }) => externalId === group);
  if (known) return known;
  const name = teamNameOf(group);
  const titled = found.find((team) => team.nameKey === nameKey(name));
  // over SCIM the provider names its groups by ids, and at a sign-in perhaps by names: both mean one team
  if (titled?.provider === 'scim') return titled;
  // else a team that carries another group's id is that group's, whatever it is called; two teams of one name there are not
  if (titled && titled.externalId !== null) return undefined;
  if (!titled && !createsTeams) return undefined;
  // its name alone gives a group no rights: an administrator says in the connection that it means this team
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

/** The team that the connection names; a name that means several leads no group anywhere. */
function named(found: readonly ProviderTeam[], { actor }: Work, name: string): ProviderTeam | undefined {
  const titled = found.map((team) => ({ ...team, title: team.name }));
  const meant = teamMeantBy(titled, actor.model, name);
  return meant.kind === 'one' ? meant.team : undefined;
}
