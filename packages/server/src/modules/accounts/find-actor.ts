import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { findMachineRow, findPersonRow } from './actor.store.ts';
import { toRoles } from './user-actor.ts';

/**
 * The current actor, for work that continues without a request: rights are checked again then. Undefined for users
 * deleted or disabled and credentials deleted or revoked.
 */
export async function findActor(
  reader: Reader,
  orgId: string,
  who: { readonly kind: Actor['kind']; readonly id: string },
): Promise<Actor | undefined> {
  const row = await (who.kind === 'person'
    ? findPersonRow(reader, orgId, who.id)
    : findMachineRow(reader, orgId, who.id));
  if (!row || row.userStatus === 'Disabled') return undefined;
  return {
    orgId,
    model: row.model,
    kind: row.userId === null ? 'machine' : 'person',
    id: row.userId ?? who.id,
    ...(row.userId === null ? {} : { userId: row.userId }),
    roles: toRoles(row.role, row.moderatedBlueprints ?? []),
    teamKeys: row.teamKeys,
    ...(row.scopes === null ? {} : { scopes: row.scopes }),
    datasource: '',
    origin: 'API',
  };
}
