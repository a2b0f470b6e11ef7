import * as contract from '@portolan/contract/sign-in';
import { AppError } from '../../platform/errors.ts';
import { refuseForeignPage } from '../../platform/http/browser-session.ts';
import { HttpAnswer, type RequestInfo, type Route, route } from '../../platform/http/route.ts';
import { organizationMeant } from './account.store.ts';
import { readCookie } from './cookies.ts';
import { invitationRoutes, presentLink } from './invitations/invitation.routes.ts';
import { changePassword } from './passwords/change-password.ts';
import { createPasswordLink, redeemPasswordLink } from './passwords/password-links.ts';
import { signInWithPassword } from './passwords/sign-in-with-password.ts';
import { presentSession, readIdentity } from './read-identity.ts';
import { endPresentSession, enterOrganization } from './sessions/enter-organization.ts';
import type { Browser } from './sessions/open-session.ts';
import { endOwnSession, endOwnSessions, listOwnSessions } from './sessions/own-sessions.ts';
import type { SessionGate } from './sessions/session-gate.ts';
import { lifeMs } from './sessions/session-times.ts';
import type { SignInDeps } from './sign-in.deps.ts';
import { type Connection, findConnection } from './sso/connection.store.ts';
import { finishSso } from './sso/finish-sso.ts';
import { getConnection, removeConnection, setConnection } from './sso/set-connection.ts';
import { attemptSeconds, redirectUri, startSso } from './sso/start-sso.ts';

export function signInRoutes(deps: SignInDeps, gate: SessionGate): Route[] {
  return [
    ...passwordRoutes(deps, gate),
    ...invitationRoutes(deps, (request) => readBrowser(deps, request)),
    ...sessionRoutes(deps, gate),
    ...ssoRoutes(deps),
    ...connectionRoutes(deps),
  ];
}

function passwordRoutes(deps: SignInDeps, gate: SessionGate): Route[] {
  const signedIn = (cookie: string, request: RequestInfo) => answerSignedIn(deps, gate, cookie, request);
  return [
    route(contract.signIn, async ({ body }, request) => {
      refuseForeignPage(request.headers);
      return signedIn(await signInWithPassword(deps, body, readBrowser(deps, request)), request);
    }),
    route(contract.changePassword, async ({ body }, request) => {
      const cookie = await changePassword(deps, request.actor, body, readBrowser(deps, request));
      return signedIn(cookie, request);
    }),
    route(contract.createPasswordLink, async ({ body }, { actor }) =>
      presentLink(await createPasswordLink(deps, actor, body.email)),
    ),
    route(contract.redeemPasswordLink, async ({ body }, request) => {
      refuseForeignPage(request.headers);
      return signedIn(await redeemPasswordLink(deps, body, readBrowser(deps, request)), request);
    }),
  ];
}

function sessionRoutes(deps: SignInDeps, gate: SessionGate): Route[] {
  const { cookies } = deps;
  return [
    route(contract.getOwnIdentity, (_input, request) =>
      readIdentity(deps, request.actor, readCookie(cookieHeader(request), cookies.session)),
    ),
    route(contract.enterOrganization, async ({ params }, request) => {
      const browser = readBrowser(deps, request);
      const cookie = await enterOrganization(deps, request.actor, params.organization_id, browser);
      return answerSignedIn(deps, gate, cookie, request);
    }),
    route(contract.signOut, async (_input, request) => {
      await endPresentSession(deps, request.actor, readBrowser(deps, request));
      return new HttpAnswer({}, { headers: { 'set-cookie': cookies.clear(cookies.session) } });
    }),
    route(contract.listSessions, async (_input, { actor }) => ({
      sessions: (await listOwnSessions(deps, actor)).map((session) => presentSession(session, actor)),
    })),
    route(contract.revokeSession, async ({ params }, { actor }) => {
      await endOwnSession(deps, actor, params.session_id);
      return {};
    }),
    route(contract.revokeSessions, async ({ query }, { actor }) => ({
      revoked: await endOwnSessions(deps, actor, query.include_current),
    })),
  ];
}

