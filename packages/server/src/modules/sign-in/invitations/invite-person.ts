import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockPerson } from '../../accounts/index.ts';
import type { NewUser } from '../../people/index.ts';
import { type Account, findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { endLinks } from '../passwords/link.store.ts';
import { type MadeLink, makeLink } from '../passwords/make-link.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { type Invitation, listInvitationRows, putInvitation, setMailState } from './invitation.store.ts';
import { assertMayMail } from './mail-bounds.ts';
import { mailLinkRequest } from './mail-link-request.ts';

export interface MadeInvitation {
  readonly invitation: Invitation;
  /** To hand over; shown once. */
  readonly link: MadeLink;
}

interface Carriers {
  /** Whether an e-mail is wanted; none is sent without a mail server. */
  readonly mail: boolean;
}

/** JSON pointer of the user in a request of the older operation. */
const inInvitee = '/invitee';

/**
 * Creates a user who is invited, or staged and told nothing if `notify` is false. The link goes by mail alone.
 * @throws AppError `identifier_taken`, `invalid_request` (roles, teams), `user_limit_reached`, `too_many_requests`
 */
export function inviteUser(
  deps: SignInDeps,
  actor: Actor,
  invitee: NewUser,
  { notify }: { readonly notify: boolean },
): Promise<void> {
  return deps.unitOfWork(actor, async (work) => {
    const status = notify ? 'Invited' : 'Staged';
    const user = await deps.people.createUser(work, { ...invitee, status }, inInvitee);
    if (!notify) return;
    const account = await accountToInvite(work, user.identifier);
    await beginInvitation(work, account, true);
    await mailLink(deps, work, account).catch(async (error: unknown) => {
      // who may create the user but not become them invites all the same; an administrator sends the link
      if (!(error instanceof AppError) || error.code === 'too_many_requests') throw error;
      await setMailState(work.tx, byKeys(account), 'failed', work.now, error.message);
    });
  });
}

/**
 * Creates a user with a link to hand over, and mails another one if wanted.
 * @throws AppError `identifier_taken`, `invalid_request` (roles, teams), `user_limit_reached`; `insufficient_scope`,
 * `missing_permissions` if the user gets more rights than the caller may give; `too_many_requests`
 */
export function createInvitation(
  deps: SignInDeps,
  actor: Actor,
  invitee: NewUser,
  carriers: Carriers,
): Promise<MadeInvitation> {
  return deps.unitOfWork(actor, async (work) => {
    const user = await deps.people.createUser(work, { ...invitee, status: 'Invited' });
    const account = await accountToInvite(work, user.identifier);
    await beginInvitation(work, account, true);
    return sendInvitation(deps, work, account, carriers);
  });
}

/**
 * Makes a new link for somebody who never signed in; earlier ones end.
 * @throws AppError `not_found` for everybody else; `insufficient_scope`, `missing_permissions`, `user_limit_reached`,
 * `too_many_requests`
 */
export function renewInvitation(
  deps: SignInDeps,
  actor: Actor,
  email: string,
  carriers: Carriers,
): Promise<MadeInvitation> {
  return deps.unitOfWork(actor, async (work) => {
    const account = await accountToInvite(work, email);
    if (account.status === 'Staged') await deps.people.changeUser(work, account.identifier, { status: 'Invited' });
    await endLinks(work.tx, account.orgId, account.key, 'replaced', work.now);
    await beginInvitation(work, account, false);
    return sendInvitation(deps, work, account, carriers);
  });
}

/** @throws AppError `not_found` for whoever has signed in, may not, or is not there */
async function accountToInvite({ tx, actor }: Work, email: string): Promise<Account> {
  const named = await findAccount(tx, actor.orgId, email);
  // somebody who uses a link meanwhile is waited for, and has signed in then
  const person = named && (await lockPerson(tx, actor.orgId, named.identifier));
  const account = person && (await findAccountByKey(tx, actor.orgId, person.key));
  if (!account || !maySignIn(account) || account.lastLoginAt !== null) {
    throw notFound('User who may sign in and never did', email, 'email');
  }
  return account;
}

async function beginInvitation(work: Work, account: Account, createdUser: boolean): Promise<void> {
  const { tx, actor, now } = work;
  await putInvitation(tx, { ...byKeys(account), invitedBy: actor.id, at: now, createdUser });
  work.record({
    event: 'user.invited',
    action: 'OTHER',
    resourceType: 'user',
    identifier: account.identifier,
    context: {},
    message: `Invited by ${actor.id}`,
  });
}

async function sendInvitation(
  deps: SignInDeps,
  work: Work,
  account: Account,
  { mail }: Carriers,
): Promise<MadeInvitation> {
  const link = await makeLink(deps, work, account, 'hand');
  if (mail) await mailLink(deps, work, account);
  const [invitation] = await listInvitationRows(work.tx, account.orgId, work.now, account.key);
  if (!invitation) throw new Error(`The invitation of ${account.identifier} is not there after it was written`);
  return { invitation, link };
}

/** A link of its own for the message, so that neither its secret nor that of the other link is stored. */
async function mailLink(deps: SignInDeps, work: Work, account: Account): Promise<void> {
  if (!deps.mailer) return;
  await assertMayMail(work, account.identifier);
  const { id } = await makeLink(deps, work, account, 'mail');
  await setMailState(work.tx, byKeys(account), 'waiting', work.now);
  await work.enqueue(mailLinkRequest, { linkId: id });
}

function byKeys({ orgId, key }: Account): { readonly orgId: string; readonly userKey: string } {
  return { orgId, userKey: key };
}
