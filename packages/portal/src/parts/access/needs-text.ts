import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type OwnRight = AnswerOf<'getOwnRights'>['rights']['register'];

const namedAtMost = 3;

/** Whom a right is given to, in words: "Admin, or Moderator of Service". */
export function needsText({ roles, teams, people, ownedByTeam, policy }: OwnRight['needs'], blueprint = ''): string {
  const ways = [
    ...limited(roles.map((role) => roleText(role, blueprint))),
    ...limited(teams.map((team) => t('a member of {team}', { team }))),
    ...(ownedByTeam ? [t('a member of the owning team')] : []),
    ...(people ? [t('a person who is named in the permissions')] : []),
    ...(policy ? [t('to meet a rule of the permissions')] : []),
  ];
  if (ways.length < 2) return ways.join('');
  return t('{ways}, or {ways2}', { ways: ways.slice(0, -1).join(', '), ways2: ways.at(-1) });
}

function roleText(role: string, blueprint: string): string {
  const moderated = /^(.+)-moderator$/i.exec(role)?.[1];
  if (moderated === undefined) return role;
  return t('Moderator of {blueprint}', { blueprint: blueprint || moderated });
}

function limited(ways: readonly string[]): string[] {
  if (ways.length <= namedAtMost) return [...ways];
  return [...ways.slice(0, namedAtMost), t('{value} more', { value: ways.length - namedAtMost })];
}