function ssoRoutes(deps: SignInDeps): Route[] {
  const { cookies, database, publicUrl } = deps;
  return [
    route(contract.getSignInOptions, async ({ query }) => {
      const orgId = await organizationMeant(database, query.organization);
      const connection = orgId === undefined ? undefined : await findConnection(database, orgId);
      const named = query.organization === undefined ? '' : `?organization=${encodeURIComponent(query.organization)}`;
      const url = `${publicUrl()}/v1/auth/oidc/start${named}`;
      return { password: true, sso: connection ? { url, issuer: connection.issuer } : null };
    }),
    route(contract.startSso, async ({ query }, request) => {
      const { location, cookie } = await startSso(deps, {
        organization: query.organization,
        returnTo: query.return_to,
        address: request.remoteAddress,
        cookie: readCookie(cookieHeader(request), cookies.attempt),
      });
      return redirect(location, [cookies.set(cookies.attempt, cookie, attemptSeconds)]);
    }),
    route(contract.finishSso, async ({ query }, request) => {
      try {
        const cookie = readCookie(cookieHeader(request), cookies.attempt);
        const browser = readBrowser(deps, request);
        const ended = await finishSso(deps, { state: query.state, query, cookie, browser });
        return redirect(ended.location, [cookies.set(cookies.session, ended.cookie, lifeMs / 1000)]);
      } catch (error) {
        // browsers get a page, programs JSON
        if (!(error instanceof AppError) || !String(request.headers['accept']).includes('text/html')) throw error;
        return redirect(`/sign-in?error=${encodeURIComponent(error.code)}`, []);
      }
    }),
  ];
}

function connectionRoutes(deps: SignInDeps): Route[] {
  const { publicUrl } = deps;
  const answer = (connection: Connection) => ({ connection: presentConnection(connection, publicUrl()) });
  return [
    route(contract.getSsoConnection, async (_input, { actor }) => answer(await getConnection(deps, actor.orgId))),
    route(contract.putSsoConnection, async ({ body }, { actor }) => {
      const { createUsers: createsUsers, createTeams: createsTeams, clientSecret, ...rest } = body;
      return answer(await setConnection(deps, actor, { ...rest, clientSecret, createsUsers, createsTeams }));
    }),
    route(contract.deleteSsoConnection, async (_input, { actor }) => {
      await removeConnection(deps, actor);
      return {};
    }),
  ];
}

function presentConnection(connection: Connection, publicUrl: string) {
  const { issuer, clientId, groupsClaim, updatedBy } = connection;
  return {
    issuer,
    clientId,
    hasClientSecret: connection.sealedSecret !== null,
    scopes: [...connection.scopes],
    groupsClaim,
    groupTeams: connection.groupTeams.map((each) => ({ ...each })),
    createUsers: connection.createsUsers,
    createTeams: connection.createsTeams,
    domains: [...connection.domains],
    redirectUri: redirectUri(publicUrl),
    updatedAt: connection.updatedAt.toISOString(),
    updatedBy,
  };
}

/** The body that `GET /v1/auth/me` returns with the new cookie. */
async function answerSignedIn(deps: SignInDeps, gate: SessionGate, cookie: string, { headers }: RequestInfo) {
  const { cookies } = deps;
  const session = await gate(`${cookies.session}=${cookie}`, String(headers['user-agent'] ?? ''));
  if (!session) throw new Error('A session that was just begun is not known');
  const set = cookies.set(cookies.session, cookie, lifeMs / 1000);
  return new HttpAnswer(await readIdentity(deps, session.actor, cookie), {
    headers: { 'set-cookie': set, 'cache-control': 'no-store' },
  });
}

function redirect(location: string, cookies: readonly string[]) {
  const headers = { location, 'cache-control': 'no-store', ...(cookies[0] ? { 'set-cookie': cookies[0] } : {}) };
  return new HttpAnswer({ ok: true as const, location }, { status: 302, headers });
}

function readBrowser({ cookies }: SignInDeps, request: RequestInfo): Browser {
  return {
    userAgent: String(request.headers['user-agent'] ?? ''),
    address: request.remoteAddress,
    cookie: readCookie(cookieHeader(request), cookies.session),
  };
}

function cookieHeader({ headers }: RequestInfo): string | undefined {
  return typeof headers['cookie'] === 'string' ? headers['cookie'] : undefined;
}
