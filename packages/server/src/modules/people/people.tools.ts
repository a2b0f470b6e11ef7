import { z } from 'zod';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { recordsUnder } from '../../platform/tools/tool-records.ts';
import type { PeopleDeps } from './people.deps.ts';
import { getTeam, getUser, listTeams, listUsers } from './read-people.ts';

const text = z.string().min(1).max(200).optional();

export function peopleTools(deps: PeopleDeps): ToolDeclaration[] {
  return [...userTools(deps), ...teamTools(deps)];
}

function userTools(deps: PeopleDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'list_users',
      title: 'List users',
      description:
        'Lists the people and service accounts of the organization that the caller may see: address, name, status, roles and teams.',
      effect: 'read',
      scope: 'read:users',
      audience: 'developer',
      recordsOf: recordsUnder({ users: 'person' }),
      input: z.strictObject({
        text: text.describe('Text that the address or the name contains'),
        team: text.describe('Only members of the team of this name'),
        ...pageArguments,
      }),
      run: async ({ actor }, input) => {
        const users = (await listUsers(deps, actor, undefined)) as WholeUser[];
        const wanted = users.filter(
          ({ email, firstName, lastName, teams }) =>
            holds(input.text, email, `${firstName} ${lastName}`) &&
            (input.team === undefined || teams.includes(input.team)),
        );
        const { items, ...page } = pageOfAll(wanted, ({ email }) => email, input);
        return { ...page, users: items.map(shortUser) };
      },
    }),
    tool({
      name: 'get_user',
      title: 'Get a user',
      description: 'Returns one person or service account by address, with roles and teams.',
      effect: 'read',
      scope: 'read:users',
      audience: 'developer',
      recordsOf: recordsUnder({ user: 'person' }, { hasFigures: false }),
      input: z.strictObject({ email: z.string().min(1).describe('Address of the user') }),
      run: async ({ actor }, { email }) => {
        const user = (await getUser(deps, actor, email, undefined)) as WholeUser & { teamsIdentifiers: string[] };
        return { user: { ...shortUser(user), teamsIdentifiers: user.teamsIdentifiers } };
      },
    }),
  ];
}

type WholeUser = Required<Awaited<ReturnType<typeof listUsers>>[number]>;
type WholeTeam = Awaited<ReturnType<typeof listTeams>>[number] & {
  readonly name: string;
  readonly identifier: string;
  readonly users: readonly { readonly email: string }[];
};

function shortUser({ email, firstName, lastName, status, type, roles, teams }: WholeUser) {
  const name = `${firstName} ${lastName}`.trim();
  return { email, ...(name ? { name } : {}), status, type, roles: roles.map((role) => role.name), teams };
}

function teamTools(deps: PeopleDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'list_teams',
      title: 'List teams',
      description: 'Lists the teams that the caller may see, each with how many members it has. get_team returns them.',
      effect: 'read',
      scope: 'read:teams',
      audience: 'developer',
      recordsOf: recordsUnder({ teams: 'team' }),
      input: z.strictObject({
        text: text.describe('Text that the name or the identifier contains'),
        ...pageArguments,
      }),
      run: async ({ actor }, input) => {
        const teams = (await listTeams(deps, actor, undefined)) as WholeTeam[];
        const wanted = teams.filter((team) => holds(input.text, team.name, team.identifier));
        const { items, ...page } = pageOfAll(wanted, ({ name }) => name, input);
        return { ...page, teams: items.map(({ users, ...team }) => ({ ...shortTeam(team), members: users.length })) };
      },
    }),
    tool({
      name: 'get_team',
      title: 'Get a team',
      description: 'Returns one team by name or identifier, with the addresses of its members.',
      effect: 'read',
      scope: 'read:teams',
      audience: 'developer',
      recordsOf: recordsUnder({ team: 'team' }, { hasFigures: false }),
      input: z.strictObject({ name: z.string().min(1).describe('Name or identifier of the team') }),
      run: async ({ actor }, { name }) => {
        const { users, ...team } = (await getTeam(deps, actor, name, undefined)) as WholeTeam;
        return { team: { ...shortTeam(team), members: users.map(({ email }) => email) } };
      },
    }),
  ];
}

function shortTeam({ name, identifier, description }: Omit<WholeTeam, 'users'>) {
  return { name, identifier, ...(description ? { description } : {}) };
}

function holds(wanted: string | undefined, ...texts: readonly string[]): boolean {
  if (wanted === undefined) return true;
  const asked = wanted.toLowerCase();
  return texts.some((each) => each.toLowerCase().includes(asked));
}
