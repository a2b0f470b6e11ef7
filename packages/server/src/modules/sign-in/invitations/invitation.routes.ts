import * as contract from '@portolan/contract/invitations';
import { inviteUser as inviteUserDeclared } from '@portolan/contract/people';
import type { Actor } from '../../../platform/actor.ts';
import { refuseForeignPage } from '../../../platform/http/browser-session.ts';
import { type RequestInfo, type Route, route } from '../../../platform/http/route.ts';
import type { MadeLink } from '../passwords/make-link.ts';
import type { Browser } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { type Invitation, listInvitationRows } from './invitation.store.ts';
import { createInvitation, inviteUser, type MadeInvitation, renewInvitation } from './invite-person.ts';
import { lookAtLink } from './look-at-link.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export function invitationRoutes(deps: SignInDeps, readBrowser: (request: RequestInfo) => Browser): Route[] {
  return [
    route(inviteUserDeclared, async ({ query, body }, { actor }) => {
      await inviteUser(deps, actor, body.invitee, query);
      return {};
    }),
    route(contract.listInvitations, async (_input, { actor }) => ({
      invitations: (await listInvitations(deps, actor)).map(presentInvitation),
      canMail: deps.mailer !== undefined,
    })),
    route(contract.createInvitation, async ({ body: { mail, ...invitee } }, { actor }) =>
      presentMade(await createInvitation(deps, actor, invitee, { mail })),
    ),
    route(contract.renewInvitation, async ({ params, body }, { actor }) =>
      presentMade(await renewInvitation(deps, actor, params.user_email, body)),
    ),
    route(contract.revokeInvitation, async ({ params }, { actor }) => ({
      removed: await revokeInvitation(deps, actor, params.user_email),
    })),
    route(contract.lookAtLink, ({ body }, request) => {
      refuseForeignPage(request.headers);
      return lookAtLink(deps, body.token, readBrowser(request));
    }),
  ];
}

function listInvitations({ database, clock }: SignInDeps, { orgId }: Actor): Promise<Invitation[]> {
  return listInvitationRows(database, orgId, clock.now());
}

function presentMade({ invitation, link }: MadeInvitation) {
  return { invitation: presentInvitation(invitation), link: presentLink(link) };
}

export function presentLink({ url, token, expiresAt }: MadeLink) {
  return { url, token, expiresAt: expiresAt.toISOString() };
}

function presentInvitation(invitation: Invitation) {
  const { email, invitedBy, inviterName, invitedAt, expiresAt, mail, mailAt, mailProblem } = invitation;
  return {
    email,
    invitedBy: invitedBy === null ? null : { id: invitedBy, name: inviterName },
    invitedAt: invitedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    mail: { state: mail ?? ('none' as const), at: mailAt?.toISOString() ?? null, problem: mailProblem },
  };
}
