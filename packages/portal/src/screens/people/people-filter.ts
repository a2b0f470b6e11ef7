import type { AnswerOf } from '../../api/api.ts';

export type KnownUser = AnswerOf<'listUsers'>['users'][number];
export type KnownTeam = AnswerOf<'listTeams'>['teams'][number];

export function displayName({ firstName, lastName, email }: KnownUser): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '');
}

export function roleNames({ roles }: KnownUser): readonly string[] {
  return (roles ?? []).map(({ name }) => name);
}

/** The users of a type with a word in name, address, roles or teams. */
export function filteredUsers(users: readonly KnownUser[], sought: string, type: string): readonly KnownUser[] {
  const word = sought.trim().toLowerCase();
  return users
    .filter((user) => (user.type ?? 'Standard') === type)
    .filter((user) =>
      [displayName(user), user.email ?? '', ...roleNames(user), ...(user.teams ?? [])].some((text) =>
        text.toLowerCase().includes(word),
      ),
    )
    .toSorted((left, right) => displayName(left).localeCompare(displayName(right)));
}

/** Splits pasted addresses at commas, semicolons, blanks and line ends. */
export function pastedAddresses(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

/** Addresses among what was pasted that are none, and those that are users already. */
export function doubtfulAddresses(
  addresses: readonly string[],
  users: readonly KnownUser[],
): { readonly malformed: readonly string[]; readonly known: readonly string[] } {
  const used = new Set(users.map(({ email }) => email?.toLowerCase()));
  return {
    malformed: addresses.filter((each) => !/^[^\s@]+@[^\s@]+$/.test(each)),
    known: addresses.filter((each) => used.has(each.toLowerCase())),
  };
}

export type RoleKind = 'Member' | 'Moderator' | 'Admin';

/** The kind of a list of roles, as the server keeps them. */
export function roleKind(roles: readonly string[]): RoleKind {
  if (roles.includes('Admin')) return 'Admin';
  return roles.some((role) => moderatedBlueprint(role) !== undefined) ? 'Moderator' : 'Member';
}

export function moderatorRole(blueprint: string): string {
  return `${blueprint}-moderator`;
}

/** The blueprint of a role `<blueprint>-moderator`. */
export function moderatedBlueprint(role: string): string | undefined {
  return /^(.+)-moderator$/i.exec(role)?.[1];
}
