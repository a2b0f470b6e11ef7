import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { hashSecret, isChosenSecret } from '../../identity/index.ts';
import { type Account, findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { type Browser, openSession } from '../sessions/open-session.ts';
import { endSessions, requirePerson } from '../sessions/own-sessions.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { endLinks } from './link.store.ts';
import { setPasswordHash } from './password.store.ts';

/**
 * Changes the caller's own password and returns a new session cookie. All other sessions end, including the request's,
 * so that a copied cookie is worthless.
 * @throws AppError `sign_in_refused` if the current password is wrong, `too_many_requests`
 */
export async function changePassword(
  deps: SignInDeps,
  actor: Actor,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  browser: Browser,
): Promise<string> {
  const { database, attempts, unitOfWork } = deps;
  const email = requirePerson(actor);
  const name = `${actor.orgId} ${email.toLowerCase()}`;
  attempts.begin(name, browser.address);
  const account = await findAccount(database, actor.orgId, email);
  const isRight = await isChosenSecret(account?.passwordHash ?? undefined, currentPassword);
  // not 401: the session is valid, and a client would discard it
  if (!account || !isRight || !maySignIn(account)) {
    throw new AppError('sign_in_refused', 'The current password is wrong');
  }
  attempts.succeed(name, browser.address);
  checkPassword(newPassword, account.identifier, '/newPassword');
  const hash = await hashSecret(newPassword);
  return unitOfWork(actor, async (work) => {
    // read again: of two concurrent changes the second must not start from the old password
    const current = await findAccountByKey(work.tx, account.orgId, account.key);
    if (current?.passwordHash !== account.passwordHash) {
      throw new AppError('sign_in_refused', 'The password was changed meanwhile');
    }
    await setPassword(work, account, hash);
    return openSession(deps, work, account, 'password', browser);
  });
}

/** Within the caller's unit of work. Ends sessions and password links of the old password. */
export async function setPassword(work: Work, account: Account, hash: string): Promise<void> {
  const { tx, now } = work;
  await setPasswordHash(tx, account.orgId, account.key, hash, now);
  await endLinks(tx, account.orgId, account.key, 'used', now);
  await endSessions(work, account.identifier, {});
  work.record({
    event: 'user.password_changed',
    action: 'UPDATE',
    resourceType: 'user',
    identifier: account.identifier,
    context: {},
    message: 'The password was set; sessions before have ended',
  });
}

/** @throws AppError `invalid_request` for a password that is easy to guess */
export function checkPassword(password: string, email: string, path: string): void {
  const lower = password.toLowerCase();
  const isName = lower === email.toLowerCase() || lower === email.split('@')[0]?.toLowerCase();
  if (!isName && new Set(lower).size > 2) return;
  const message = isName ? 'must not be the e-mail address' : 'must have more than two different characters';
  throw invalidRequest([{ path, message }], 'The password');
}
