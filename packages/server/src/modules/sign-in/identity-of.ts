import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { findOrganization } from '../organizations/index.ts';
import { listOwnSessions } from './sessions/own-sessions.ts';
import type { SessionRow } from './sessions/session.store.ts';
import { csrfTokenOf } from './sessions/session-gate.ts';
import type { SignInDeps } from './sign-in.deps.ts';

interface UserRow {
  readonly email: string;
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly picture: string | null;
  readonly status: string;
  readonly teams: readonly { readonly identifier: string; readonly name: string }[];
}

/** Who a request is made as; `cookie` is the session's, if it was made with one. */
export async function identityOf(deps: SignInDeps, actor: Actor, cookie: string | undefined) {
  const { database } = deps;
  const organization = await findOrganization(database, actor.orgId);
  const user = actor.userId === undefined ? undefined : await findUser(deps, actor.orgId, actor.userId);
  const sessions = await listOwnSessions(deps, actor);
  const session = sessions.find(({ id }) => id === actor.credentialId);
  return {
    user: user ? { ...user, teams: [...user.teams] } : null,
    roles: [...actor.roles],
    organization: { id: actor.orgId, name: organization?.name ?? '' },
    session: session ? presentSession(session, actor) : null,
    csrfToken: session && cookie !== undefined ? csrfTokenOf(cookie) : null,
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

function findUser({ database }: SignInDeps, orgId: string, email: string): Promise<UserRow | undefined> {
  return database.first<UserRow>(sql`
    select u.identifier as email, u.title as name, u.first_name as "firstName", u.last_name as "lastName", u.picture,
      u.status,
      coalesce((select jsonb_agg(jsonb_build_object('identifier', t.identifier, 'name', t.title) order by t.title)
        from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
        where m.org_id = u.org_id and m.user_key = u.key), '[]') as teams
    from users u where u.org_id = ${orgId} and u.identifier = ${email}`);
}
