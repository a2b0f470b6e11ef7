import type { AnswerOf } from '../../api/api.ts';

export type OwnRight = AnswerOf<'getOwnRights'>['rights']['register'];

const namedAtMost = 3;

/** Whom a right is given to, in words: "Admin, or Moderator of Service". */
export function needsText({ roles, teams, people, ownedByTeam, policy }: OwnRight['needs'], blueprint = ''): string {
  const ways = [
    ...limited(roles.map((role) => roleText(role, blueprint))),
    ...limited(teams.map((team) => `a member of ${team}`)),
    ...(ownedByTeam ? ['a member of the owning team'] : []),
    ...(people ? ['a person who is named in the permissions'] : []),
    ...(policy ? ['to meet a rule of the permissions'] : []),
  ];
  if (ways.length < 2) return ways.join('');
  return `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}`;
}

function roleText(role: string, blueprint: string): string {
  const moderated = /^(.+)-moderator$/i.exec(role)?.[1];
  if (moderated === undefined) return role;
  return `Moderator of ${blueprint || moderated}`;
}

function limited(ways: readonly string[]): string[] {
  if (ways.length <= namedAtMost) return [...ways];
  return [...ways.slice(0, namedAtMost), `${ways.length - namedAtMost} more`];
}
