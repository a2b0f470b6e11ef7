import type { Actor } from '../../../platform/actor.ts';
import { type Authority, actorAuthority } from '../../../platform/authority.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import {
  authorityToday,
  lockPerson,
  type Permitted,
  permitBecoming,
  type SavedAuthority,
  saveAuthority,
} from '../../accounts/index.ts';
import { hashSecret } from '../../identity/index.ts';
import { type Account, findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { hashProof, newProof, readProof, writeProof } from '../proof.ts';
import { type Browser, openSession, signingIn } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { checkPassword, setPassword } from './change-password.ts';
import { findLink, replaceLink, takeLink } from './password.store.ts';

const linkMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Creates a one-time link to set a password; earlier links end.
 * @throws AppError `not_found` for unknown users, service accounts and disabled users; `insufficient_scope` if the
 * user has more rights than the caller, or the account is already in use
 */
export async function createPasswordLink(
  { unitOfWork, publicUrl }: SignInDeps,
  actor: Actor,
  email: string,
): Promise<{ readonly url: string; readonly token: string; readonly expiresAt: Date }> {
  const secret = newProof();
  return unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const account = await findAccount(tx, actor.orgId, email);
    if (!account || !maySignIn(account)) throw notFound('User who may sign in', email, 'email');
    const id = newId('link_');
    const expiresAt = new Date(now.getTime() + linkMs);
    const link = {
      orgId: actor.orgId,
      id,
      userKey: account.key,
      secretHash: hashProof(secret),
      createdAt: now,
      createdBy: actor.id,
      authority: saveAuthority(actor),
      expiresAt,
    };
    await replaceLink(tx, await permitted(tx, link, account, actorAuthority(actor)));
    work.record({
      event: 'user.password_link_created',
      action: 'OTHER',
      resourceType: 'user',
      identifier: account.identifier,
      context: {},
      message: 'A link to set a password was made',
    });
    const token = writeProof({ orgId: actor.orgId, id, secret });
    // after the #, which browsers never send
    return { url: `${publicUrl()}/set-password#${token}`, token, expiresAt };
  });
}

/**
 * Sets a password with a link and signs in.
 * @throws AppError `unauthorized` for a link that is unknown, used or expired; `invalid_request` for the password,
 * which keeps the link; `too_many_requests`
 */
export async function redeemPasswordLink(
  deps: SignInDeps,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<string> {
  const { database, attempts, unitOfWork, clock } = deps;
  attempts.begin('password link', browser.address);
  const proof = readProof(token);
  if (!proof) throw wrongLink();
  const hash = await hashSecret(password);
  const link = await findLink(database, proof.orgId, proof.id, hashProof(proof.secret));
  const account = link && (await findAccountByKey(database, proof.orgId, link.userKey));
  if (!link || !account || !maySignIn(account) || link.expiresAt <= clock.now()) throw wrongLink();
  attempts.succeed('password link', browser.address);
  checkPassword(password, account.identifier, '/password');
  return unitOfWork(signingIn(account, browser), async (work) => {
    // of two concurrent requests, one gets it
    if (!(await takeLink(work.tx, proof.orgId, proof.id))) throw wrongLink();
    const current = await findAccountByKey(work.tx, proof.orgId, link.userKey);
    if (!current || !maySignIn(current)) throw wrongLink();
    await assertStillPermitted(work.tx, link, current);
    await setPassword(work, account, hash);
    return openSession(deps, work, account, 'password', browser);
  });
}

/**
 * A link lets its holder become the user.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
async function permitted<T>(tx: Tx, link: T, account: Account, authority: Authority): Promise<Permitted<T>> {
  const { orgId, identifier, isUnused } = account;
  const person = await lockPerson(tx, orgId, identifier);
  if (!person) throw notFound('User who may sign in', identifier, 'email');
  return permitBecoming(tx, { orgId, authority }, link, { person: { ...person, teamKeys: person.teamRefs }, isUnused });
}

/**
 * Rights of the user and of the link's maker may have changed since: the maker must still be allowed to become the
 * user.
 * @throws AppError `unauthorized`
 */
async function assertStillPermitted(
  tx: Tx,
  link: { readonly authority: SavedAuthority | null },
  account: Account,
): Promise<void> {
  const authority = link.authority ? await authorityToday(tx, account.orgId, link.authority) : plainAdmission;
  if (!authority) throw wrongLink();
  await permitted(tx, link, account, authority).catch((error: unknown) => {
    if (error instanceof AppError) throw wrongLink();
    throw error;
  });
}

/** Authority of links that predate stored authorities. */
const plainAdmission: Authority = { roles: ['Admin'], teamKeys: [], scopes: ['create:users'] };

function wrongLink(): AppError {
  return new AppError('unauthorized', 'The link is not valid, was used or is too old; ask for a new one');
}
