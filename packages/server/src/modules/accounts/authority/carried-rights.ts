import type { Reader } from '../../../platform/db/database.ts';
import { effectivePolicy } from '../../rights/index.ts';
import { findNamedTeams, listOwnerships, listPlacedGrants, type PlacedGrant } from './stored-grants.store.ts';

/** A team whose membership gives rights. */
export interface CarryingTeam {
  readonly key: string;
  readonly title: string;
  /** Whether the identity provider decides its members. */
  readonly isProvided: boolean;
  /** Scopes that membership gives. */
  readonly scopes: readonly string[];
}

/**
 * Teams that carry rights: named in a grant, owners of entities that a grant gives to owners, or all of them if a
 * policy mentions teams.
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

/** Whether membership of the team gives any right. */
export async function carriesRights(reader: Reader, orgId: string, teamKey: string): Promise<boolean> {
  return (await carryingTeams(reader, orgId, [teamKey])).length > 0;
}

/** Scopes that grants give to this address. */
export async function rightsOfAddress(reader: Reader, orgId: string, address: string): Promise<string[]> {
  const grants = await listPlacedGrants(reader, orgId);
  return [...new Set(grants.flatMap(({ grant, scopes }) => (grant.users?.includes(address) ? scopes : [])))];
}

/** Policies are queries and expressions: one that mentions teams may mean any. */
function asksForTeams(grant: PlacedGrant['grant']): boolean {
  const policy = effectivePolicy(grant);
  return policy !== undefined && /team/i.test(JSON.stringify(policy));
}
