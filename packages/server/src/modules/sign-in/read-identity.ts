import { type Actor, isAdmin } from '../../platform/actor.ts';
import { findOrganization } from '../organizations/index.ts';
import { findOwnUser } from './account.store.ts';
import { findOther } from './sessions/entered.store.ts';
import { listOwnSessions } from './sessions/own-sessions.ts';
import type { SessionRow } from './sessions/session.store.ts';
import { deriveCsrfToken } from './sessions/session-gate.ts';
import type { SignInDeps } from './sign-in.deps.ts';

/** `cookie` is the session's, if the request has one. */
export async function readIdentity(deps: SignInDeps, actor: Actor, cookie: string | undefined) {
  const { database } = deps;
  const organization = await findOrganization(database, actor.orgId);
  const user = actor.userId === undefined ? undefined : await findOwnUser(database, actor.orgId, actor.userId);
  const other = actor.userId === undefined ? undefined : await findOther(database, actor.orgId);
  const sessions = await listOwnSessions(deps, actor);
  const session = sessions.find(({ id }) => id === actor.credentialId);
  return {
    user: user ? { ...user, teams: [...user.teams] } : null,
    roles: [...actor.roles],
    access: isAdmin(actor) ? ['token' as const, 'admin' as const] : ['token' as const],
    organization: { id: actor.orgId, name: organization?.name ?? '', isDemo: organization?.demoOf != null },
    otherOrganization: other ? { id: other.id, name: other.name, isDemo: other.demoOf !== null } : null,
    session: session ? presentSession(session, actor) : null,
    csrfToken: session && cookie !== undefined ? deriveCsrfToken(cookie) : null,
  };
}

export function presentSession(session: SessionRow, { credentialId }: Actor) {
  return {
    id: session.id,
    method: session.method,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    userAgent: session.userAgent,
    address: session.address,
    isCurrent: session.id === credentialId,
  };
}
