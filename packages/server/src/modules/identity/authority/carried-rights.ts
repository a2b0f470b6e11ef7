import type { Reader } from '../../../platform/db/database.ts';
import { policyOf } from '../rights.ts';
import { findNamedTeams, listOwnerships, listPlacedGrants, type PlacedGrant } from './stored-grants.store.ts';

/** A team that gives its members rights. */
export interface CarryingTeam {
  readonly key: string;
  readonly title: string;
  /** Whose members the identity provider decides. */
  readonly isProvided: boolean;
  /** Scopes of what its members may do because of it. */
  readonly scopes: readonly string[];
}

/**
 * Those of the teams that carry rights: they are named in a grant, own entities that a grant gives to owners, or a policy
 * asks for teams, and then every team may be meant.
 */
export async function carryingTeams(
  reader: Reader,
  orgId: string,
  teamKeys: readonly string[],
): Promise<CarryingTeam[]> {
  if (teamKeys.length === 0) return [];
  const grants = await listPlacedGrants(reader, orgId);
  const ofOwners = new Map<number, PlacedGrant[]>();
  for (const each of grants) {
    if (!each.grant.ownedByTeam || each.blueprintKey === null) continue;
    ofOwners.set(each.blueprintKey, [...(ofOwners.get(each.blueprintKey) ?? []), each]);
  }
  const owned = ofOwners.size === 0 ? [] : await listOwnerships(reader, orgId, teamKeys, [...ofOwners.keys()]);
  const scopesOf = (team: string): string[] => [
    ...new Set([
      ...grants
        .filter(({ grant }) => grant.teams?.includes(team) || asksForTeams(grant))
        .flatMap(({ scopes }) => scopes),
      ...owned
        .filter(({ teamKey }) => teamKey === team)
        .flatMap(({ blueprintKey }) => ofOwners.get(blueprintKey) ?? [])
        .flatMap(({ scopes }) => scopes),
    ]),
  ];
  const teams = await findNamedTeams(reader, orgId, teamKeys);
  return teams.map((team) => ({ ...team, scopes: scopesOf(team.key) })).filter(({ scopes }) => scopes.length > 0);
}

/** Whether members of the team may do something because they are. */
export async function carriesRights(reader: Reader, orgId: string, teamKey: string): Promise<boolean> {
  return (await carryingTeams(reader, orgId, [teamKey])).length > 0;
}

/** Scopes of what grants give to whoever has this address. */
export async function rightsOfAddress(reader: Reader, orgId: string, address: string): Promise<string[]> {
  const grants = await listPlacedGrants(reader, orgId);
  return [...new Set(grants.flatMap(({ grant, scopes }) => (grant.users?.includes(address) ? scopes : [])))];
}

/** Policies are queries and expressions: one that speaks of teams may mean any. */
function asksForTeams(grant: PlacedGrant['grant']): boolean {
  const policy = policyOf(grant);
  return policy !== undefined && /team/i.test(JSON.stringify(policy));
}
