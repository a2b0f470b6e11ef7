import type { Grant } from './rights.ts';

/** Lists of a grant as people write them; null and absent leave what is stored. */
interface WrittenLists {
  readonly roles?: readonly string[] | null | undefined;
  readonly users?: readonly string[] | null | undefined;
  readonly teams?: readonly string[] | null | undefined;
}

/** Resolves names of teams to references; a name that is no team's stays as one that grants nothing. */
type ResolveTeams = (names: readonly string[]) => { readonly references: readonly string[] };

/** Whom a grant names after a change: each list that is sent replaces the stored one. */
export function mergeLists(current: Grant, change: WrittenLists, resolve: ResolveTeams) {
  return {
    roles: sorted(change.roles ?? current.roles),
    users: sorted(change.users ?? current.users),
    teams: change.teams ? sorted(resolve(change.teams).references) : (current.teams ?? []),
  };
}

/** Whom a grant names, sorted, with teams as the organization names them; a team that is gone not at all. */
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
