import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdBlueprint, ownershipPath, type StoredBlueprint } from '../blueprints/index.ts';
import { lockEntities, toEntityWrite, writeEntities } from '../entities/index.ts';
import type { PeopleDeps } from './people.deps.ts';

/** `_user` and `_team`, locked until the transaction ends. */
export interface PeopleBlueprints {
  readonly users: StoredBlueprint;
  readonly teams: StoredBlueprint;
}

/** Undefined in organizations of the older model, which keep users and teams in tables only. */
export async function holdPeople({ tx, actor }: Work): Promise<PeopleBlueprints | undefined> {
  if (actor.model === 'legacy') return undefined;
  const teams = await holdBlueprint(tx, actor.orgId, '_team');
  const users = await holdBlueprint(tx, actor.orgId, '_user');
  if (!teams || !users) throw new Error(`The organization ${actor.orgId} has no blueprint of users or teams`);
  return { users, teams };
}

type Body = Parameters<typeof toEntityWrite>[0];
export type PeopleItem = Body & { readonly identifier: string; readonly teamRefs?: readonly string[] | undefined };

/**
 * Merges entities of users or teams through the catalog's write path; all or none.
 * @throws AppError as the catalog's write
 */
export async function writePeople(
  { catalog }: Pick<PeopleDeps, 'catalog'>,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly PeopleItem[],
  expects: 'new' | 'existing',
): Promise<void> {
  if (items.length === 0) return;
  const options = { mode: 'merge', expects, createMissingRelated: false } as const;
  const named = items.map(({ teamRefs, ...body }) => ({ ...toEntityWrite(body), teamRefs }));
  for (const outcome of await writeEntities(catalog, work, blueprint, named, options)) {
    if ('error' in outcome) throw outcome.error;
  }
}

/** The part of a user's entity that names teams: in the beta model an inherited relation, otherwise `team`. */
export function teamsOfBody(
  users: StoredBlueprint,
  teams: readonly { readonly key: string; readonly identifier: string }[],
): Pick<PeopleItem, 'relations' | 'teamRefs'> {
  return ownershipPath(users.definition) === undefined
    ? { teamRefs: teams.map(({ key }) => key) }
    : { relations: { teams: teams.map(({ identifier }) => identifier) } };
}

/** Adds and removes members through the users' entities; unknown team names on them stay. */
export async function moveMembers(
  deps: Pick<PeopleDeps, 'catalog'>,
  work: Work,
  users: StoredBlueprint,
  team: { readonly key: string; readonly identifier: string },
  moves: { readonly joining: readonly string[]; readonly leaving: readonly string[] },
): Promise<void> {
  const { tx, actor } = work;
  const locked = await lockEntities(tx, actor.orgId, users.key, [...moves.joining, ...moves.leaving]);
  const isInherited = ownershipPath(users.definition) !== undefined;
  const items = locked.map((user): PeopleItem => {
    const isJoining = moves.joining.includes(user.identifier);
    const moved = (list: readonly string[], name: string) => {
      const others = list.filter((each) => each !== name);
      return isJoining ? [...others, name] : others;
    };
    const { identifier, relations, ownTeamRefs } = user;
    if (!isInherited) return { identifier, teamRefs: moved(ownTeamRefs, team.key) };
    const related = relations['teams'] ?? [];
    const list = typeof related === 'string' ? [related] : related;
    return { identifier, relations: { teams: moved(list, team.identifier) } };
  });
  const missing = moves.joining.find((identifier) => !locked.some((user) => user.identifier === identifier));
  if (missing !== undefined) throw new AppError('not_found', `The user "${missing}" was removed meanwhile`);
  await writePeople(deps, work, users, items, 'existing');
}
