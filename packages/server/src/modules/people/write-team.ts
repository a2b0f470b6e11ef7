import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  lockPerson,
  lockTeam,
  type NamedTeam,
  orderMembers,
  permitPerson,
  permitTeam,
  putPerson,
  putTeam,
  teamRules,
} from '../accounts/index.ts';
import { teamToChange, usersNamed } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';
import { holdPeople, moveMembers, type PeopleBlueprints, writePeople } from './people-entities.ts';
import { permitNaming } from './permit-naming.ts';
import { findTeamByIdentifier, lockTeamIdentifiers, type TeamWithMembers } from './team.store.ts';
import { freeIdentifier } from './team-identifier.ts';
import type { UserWithTeams } from './user.store.ts';

export interface NewTeam {
  readonly name: string;
  readonly description?: string | undefined;
  /** Addresses of the members, in their order. */
  readonly users?: readonly string[] | undefined;
}

/** Undefined members stay. */
export interface TeamChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly users?: readonly string[] | undefined;
}

/** @throws AppError `identifier_taken` for a name in use, `invalid_request` for addresses that nobody has */
export function createTeam(deps: PeopleDeps, actor: Actor, input: NewTeam): Promise<TeamWithMembers> {
  return deps.unitOfWork(actor, (work) => createTeamWithin(deps, work, input));
}

/** Within the caller's unit of work. */
export async function createTeamWithin(deps: PeopleDeps, work: Work, input: NewTeam): Promise<TeamWithMembers> {
  const { tx, actor } = work;
  const held = await holdPeople(work);
  await lockTeamIdentifiers(tx, actor.orgId);
  const members = await findMembers(work, input.users ?? []);
  const identifier = await freeIdentifier(tx, actor.orgId, input.name, actor.model);
  await writeTeam(deps, work, held, undefined, {
    identifier,
    title: input.name,
    description: input.description ?? null,
  });
  return withMembers(deps, work, held, identifier, members);
}

/**
 * Another name renames the team.
 * @throws AppError as `createTeam`, and `not_found`
 */
export function changeTeam(deps: PeopleDeps, actor: Actor, name: string, change: TeamChange): Promise<TeamWithMembers> {
  return deps.unitOfWork(actor, async (work) => {
    const held = await holdPeople(work);
    return changeHeld(deps, work, held, await teamToChange(work, name), change);
  });
}

/** Within the caller's unit of work. */
export async function changeTeamWithin(
  deps: PeopleDeps,
  work: Work,
  identifier: string,
  change: TeamChange,
): Promise<TeamWithMembers> {
  const held = await holdPeople(work);
  return changeHeld(deps, work, held, await teamByIdentifier(work, identifier), change);
}

async function changeHeld(
  deps: PeopleDeps,
  work: Work,
  held: PeopleBlueprints | undefined,
  team: TeamWithMembers,
  change: TeamChange,
): Promise<TeamWithMembers> {
  const members = change.users && (await findMembers(work, change.users));
  const title = change.name ?? team.name;
  const description = change.description === undefined ? team.description : change.description;
  if (title !== team.name || description !== team.description) {
    await writeTeam(deps, work, held, team, { identifier: team.identifier, title, description });
  }
  return withMembers(deps, work, held, team.identifier, members);
}

async function findMembers({ tx, actor }: Work, addresses: readonly string[]): Promise<readonly UserWithTeams[]> {
  const { users, issues } = await usersNamed(tx, actor.orgId, addresses, '/users');
  if (issues.length > 0) throw invalidRequest(issues, 'The team');
  return users;
}

async function writeTeam(
  deps: PeopleDeps,
  work: Work,
  held: PeopleBlueprints | undefined,
  before: TeamWithMembers | undefined,
  team: NamedTeam,
): Promise<void> {
  const { identifier, title, description } = team;
  if (held) {
    const item = { identifier, title, properties: { description } };
    await inTermsOfTeams(() => writePeople(deps, work, held.teams, [item], before ? 'existing' : 'new'));
    return;
  }
  if (title !== before?.name) permitNaming(work.actor);
  if (before && !(await lockTeam(work.tx, work.actor.orgId, identifier))) {
    throw new AppError('not_found', `The team "${before.name}" was removed meanwhile`);
  }
  const permitted = await permitTeam(work, team);
  const judge = await teamRules(work, [title], '/name');
  judge(before, { identifier, name: title });
  await putTeam(work, permitted);
}

/** The catalog's issues name fields of the entity; these are renamed to fields of the team. */
async function inTermsOfTeams(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.details)) throw error;
    const fields: Readonly<Record<string, string>> = { '/title': '/name', '/properties/description': '/description' };
    const details = error.details.map((issue) => ({ ...issue, path: fields[issue.path] ?? issue.path }));
    throw new AppError(error.code, error.message, { details, cause: error });
  }
}

/** Undefined keeps the members. */
async function withMembers(
  deps: PeopleDeps,
  work: Work,
  held: PeopleBlueprints | undefined,
  identifier: string,
  members: readonly UserWithTeams[] | undefined,
): Promise<TeamWithMembers> {
  const { tx, actor } = work;
  const team = await teamByIdentifier(work, identifier);
  if (!members) return team;
  const wanted = new Set(members.map(({ key }) => key));
  const current = new Set(team.members.map(({ key }) => key));
  const joining = members.filter(({ key }) => !current.has(key)).map((user) => user.identifier);
  const leaving = team.members.filter(({ key }) => !wanted.has(key)).map(({ email }) => email);
  if (held) await moveMembers(deps, work, held.users, team, { joining, leaving });
  else await moveRows(work, team.key, { joining, leaving });
  const keys = members.map(({ key }) => key);
  await orderMembers(tx, actor.orgId, team.key, keys);
  return teamByIdentifier(work, identifier);
}

async function moveRows(
  work: Work,
  teamKey: string,
  moves: { readonly joining: readonly string[]; readonly leaving: readonly string[] },
): Promise<void> {
  for (const identifier of [...moves.joining, ...moves.leaving].sort()) {
    const person = await lockPerson(work.tx, work.actor.orgId, identifier);
    if (!person) throw new AppError('not_found', `The user "${identifier}" was removed meanwhile`);
    const { key: _key, teamRefs, ...state } = person;
    const others = teamRefs.filter((each) => each !== teamKey);
    const teamKeys = moves.joining.includes(identifier) ? [...others, teamKey] : others;
    await putPerson(work, await permitPerson(work, { ...state, teamKeys }));
  }
}

async function teamByIdentifier({ tx, actor }: Work, identifier: string): Promise<TeamWithMembers> {
  const team = await findTeamByIdentifier(tx, actor.orgId, identifier);
  if (!team)
    throw new AppError('internal_error', `The team "${identifier}" is not there, though it was found or written`);
  return team;
}
