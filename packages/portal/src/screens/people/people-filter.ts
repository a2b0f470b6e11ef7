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
