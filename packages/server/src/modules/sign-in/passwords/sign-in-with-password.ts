import { AppError } from '../../../platform/errors.ts';
import { isChosenSecret } from '../../identity/index.ts';
import { findAccount, maySignIn, organizationMeant } from '../account.store.ts';
import { type Browser, openSession, signingIn } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';

export interface PasswordAttempt {
  readonly email: string;
  readonly password: string;
  readonly organization?: string | undefined;
}

/** Longer than any organization's id, so it never exists. */
const nowhere = 'there is no such organization';

/**
 * Signs in and returns the session cookie. An unknown address, a wrong or missing password and a user who may not sign
 * in all get the same answer after one hash comparison.
 * @throws AppError `unauthorized`, `too_many_requests`, `user_limit_reached`
 */
export async function signInWithPassword(
  deps: SignInDeps,
  { email, password, organization }: PasswordAttempt,
  browser: Browser,
): Promise<string> {
  const { database, attempts, unitOfWork, log } = deps;
  const orgId = (await organizationMeant(database, organization)) ?? nowhere;
  const name = `${orgId} ${email.toLowerCase()}`;
  attempts.begin(name, browser.address);
  const account = await findAccount(database, orgId, email);
  const isRight = await isChosenSecret(account?.passwordHash ?? undefined, password);
  if (!account || !isRight || !maySignIn(account)) {
    log.info({ orgId, address: browser.address }, 'a sign-in with a password failed');
    throw new AppError('unauthorized', 'The e-mail address or the password is wrong');
  }
  attempts.succeed(name, browser.address);
  return unitOfWork(signingIn(account, browser), (work) => openSession(deps, work, account, 'password', browser));
}
