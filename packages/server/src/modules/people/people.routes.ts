import * as contract from '@portolan/contract/people';
import { type Route, route } from '../../platform/http/route.ts';
import { deleteTeam } from './delete-team.ts';
import type { PeopleDeps } from './people.deps.ts';
import { presentWholeUser, presentWrittenTeam } from './present-people.ts';
import { getTeam, getUser, listTeams, listUsers } from './read-people.ts';
import { removeUser } from './remove-user.ts';
import { changeTeam, createTeam } from './write-team.ts';
import { changeUser } from './write-user.ts';

export function peopleRoutes(deps: PeopleDeps): Route[] {
  return [...teamRoutes(deps), ...userRoutes(deps)];
}

function teamRoutes(deps: PeopleDeps): Route[] {
  return [
    route(contract.listTeams, async ({ query }, { actor }) => ({ teams: await listTeams(deps, actor, query.fields) })),
    route(contract.createTeam, async ({ body }, { actor }) => ({
      team: presentWrittenTeam(await createTeam(deps, actor, body)),
    })),
    route(contract.getTeam, async ({ params, query }, { actor }) => ({
      team: await getTeam(deps, actor, params.team_name, query.fields),
    })),
    route(contract.replaceTeam, async ({ params, body }, { actor }) => {
      const change = { name: body.name, description: body.description ?? null, users: body.users ?? [] };
      return { team: presentWrittenTeam(await changeTeam(deps, actor, params.team_name, change)) };
    }),
    route(contract.patchTeam, async ({ params, body }, { actor }) => ({
      team: presentWrittenTeam(await changeTeam(deps, actor, params.team_name, body)),
    })),
    route(contract.deleteTeam, async ({ params }, { actor }) => ({
      removedReferences: await deleteTeam(deps, actor, params.team_name),
    })),
  ];
}

function userRoutes(deps: PeopleDeps): Route[] {
  return [
    route(contract.listUsers, async ({ query }, { actor }) => ({ users: await listUsers(deps, actor, query.fields) })),
    route(contract.getUser, async ({ params, query }, { actor }) => ({
      user: await getUser(deps, actor, params.user_email, query.fields),
    })),
    route(contract.patchUser, async ({ params, body }, { actor }) =>
      presentWholeUser(await changeUser(deps, actor, params.user_email, body), actor.orgId),
    ),
    route(contract.deleteUser, async ({ params }, { actor }) => {
      await removeUser(deps, actor, params.user_email);
      return {};
    }),
  ];
}
