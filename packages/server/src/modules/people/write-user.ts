import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  findTeamsByIdentifier,
  lockPeople,
  lockPerson,
  type PersonNames,
  type PersonState,
  permitPerson,
  personRules,
  putPerson,
  setNames,
} from '../accounts/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { findNamedUser, teamsNamed } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';
import { holdPeople, type PeopleBlueprints, teamsOfBody, writePeople } from './people-entities.ts';
import { readRoles } from './roles.ts';
import type { TeamRow } from './team.store.ts';
import { findUser, type UserWithTeams } from './user.store.ts';

type Status = 'Staged' | 'Invited' | 'Active' | 'Disabled';

/** Undefined members stay. */
export interface UserChange {
  readonly names?: PersonNames | undefined;
  readonly status?: Status | undefined;
  /** `Admin`, `Member`, `<blueprint>-moderator`. */
  readonly roles?: readonly string[] | undefined;
  /** Names or identifiers; replace the current teams. */
  readonly teams?: readonly string[] | undefined;
  /** The same, already resolved to identifiers. */
  readonly teamIdentifiers?: readonly string[] | undefined;
}

export interface NewUser extends UserChange {
  readonly email: string;
}

/** JSON pointer of the change in the request. */
const inBody = '';

/**
 * Within the caller's unit of work; staged and a member by default.
 * @throws AppError `identifier_taken`, `invalid_request` (roles, teams), `user_limit_reached`
 */
export async function createUserWithin(
  deps: PeopleDeps,
  work: Work,
  { email, ...change }: NewUser,
  at: string = inBody,
): Promise<UserWithTeams> {
  const { tx, actor } = work;
  const held = await holdPeople(work);
  // no entity lock serializes two creations of one user here
  if (!held) await lockPeople(tx, actor.orgId);
  const known = await findUser(tx, actor.orgId, email);
  if (known) throw addressTaken(email, known.identifier, `${at}/email`);
  await writeUser(deps, work, held, undefined, email, await settled(work, change, at));
  return written(work, email);
}

/** @throws AppError `not_found`, `invalid_request`, `last_administrator`, `missing_permissions` */
export function changeUser(deps: PeopleDeps, actor: Actor, email: string, change: UserChange): Promise<UserWithTeams> {
  return deps.unitOfWork(actor, (work) => changeUserWithin(deps, work, email, change));
}

/** Within the caller's unit of work. */
export async function changeUserWithin(
  deps: PeopleDeps,
  work: Work,
  email: string,
  change: UserChange,
): Promise<UserWithTeams> {
  const { tx, actor } = work;
  const held = await holdPeople(work);
  const user = await findNamedUser(tx, actor.orgId, email);
  await writeUser(deps, work, held, user, user.identifier, await settled(work, change, inBody));
  return written(work, user.identifier);
}

type ResolvedUserChange = Partial<Omit<PersonState, 'identifier' | 'type'>> & {
  readonly names?: PersonNames | undefined;
  readonly teams?: readonly Pick<TeamRow, 'key' | 'identifier'>[] | undefined;
};

/** @throws AppError `invalid_request` listing every unknown role and team */
async function settled(
  work: Work,
  { names, status, roles, teams: named, teamIdentifiers }: UserChange,
  at: string,
): Promise<ResolvedUserChange> {
  const { tx, actor } = work;
  const issues: Issue[] = [];
  const isModerating = roles?.some((role) => role.toLowerCase().endsWith('-moderator')) ?? false;
  const blueprints = isModerating ? await listBlueprintRows(tx, actor.orgId) : [];
  const identifiers = blueprints.map(({ identifier }) => identifier);
  const read = roles && readRoles(roles, identifiers, `${at}/roles`);
  issues.push(...(read?.issues ?? []));
  const found = named && (await teamsNamed(work, named, `${at}/teams`));
  issues.push(...(found?.issues ?? []));
  if (issues.length > 0) throw invalidRequest(issues, 'The user');
  return {
    ...(names ? { names, title: [names.firstName, names.lastName].filter(Boolean).join(' ') || null } : {}),
    ...(status ? { status } : {}),
    ...read?.standing,
    teams: teamIdentifiers ? await findTeamsByIdentifier(tx, actor.orgId, teamIdentifiers) : found?.teams,
  };
}

async function writeUser(
  deps: PeopleDeps,
  work: Work,
  held: PeopleBlueprints | undefined,
  before: UserWithTeams | undefined,
  identifier: string,
  { names, teams, ...state }: ResolvedUserChange,
): Promise<void> {
  const { tx, actor } = work;
  if (held) {
    const properties = {
      ...(state.status === undefined ? {} : { status: state.status }),
      ...(state.role === undefined ? {} : { port_role: state.role }),
      ...(state.moderatedBlueprints === undefined ? {} : { moderated_blueprints: [...state.moderatedBlueprints] }),
    };
    const title = state.title === undefined ? {} : { title: state.title };
    const item = { identifier, ...title, properties, ...(teams ? teamsOfBody(held.users, teams) : {}) };
    await writePeople(deps, work, held.users, [item], before ? 'existing' : 'new');
  } else await writeRow(work, before !== undefined, identifier, state, teams);
  if (names) await setNames(tx, actor.orgId, identifier, names);
}

const newcomer = { title: null, status: 'Staged', role: 'Member', type: 'Standard', moderatedBlueprints: [] };

async function writeRow(
  work: Work,
  isThere: boolean,
  identifier: string,
  state: Omit<ResolvedUserChange, 'names' | 'teams'>,
  teams: ResolvedUserChange['teams'],
): Promise<void> {
  const person = isThere ? await lockPerson(work.tx, work.actor.orgId, identifier) : undefined;
  if (isThere && !person) throw new AppError('not_found', `The user "${identifier}" was removed meanwhile`);
  const { key: _key, teamRefs, ...before } = person ?? { key: '', teamRefs: [], identifier, ...newcomer };
  const after = { ...before, ...state };
  const permitted = await permitPerson(work, { ...after, teamKeys: teams ? teams.map(({ key }) => key) : teamRefs });
  const judge = await personRules(work, [identifier], []);
  await judge(person && before, after);
  await putPerson(work, permitted);
}

async function written({ tx, actor }: Work, identifier: string): Promise<UserWithTeams> {
  const user = await findUser(tx, actor.orgId, identifier);
  if (!user) throw new AppError('internal_error', `The user "${identifier}" is not there after it was written`);
  return user;
}

function addressTaken(email: string, holder: string, path: string): AppError {
  return new AppError('identifier_taken', `The address "${email}" is taken by the user "${holder}"`, {
    details: [{ path, message: `is taken by "${holder}"` }],
  });
}
