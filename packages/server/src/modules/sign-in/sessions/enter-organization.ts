import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { type Account, findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { provisioningActor } from '../provisioner.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { findOrigin, findOther, type OtherOrganization } from './entered.store.ts';
import { type Browser, openSession, signingIn } from './open-session.ts';
import { endSessions, requirePerson } from './own-sessions.ts';
import { idleMs } from './session-times.ts';

/**
 * Takes a session from the own organization to the demo beside it, or back, and returns the new cookie. Only a session
 * can: who somebody is at home is not for the other organization to say.
 * @throws AppError `not_found`, `missing_permissions`, `unauthorized` if the session at home has ended
 */
export async function enterOrganization(
  deps: SignInDeps,
  actor: Actor,
  organization: string,
  browser: Browser,
): Promise<string> {
  const email = requirePerson(actor);
  if (actor.origin !== 'UI' || actor.credentialId === undefined) {
    throw new AppError('missing_permissions', 'Only a session of the portal enters another organization');
  }
  const other = await findOther(deps.database, actor.orgId);
  if (other?.id !== organization) throw notFound('Organization', organization, 'id');
  const here = { orgId: actor.orgId, session: actor.credentialId };
  return other.demoOf === null ? goBack(deps, here, other, browser) : enterDemo(deps, here, email, other, browser);
}

interface Here {
  readonly orgId: string;
  readonly session: string;
}

async function enterDemo(
  deps: SignInDeps,
  here: Here,
  email: string,
  demo: OtherOrganization,
  browser: Browser,
): Promise<string> {
  const own = await findAccount(deps.database, here.orgId, email);
  if (!own || !maySignIn(own)) throw ended();
  const platform = provisioningActor({ orgId: demo.id, model: demo.model }, 'sign-in');
  return deps.unitOfWork(platform, async (work) => {
    const account = await joinDemo(deps, work, own);
    const entering = work.beside(signingIn(account, browser));
    return openSession(deps, entering, account, 'password', browser, { enteredFrom: here.session });
  });
}

/** The person as a user of the demo, with the role at home and a team of the demo. */
async function joinDemo({ people, visitorsTeam }: SignInDeps, work: Work, own: Account): Promise<Account> {
  const { tx, actor } = work;
  const roles = [own.role === 'Admin' ? 'Admin' : 'Member'];
  const known = await findAccount(tx, actor.orgId, own.identifier);
  const teamIdentifiers = [visitorsTeam];
  if (!known) await people.createUser(work, { email: own.identifier, roles, status: 'Active', teamIdentifiers });
  else if (own.role === 'Admin' && known.role !== 'Admin') await people.changeUser(work, known.identifier, { roles });
  const account = await findAccount(tx, actor.orgId, own.identifier);
  if (!account || !maySignIn(account)) throw new AppError('sign_in_refused', 'The demo does not let this user in');
  return account;
}

async function goBack(deps: SignInDeps, here: Here, own: OtherOrganization, browser: Browser): Promise<string> {
  const { database, clock, unitOfWork } = deps;
  const origin = await findOrigin(database, here.orgId, own.id, here.session);
  const account = origin && (await findAccountByKey(database, own.id, origin.userKey));
  const now = clock.now();
  if (!origin || !account || !maySignIn(account) || origin.expiresAt <= now) throw ended();
  if (now.getTime() - origin.lastSeenAt.getTime() >= idleMs) throw ended();
  return unitOfWork(signingIn(account, browser), async (work) => {
    // of two concurrent requests one gets it, and the session in the demo ends with the one at home
    if ((await endSessions(work, account.identifier, { only: origin.id })) === 0) throw ended();
    return openSession(deps, work, account, toMethod(origin.method), browser, { endsAt: origin.expiresAt });
  });
}

/** Ends the session of the request, and with one in the demo that at home. */
export async function endPresentSession(deps: SignInDeps, actor: Actor, browser: Browser): Promise<void> {
  if (actor.origin !== 'UI' || actor.credentialId === undefined) return;
  const own = await findOther(deps.database, actor.orgId);
  const origin = own && (await findOrigin(deps.database, actor.orgId, own.id, actor.credentialId));
  const account = origin && (await findAccountByKey(deps.database, own.id, origin.userKey));
  // another tab may have ended either
  const present = actor.credentialId;
  await deps.unitOfWork(actor, async (work) => {
    await endSessions(work, requirePerson(actor), { only: present });
    if (account) {
      await endSessions(work.beside(signingIn(account, browser)), account.identifier, { only: origin.id });
    }
  });
}

function toMethod(method: string): 'password' | 'sso' {
  return method === 'sso' ? 'sso' : 'password';
}

function ended(): AppError {
  return new AppError('unauthorized', 'Your session in your own organization has ended; sign in again');
}
