import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { hashSecret } from '../../identity/index.ts';
import { findAccount, findAccountByKey, maySignIn } from '../account.store.ts';
import { hashProof, newProof, readProof, writeProof } from '../proof.ts';
import { type Browser, openSession, signingIn } from '../sessions/open-session.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import { checkPassword, setPassword } from './change-password.ts';
import { findLink, replaceLink, takeLink } from './password.store.ts';

const linkMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Makes a link with which a user sets a password once; links before it end.
 * @throws AppError `not_found` for nobody, service accounts and disabled users
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
    await replaceLink(tx, {
      orgId: actor.orgId,
      id,
      userKey: account.key,
      secretHash: hashProof(secret),
      createdAt: now,
      createdBy: actor.id,
      expiresAt,
    });
    work.record({
      event: 'user.password_link_created',
      action: 'OTHER',
      resourceType: 'user',
      identifier: account.identifier,
      context: {},
      message: 'A link to set a password was made',
    });
    const token = writeProof({ orgId: actor.orgId, id, secret });
    // behind the #, which browsers send to nobody
    return { url: `${publicUrl()}/set-password#${token}`, token, expiresAt };
  });
}

/**
 * Sets a password with a link and signs in. @throws AppError `unauthorized` for a link that is unknown, used or too old;
 * `invalid_request` for the password, which leaves the link; `too_many_requests`
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
    // of two who come with it at once, one gets it
    if (!(await takeLink(work.tx, proof.orgId, proof.id))) throw wrongLink();
    await setPassword(work, account, hash);
    return openSession(deps, work, account, 'password', browser);
  });
}

function wrongLink(): AppError {
  return new AppError('unauthorized', 'The link is not valid, was used or is too old; ask for a new one');
}
