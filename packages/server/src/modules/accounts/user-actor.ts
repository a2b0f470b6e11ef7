import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { findUserRow } from './actor.store.ts';

/** The actor of a user, and whether the account is disabled. */
export async function findUserActor(
  reader: Reader,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  identifier: string,
): Promise<{ readonly actor: Actor; readonly isDisabled: boolean } | undefined> {
  const row = await findUserRow(reader, orgId, identifier);
  if (!row) return undefined;
  const actor: Actor = {
    orgId,
    model,
    kind: 'person',
    id: row.identifier,
    userId: row.identifier,
    roles: toRoles(row.role, row.moderatedBlueprints),
    teamKeys: row.teamKeys,
    datasource: '',
    origin: 'API',
  };
  return { actor, isDisabled: row.status === 'Disabled' };
}

/** A moderator has a member's role too (users-and-teams §5.1). */
export function toRoles(role: string, moderatedBlueprints: readonly string[]): string[] {
  const moderated = role === 'Moderator' ? moderatedBlueprints : [];
  return [role === 'Admin' ? 'Admin' : 'Member', ...moderated.map((blueprint) => `${blueprint}-moderator`)];
}
