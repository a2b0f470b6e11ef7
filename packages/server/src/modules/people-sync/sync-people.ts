import type { Work } from '../../platform/unit-of-work.ts';
import type { PermittedWrite } from '../access/index.ts';
import {
  findTeamsByIdentifier,
  type NamedTeam,
  type PersonState,
  personRules,
  putPerson,
  putTeam,
  removePerson,
  removeTeams,
  renameTeam,
} from '../accounts/index.ts';
import { ownershipPath, removeTeamsFromRights, type StoredBlueprint } from '../blueprints/index.ts';
import type { ChangedEntity } from '../derived/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import { removeTeamsFromEntities } from './people-entities.store.ts';

/** Users and teams of `identity` follow the entities that stand for them, in the same transaction. */
export async function syncPeople(
  work: Work,
  blueprint: StoredBlueprint,
  written: readonly PermittedWrite[],
): Promise<void> {
  for (const { before, draft, person, team } of written) {
    if (blueprint.identifier === '_team') {
      if (!team) throw new Error(`Nobody has permitted the team ${draft.identifier}`);
      // a team keeps its key under another identifier
      if (before && before.identifier !== team.identifier) await renameTeam(work, before.identifier, team);
      await putTeam(work, team);
    }
    if (blueprint.identifier === '_user') {
      if (!person) throw new Error(`Nobody has permitted the user ${draft.identifier}`);
      await putPerson(work, person);
    }
  }
}

/** What the entity says of the team it stands for. */
export function toNamedTeam({
  identifier,
  title,
  properties,
}: Pick<StoredEntity, 'identifier' | 'title' | 'properties'>): NamedTeam {
  return { identifier, title: title ?? identifier, description: stringOrNull(properties['description']) };
}

/** What the entity says of the user it stands for. */
export function toPersonState({
  identifier,
  title,
  properties,
}: Pick<StoredEntity, 'identifier' | 'title' | 'properties'>): PersonState {
  return {
    identifier,
    title,
    status: stringOrNull(properties['status']) ?? 'Staged',
    role: stringOrNull(properties['port_role']) ?? 'Member',
    type: stringOrNull(properties['port_type']) ?? 'Standard',
    moderatedBlueprints: (properties['moderated_blueprints'] as string[] | undefined) ?? [],
  };
}

/**
 * Users and teams whose entities are gone are gone, and nothing refers to such a team any more. Answers the entities
 * that did. @throws AppError `last_administrator`
 */
export async function removeUsersAndTeams(
  work: Work,
  blueprint: string,
  gone: readonly StoredEntity[],
): Promise<ChangedEntity[]> {
  if (blueprint === '_user') {
    const judge = await personRules(work, [], []);
    for (const user of gone) {
      await judge(toPersonState(user), undefined);
      await removePerson(work, user.identifier);
    }
  }
  if (blueprint !== '_team') return [];
  const keys = await removeTeams(
    work,
    gone.map(({ identifier }) => identifier),
  );
  return removeTeamReferences(work, keys);
}

/** No entity and no right refers to the teams any more. Answers the entities that did. */
export async function removeTeamReferences(work: Work, keys: readonly string[]): Promise<ChangedEntity[]> {
  await removeTeamsFromRights(work, keys);
  const changed = await removeTeamsFromEntities(work.tx, work.actor.orgId, keys);
  return changed.map((row) => ({ ...row, names: new Set(['$team']) }));
}

/** Memberships are the user's own teams, or in the beta a relation to them. */
export async function teamsOfUser(
  { tx, actor }: Work,
  blueprint: StoredBlueprint,
  { ownTeamRefs, relations }: Pick<StoredEntity, 'ownTeamRefs' | 'relations'>,
): Promise<readonly string[]> {
  if (ownershipPath(blueprint.definition) === undefined) return ownTeamRefs;
  const teams = relations['teams'] ?? [];
  const found = await findTeamsByIdentifier(tx, actor.orgId, typeof teams === 'string' ? [teams] : teams);
  return found.map(({ key }) => key);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
