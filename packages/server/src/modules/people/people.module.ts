import type { Route } from '../../platform/http/route.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { deleteTeamWithin } from './delete-team.ts';
import type { PeopleDeps } from './people.deps.ts';
import { peopleRoutes } from './people.routes.ts';
import { peopleTools } from './people.tools.ts';
import { removeUserWithin } from './remove-user.ts';
import { changeTeamWithin, createTeamWithin, type NewTeam, type TeamChange } from './write-team.ts';
import { changeUserWithin, createUserWithin, type NewUser, type UserChange } from './write-user.ts';

/** Users and teams in every model. All functions run within the caller's unit of work. */
export interface People {
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  /** `at` is the place of the user in the request, for issues. */
  createUser(work: Work, user: NewUser, at?: string): ReturnType<typeof createUserWithin>;
  changeUser(work: Work, email: string, change: UserChange): ReturnType<typeof changeUserWithin>;
  removeUser(work: Work, email: string): Promise<void>;
  createTeam(work: Work, team: NewTeam): ReturnType<typeof createTeamWithin>;
  changeTeam(work: Work, identifier: string, change: TeamChange): ReturnType<typeof changeTeamWithin>;
  deleteTeam(work: Work, team: Parameters<typeof deleteTeamWithin>[1]): ReturnType<typeof deleteTeamWithin>;
}

export function createPeople(deps: PeopleDeps): People {
  return {
    routes: peopleRoutes(deps),
    tools: peopleTools(deps),
    createUser: (work, user, at) => createUserWithin(deps, work, user, at),
    changeUser: (work, email, change) => changeUserWithin(deps, work, email, change),
    removeUser: removeUserWithin,
    createTeam: (work, team) => createTeamWithin(deps, work, team),
    changeTeam: (work, identifier, change) => changeTeamWithin(deps, work, identifier, change),
    deleteTeam: deleteTeamWithin,
  };
}
