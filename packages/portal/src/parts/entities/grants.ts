import type { BlueprintPermissions } from '@portolan/contract/blueprint-permissions';
import type { Session } from '../../api/session.ts';

export type Grant = BlueprintPermissions['entities']['read'];

/**
 * Whether to offer something. This is no security check: the server authorizes, and a policy or ownership may still
 * refuse.
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
