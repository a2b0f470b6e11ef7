import type { Grant } from './rights.ts';

/** Lists of a grant as people write them; null and absent keep what is stored. */
interface WrittenLists {
  readonly roles?: readonly string[] | null | undefined;
  readonly users?: readonly string[] | null | undefined;
  readonly teams?: readonly string[] | null | undefined;
}

type FindTeams = (names: readonly string[]) => { readonly references: readonly string[] };

/** Each list that is sent replaces the stored one. */
export function mergeLists(current: Grant, change: WrittenLists, resolve: FindTeams) {
  return {
    roles: sorted(change.roles ?? current.roles),
    users: sorted(change.users ?? current.users),
    teams: change.teams ? sorted(resolve(change.teams).references) : (current.teams ?? []),
  };
}

/** Sorted lists with the organization's names of teams; deleted teams are left out. */
export function presentLists({ roles, users, teams }: Grant, teamNames: ReadonlyMap<string, string>) {
  return {
    roles: sorted(roles),
    users: sorted(users),
    teams: sorted((teams ?? []).flatMap((reference) => teamNames.get(reference) ?? [])),
  };
}

function sorted(names: readonly string[] | undefined): string[] {
  return [...new Set(names ?? [])].sort();
}
