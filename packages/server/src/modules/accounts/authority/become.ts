import type { Authority } from '../../../platform/authority.ts';
import type { Reader } from '../../../platform/db/database.ts';
import type { Person } from '../person.types.ts';
import { toRoles } from '../user-actor.ts';
import { carryingTeams, rightsOfAddress } from './carried-rights.ts';
import { everything, type Gain, type Permitted, permit } from './permit.ts';

/** Another user whose way to sign in is about to be made: a link or a secret. */
export interface BecomingPerson {
  readonly person: Person;
  /** Whether nobody has acted as this person yet. */
  readonly isUnused: boolean;
}

/**
 * Permits making a way to act as a user: for oneself within the token's scopes; for others to unrestricted
 * administrators, whose authority covers theirs. For the first way in of a plain member the right to admit users is
 * enough.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitBecoming<T>(
  reader: Reader,
  maker: { readonly orgId: string; readonly userId?: string | undefined; readonly authority: Authority },
  way: T,
  { person, isUnused }: BecomingPerson,
): Promise<Permitted<T>> {
  return permit(maker.authority, way, [await findGain(reader, maker, person, isUnused)]);
}

async function findGain(
  reader: Reader,
  { orgId, userId }: { readonly orgId: string; readonly userId?: string | undefined },
  person: Person,
  isUnused: boolean,
): Promise<Gain> {
  const { identifier, role, moderatedBlueprints, teamKeys } = person;
  const change = `making a way to act as "${identifier}"`;
  if (userId === identifier) return { change, authority: { roles: toRoles(role, moderatedBlueprints), teamKeys } };
  const isPlain = isUnused && (await isPlainMember(reader, orgId, person));
  if (!isPlain) return { change, authority: everything };
  return { change, authority: { roles: ['Admin'], teamKeys: [], scopes: ['create:users'] } };
}

/** Whether the person has nothing beyond what every member has. */
async function isPlainMember(reader: Reader, orgId: string, person: Person): Promise<boolean> {
  const { identifier, role, type, moderatedBlueprints, teamKeys } = person;
  if (type !== 'Standard' || toRoles(role, moderatedBlueprints).some((each) => each !== 'Member')) return false;
  if ((await carryingTeams(reader, orgId, teamKeys)).length > 0) return false;
  return (await rightsOfAddress(reader, orgId, identifier)).length === 0;
}
