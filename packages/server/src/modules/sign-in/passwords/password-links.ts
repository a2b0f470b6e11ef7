import type { Actor } from '../../../platform/actor.ts';
import type { Authority } from '../../../platform/authority.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { authorityToday, type Permitted } from '../../accounts/index.ts';
import { hashSecret } from '../../identity/index.ts';
import { type Account, findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { setMailState } from '../invitations/invitation.store.ts';
import { hashProof, readProof } from '../proof.ts';
import { type Browser, openSession, signingIn } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { checkPassword, setPassword } from './change-password.ts';
import { endLinks, findLink, type StoredLink, takeLink } from './link.store.ts';
import { type MadeLink, makeLink, permitLink } from './make-link.ts';

/**
 * Creates a one-time link to set a password; earlier links end.
 * @throws AppError `not_found` for unknown users, service accounts and disabled users; `insufficient_scope` if the
 * user has more rights than the caller, or the account is already in use
 */
export async function createPasswordLink(deps: SignInDeps, actor: Actor, email: string): Promise<MadeLink> {
  return deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const account = await findAccount(tx, actor.orgId, email);
    if (!account || !maySignIn(account)) throw notFound('User who may sign in', email, 'email');
    await endLinks(tx, actor.orgId, account.key, 'replaced', now);
    await setMailState(tx, { orgId: actor.orgId, userKey: account.key }, 'none', now);
    return makeLink(deps, work, account, 'hand');
  });
}

/** What the holder of a link may know of it. */
export interface SeenLink {
  readonly link: StoredLink;
  /** Undefined if the user was removed or disabled. */
  readonly account: Account | undefined;
}

/**
 * Finds a link by its token, whether or not it still works.
 * @throws AppError `unauthorized` for a token that is no link's, `too_many_requests`
 */
export async function seeLink(
  { database, attempts }: Pick<SignInDeps, 'database' | 'attempts'>,
  token: string,
  { address }: Pick<Browser, 'address'>,
): Promise<SeenLink> {
  attempts.begin('password link', address);
  const proof = readProof(token);
  const link = proof && (await findLink(database, proof.orgId, proof.id, hashProof(proof.secret)));
  if (!proof || !link) throw wrongLink();
  attempts.succeed('password link', address);
  const account = await findAccountByKey(database, proof.orgId, link.userKey);
  return { link, account: account && maySignIn(account) ? account : undefined };
}

/**
 * Sets a password with a link and signs in.
 * @throws AppError `unauthorized` for a link that is unknown or has ended; `invalid_request` for the password, which
 * keeps the link; `too_many_requests`
 */
export async function redeemPasswordLink(
  deps: SignInDeps,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<string> {
  const { unitOfWork, clock } = deps;
  const { link, account } = await seeLink(deps, token, browser);
  if (link.endedAs === 'used') throw wrongLink('was used already; sign in with the password that was set');
  if (link.endedAs === 'replaced') throw wrongLink('was replaced by a newer one; use that one');
  if (!account || link.endedAs) throw wrongLink('was taken back; ask whoever gave it to you');
  if (link.expiresAt <= clock.now()) throw wrongLink('is too old; ask for a new one');
  checkPassword(password, account.identifier, '/password');
  const hash = await hashSecret(password);
  return unitOfWork(signingIn(account, browser), async (work) => {
    const { tx, now } = work;
    const current = await findAccountByKey(tx, account.orgId, link.userKey);
    if (!current || !maySignIn(current)) throw wrongLink();
    // it locks the person, so that of two concurrent requests, with one link or two, one gets in
    await assertStillPermitted(work.tx, link, current);
    if (!(await takeLink(tx, account.orgId, link.id, now))) throw wrongLink();
    await setPassword(work, account, hash);
    return openSession(deps, work, current, 'password', browser);
  });
}

/**
 * Rights of the user and of the link's maker may have changed since: the maker must still be allowed to become the
 * user.
 * @throws AppError `unauthorized`
 */
export async function assertStillPermitted<T extends Pick<StoredLink, 'authority'>>(
  tx: Tx,
  link: T,
  account: Account,
): Promise<Permitted<T>> {
  const authority = link.authority ? await authorityToday(tx, account.orgId, link.authority) : plainAdmission;
  if (!authority) throw wrongLink();
  return permitLink(tx, link, account, authority).catch((error: unknown) => {
    if (error instanceof AppError) throw wrongLink();
    throw error;
  });
}

/** Authority of links that predate stored authorities. */
const plainAdmission: Authority = { roles: ['Admin'], teamKeys: [], scopes: ['create:users'] };

function wrongLink(why = 'is not valid, was used or is too old; ask for a new one'): AppError {
  return new AppError('unauthorized', `The link ${why}`);
}
