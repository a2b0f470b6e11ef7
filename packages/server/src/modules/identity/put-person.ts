import { newId } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  deleteTeamRows,
  deleteUserRow,
  renameTeamRow,
  setMemberships,
  upsertTeam,
  upsertUser,
} from './people.store.ts';

export interface Person {
  /** E-mail address. */
  readonly identifier: string;
  readonly title: string | null;
  readonly status: string;
  readonly role: string;
  readonly type: string;
  readonly moderatedBlueprints: readonly string[];
  readonly teamKeys: readonly string[];
}

/** Creates or changes a user with its memberships, within the caller's unit of work; keys never change. */
export async function putPerson({ tx, actor, now }: Work, person: Person): Promise<void> {
  const { teamKeys, ...user } = person;
  const key = await upsertUser(tx, { ...user, orgId: actor.orgId, key: newId('u_'), at: now });
  await setMemberships(tx, actor.orgId, key, teamKeys);
}

/** Removes a user and its memberships, and revokes its credentials. */
export async function removePerson({ tx, actor }: Work, identifier: string): Promise<void> {
  await deleteUserRow(tx, actor.orgId, identifier);
}

/** Creates or changes a team; its key never changes. */
export async function putTeam(
  { tx, actor, now }: Work,
  team: { readonly identifier: string; readonly title: string | null; readonly description: string | null },
): Promise<void> {
  await upsertTeam(tx, {
    orgId: actor.orgId,
    key: newId('t_'),
    identifier: team.identifier,
    title: team.title ?? team.identifier,
    description: team.description,
    at: now,
  });
}

/** The team keeps its key under another identifier: memberships and references to it stay. */
export async function renameTeam({ tx, actor }: Work, from: string, to: string): Promise<void> {
  await renameTeamRow(tx, actor.orgId, from, to);
}

/** Removes teams and their memberships, and answers their keys: who refers to them must forget them. */
export function removeTeams({ tx, actor }: Work, identifiers: readonly string[]): Promise<string[]> {
  return deleteTeamRows(tx, actor.orgId, identifiers);
}
