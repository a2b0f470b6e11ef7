import type { BlueprintPermissions } from '@portolan/contract/blueprint-permissions';
import type { Session } from '../../api/session.ts';

export type Grant = BlueprintPermissions['entities']['read'];

/**
 * Whether it makes sense to offer something. The server decides: a policy or ownership may still refuse, and nothing that
 * is not offered becomes safe by that.
 */
export function mayBeGranted(grant: Grant | undefined, { roles, user }: Pick<Session, 'roles' | 'user'>): boolean {
  if (!grant || roles.includes('Admin')) return true;
  if (grant.ownedByTeam || grant.policy) return true;
  if (grant.roles.some((role) => roles.includes(role))) return true;
  if (user && grant.users.includes(user.email)) return true;
  return (user?.teams ?? []).some(
    ({ identifier, name }) => grant.teams.includes(identifier) || grant.teams.includes(name),
  );
}
